import CTurboJPEG
public import MediaCore
import TIFF

/// Merged and demosaicked exposures with the recipe of their default look: the equivalent of Apple ProRAW, as a DNG
/// file.
public struct LinearNegative: Sendable {
  /// The compression of the stored light.
  public enum Compression: Sendable, Hashable {
    /// Lossless JPEG of companded codes, 8 to 16 bits.
    case lossless(bitDepth: Int)
    /// Baseline JPEG of 8-bit codes; quality is 0 to 1.
    case lossy(quality: Double)
    /// JPEG XL (DNG 1.7): with quality 1, codes of `bitDepth` bits without loss; otherwise lossy.
    case jpegXL(bitDepth: Int, quality: Double)
  }

  /// The part of the image that shows a kind of object.
  public struct SemanticMask: Sendable, Hashable {
    /// What it shows, by Adobe's name or the maker's: `com.example.person`.
    public var name: String
    /// The coverage of each pixel: 8 bits, the size of the image or smaller.
    public var coverage: RawImage

    public init(name: String, coverage: RawImage) {
      self.name = name
      self.coverage = coverage
    }
  }

  /// The light, white-balanced.
  public let image: LinearImage
  /// The greatest light in the image, where 1 is the level at which the reference exposure saturates.
  public let headroom: Double
  /// The noise of the light.
  public let noise: NoiseModel
  /// The displacement of each exposure after the first, in pixels to the right and down: the median over all tiles.
  /// Displacements are whole cells of two pixels.
  public let displacements: [SIMD2<Double>]
  public let calibration: SensorCalibration
  /// The photo's metadata.
  public var metadata: PhotoMetadata
  /// Semantic masks, if the source provides them.
  public var masks: [SemanticMask] = []
  package let recipe: RenderRecipe

  package init(
    image: LinearImage, headroom: Double, noise: NoiseModel, displacements: [SIMD2<Double>],
    calibration: SensorCalibration, metadata: PhotoMetadata, recipe: RenderRecipe
  ) {
    self.image = image
    self.headroom = headroom
    self.noise = noise
    self.displacements = displacements
    self.calibration = calibration
    self.metadata = metadata
    self.recipe = recipe
  }

