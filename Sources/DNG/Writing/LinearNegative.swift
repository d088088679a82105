import CTurboJPEG
public import MediaCore
import TIFF

/// Exposures merged and made into colors, with the recipe of their default look: what Apple calls
/// ProRAW, as a DNG file.
public struct LinearNegative: Sendable {
  /// How the light is stored.
  public enum Compression: Sendable, Hashable {
    /// Lossless JPEG of codes of so many bits, 8 to 16, through a companding table.
    case lossless(bitDepth: Int)
    /// Baseline JPEG of 8-bit codes, of a quality from 0 to 1.
    case lossy(quality: Double)
    /// JPEG XL, DNG 1.7: of a quality of 1, codes of so many bits without loss; below, with loss.
    case jpegXL(bitDepth: Int, quality: Double)
  }

  /// A part of the picture that is of a kind.
  public struct SemanticMask: Sendable, Hashable {
    /// What it shows, in Adobe's or the maker's words: `com.example.person`.
    public var name: String
    /// How much of each pixel is of it: 8 bits, the size of the picture or smaller.
    public var coverage: RawImage

    /// A mask.
    public init(name: String, coverage: RawImage) {
      self.name = name
      self.coverage = coverage
    }
  }

  /// The light, balanced.
  public let image: LinearImage
  /// The greatest light of the image: 1 is where the reference exposure saturates.
  public let headroom: Double
  /// The noise of light.
  public let noise: NoiseModel
  /// How far each exposure after the first lies from it, in pixels to the right and down: the median
  /// over all tiles. Exposures are displaced by whole cells of two pixels.
  public let displacements: [SIMD2<Double>]
  /// Levels and colors of the sensor.
  public let calibration: SensorCalibration
  /// What the file says of itself.
  public var metadata: PhotoMetadata
  /// Masks, where the source gives them.
  public var masks: [SemanticMask] = []
  package let recipe: RenderRecipe

  /// A negative from its parts.
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

  /// The DNG 1.6 file; 1.7 with JPEG XL.
  ///
  /// - Parameters:
  ///   - compression: 12 bits without loss unless told otherwise.
  ///   - preview: A picture for viewers, nil for none.
  /// - Throws: ``DNGError/Code/invalidArgument`` for a depth out of range,
  ///   ``DNGError/Code/codecFailed``, ``DNGError/Code/unsupported`` beyond 4 GiB.
  public func dngFileData(
    compression: Compression = .lossless(bitDepth: 12), preview: EncodedPreview? = nil
  ) throws(DNGError) -> [UInt8] {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 6, 0, 0])
    calibration.addEntries(to: &root)
    // The profile here is the default look of the scene.
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
    // Stored light ends at the headroom.
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
      // Loss is measured in parts of the whole range: it is to be the range of the codes.
      let (codes, grid) = try describeTable(
        in: &raw, figures, depth: quality < 1 ? 16 : bits, factors)
      root[.dngVersion] = .bytes([1, 7, 0, 0])
      root[.dngBackwardVersion] = .bytes([1, 7, 0, 0])
      raw[.compression] = .short(52_546)
      // Adobe's SDK scales samples to 16 bits before it looks them up: the stream has 16 bits,
      // whatever the codes have.
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

  /// Codes that a LinearizationTable leads back from, with some light below black.
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

  /// Codes of 8 bits that OpcodeList2 leads back from. They are of balanced light: in that of the
  /// sensor two of the three colors would have fewer codes, and shadows a tint.
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

  /// All tiles by a codec, on all processors.
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