  /// The file, as DNG 1.6, or 1.7 with JPEG XL.
  ///
  /// - Parameters:
  ///   - compression: 12-bit lossless by default.
  ///   - preview: A preview for viewers; nil for none.
  /// - Throws: ``DNGError/Code/invalidArgument`` for a depth out of range, ``DNGError/Code/codecFailed``,
  ///   ``DNGError/Code/unsupported`` for a file larger than 4 GiB.
  public func dngFileData(
    compression: Compression = .lossless(bitDepth: 12), preview: EncodedPreview? = nil
  ) throws(DNGError) -> [UInt8] {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 6, 0, 0])
    calibration.addEntries(to: &root)
    // This profile is the scene's default look.
    root[.profileName] = .ascii("Default")
    metadata.addTIFFEntries(to: &root)
    root[.baselineExposure] = .signedRationals([.init(recipe.baselineExposure)])
    root[.baselineSharpness] = .rationals([.init(1)])
    root[.defaultBlackRender] = .long(1)
    root[.profileToneCurve] = .floats(recipe.toneCurve.points.flatMap { [$0.input, $0.output] })
    var raw = TIFFDirectory()
    try describePixels(in: &raw, &root, compression)
    if let map = recipe.gainMap { raw[.profileGainTableMap] = .undefined(map.encoded) }
    let masks = try masks.map { (mask) throws(DNGError) in try Self.directory(mask) }
    if let preview {
      preview.describe(in: &root)
      root.children = [raw] + masks
    } else {
      root.entries.merge(raw.entries) { _, new in new }
      root.pixels = raw.pixels
      root.children = masks
    }
    return try TIFFWriter.dngBytes(root)
  }

  private func describePixels(
    in raw: inout TIFFDirectory, _ root: inout TIFFDirectory, _ compression: Compression
  ) throws(DNGError) {
    // The headroom is stored as the greatest code.
    let stored = 1 / headroom
    let figures = CompandingCurve.NoiseFigures(
      slope: noise.scale * stored, dark: noise.offset.squareRoot() * stored)
    let neutral = calibration.neutral.map { values in values.map { $0 / (values.max() ?? 1) } }
    let factors = (neutral ?? [1, 1, 1]).map { $0 * stored }
    switch compression {
    case .lossless(let depth):
      let (codes, grid) = try describeTable(in: &raw, figures, depth: depth, factors)
      root[.dngBackwardVersion] = .bytes([1, 2, 0, 0])
      root[.newRawImageDigest] = .bytes(RawTiles.digest(codes, asBytes: depth == 8))
      raw.pixels = .init(isTiled: true, chunks: try RawTiles.encode(codes, grid))
    case .lossy(let quality):
      let (codes, grid) = try describePolynomial(
        in: &raw, figures, stored: stored, neutral ?? [1, 1, 1])
      root[.dngBackwardVersion] = .bytes([1, 4, 0, 0])
      raw[.compression] = .short(34_892)
      let tiles = try Self.tiles(codes, grid) { (samples) throws(DNGError) in
        try JPEGCodec.compress(
          samples.map { UInt8(truncatingIfNeeded: $0) }, width: grid.tileWidth,
          height: grid.tileHeight, format: TJPF_RGB, sampling: TJSAMP_444, quality: quality)
      }
      root[.newRawImageDigest] = .bytes(RawTiles.digest(compressed: tiles))
      raw.pixels = .init(isTiled: true, chunks: tiles)
    case .jpegXL(let bits, let quality):
      // The codec measures loss relative to the full range, so codes must span it.
      let (codes, grid) = try describeTable(
        in: &raw, figures, depth: quality < 1 ? 16 : bits, factors)
      root[.dngVersion] = .bytes([1, 7, 0, 0])
      root[.dngBackwardVersion] = .bytes([1, 7, 0, 0])
      raw[.compression] = .short(52_546)
      // Adobe's SDK scales samples to 16 bits before it applies the table, so the stream has 16 bits, whatever the
      // codes have.
      raw[.bitsPerSample] = .shorts([16, 16, 16])
      let tiles = try Self.tiles(codes, grid) { (samples) throws(DNGError) in
        try JPEGXLCodec.encode(
          samples, width: grid.tileWidth, height: grid.tileHeight, quality: quality)
      }
      root[.newRawImageDigest] = .bytes(RawTiles.digest(compressed: tiles))
      raw.pixels = .init(isTiled: true, chunks: tiles)
    }
    let storedNoise = NoiseModel(
      scale: noise.scale * stored, offset: noise.offset * stored * stored)
    raw[.noiseProfile] = .doubles([storedNoise.scale, storedNoise.offset])
  }

  /// Adds a LinearizationTable and returns the companded codes, which keep some light below black.
  private func describeTable(
    in raw: inout TIFFDirectory, _ noise: CompandingCurve.NoiseFigures, depth: Int,
    _ factors: [Double]
  ) throws(DNGError) -> (RawImage, TileGrid) {
    guard (8...16).contains(depth) else {
      throw DNGError(.invalidArgument, "a bit depth is 8 to 16, not \(depth)")
    }
    let curve = CompandingCurve(noise: noise, bitDepth: depth)
    let codes = try RawImage(
      width: image.width, height: image.height, components: 3, bitDepth: depth,
      samples: curve.encode(image, factors: factors.map { Float($0) }))
    raw[.linearizationTable] = .shorts(curve.table)
    raw[.blackLevel] = .longs([UInt32](repeating: UInt32(curve.blackLevel), count: 3))
    raw[.whiteLevel] = .longs([65_535, 65_535, 65_535])
    return (codes, describeGrid(in: &raw, codes))
  }

  /// Adds OpcodeList2 and returns the 8-bit codes that it linearizes. They encode balanced light: with unbalanced
  /// light two of the three colors would have fewer codes, and shadows a tint.
  private func describePolynomial(
    in raw: inout TIFFDirectory, _ noise: CompandingCurve.NoiseFigures, stored: Double,
    _ neutral: [Double]
  ) throws(DNGError) -> (RawImage, TileGrid) {
    let curve = PolynomialCurve(noise: noise)
    let codes = try RawImage(
      width: image.width, height: image.height, components: 3, bitDepth: 8,
      samples: curve.codes.encode(
        image, factors: [Float](repeating: Float(stored), count: 3)))
    raw[.blackLevel] = .longs([0, 0, 0])
    raw[.whiteLevel] = .longs([255, 255, 255])
    raw[.opcodeList2] = .undefined(
      curve.opcodeList(factors: neutral, width: image.width, height: image.height))
    return (codes, describeGrid(in: &raw, codes))
  }

  private func describeGrid(in raw: inout TIFFDirectory, _ codes: RawImage) -> TileGrid {
    let grid = TileGrid(width: codes.width, height: codes.height)
    raw.describeRawPixels(codes, grid, compression: 7)
    raw[.photometric] = .short(34_892)
    raw.describeCrop(codes, margin: (0, 0))
    return grid
  }

  /// Encodes all tiles on all processors.
  private static func tiles(
    _ codes: RawImage, _ grid: TileGrid,
    _ encode: @Sendable ([UInt16]) throws(DNGError) -> [UInt8]
  ) throws(DNGError) -> [[UInt8]] {
    let tiles = ConcurrentMap.map(grid.count) { index in
      Result { () throws(DNGError) in
        try encode(RawTiles.paddedTile(codes, grid, index))
      }
    }
    var bytes: [[UInt8]] = []
    for tile in tiles { bytes.append(try tile.get()) }
    return bytes
  }

  private static func directory(_ mask: SemanticMask) throws(DNGError) -> TIFFDirectory {
    guard mask.coverage.components == 1, mask.coverage.bitDepth == 8, !mask.name.isEmpty else {
      throw DNGError(
        .invalidArgument, "a semantic mask has a name and one component of 8 bits")
    }
    let grid = TileGrid(width: mask.coverage.width, height: mask.coverage.height)
    var directory = TIFFDirectory()
    directory.describeRawPixels(mask.coverage, grid, compression: 1)
    directory[.newSubFileType] = .long(0x10004)
    directory[.photometric] = .short(52_527)
    directory[.semanticName] = .ascii(mask.name)
    directory[.semanticInstanceID] = .ascii("0")
    directory[.maskSubArea] = .longs([
      0, 0, UInt32(mask.coverage.width), UInt32(mask.coverage.height),
    ])
    let tiles = (0..<grid.count).map { index in
      RawTiles.paddedTile(mask.coverage, grid, index).map { UInt8(truncatingIfNeeded: $0) }
    }
    directory.pixels = .init(isTiled: true, chunks: tiles)
    return directory
  }
}
