public import MediaCore
import TIFF

/// An exposure of a Bayer sensor for a DNG file, whose samples are stored unchanged.
public struct BayerNegative: Sendable {
  /// The samples.
  public var mosaic: RawImage
  /// The order of the color filters.
  public var pattern: BayerPattern
  /// Levels, color and noise; scaled to the mosaic's depth if stated for another.
  public var calibration: SensorCalibration
  /// The gain of the exposure, which amplifies the noise profile.
  public var gain: Double
  /// The photo's metadata.
  public var metadata: PhotoMetadata
  /// A preview for viewers; without one the sensor data are the file's first image.
  public var preview: EncodedPreview?

  ///
  /// - Throws: ``DNGError/Code/invalidArgument`` if the image is not a mosaic of at least 2 by 2 pixels and 8 to 16
  ///   bits.
  public init(
    mosaic: RawImage, pattern: BayerPattern, calibration: SensorCalibration, gain: Double = 1,
    metadata: PhotoMetadata = PhotoMetadata(), preview: EncodedPreview? = nil
  ) throws(DNGError) {
    guard mosaic.components == 1, mosaic.width >= 2, mosaic.height >= 2,
      (8...16).contains(mosaic.bitDepth)
    else {
      throw DNGError(
        .invalidArgument,
        "a mosaic has one sample per pixel, 8 to 16 bits and a side of at least 2, not "
          + "\(mosaic.components) of \(mosaic.bitDepth) bits at \(mosaic.width)x\(mosaic.height)")
    }
    self.mosaic = mosaic
    self.pattern = pattern
    self.calibration = calibration
    self.gain = gain
    self.metadata = metadata
    self.preview = preview
  }

  /// The DNG 1.4 file, with lossless JPEG tiles that are encoded on all processors.
  ///
  /// - Throws: ``DNGError/Code/unsupported`` for a file larger than 4 GiB, ``DNGError/Code/invalidCalibration`` for
  ///   invalid levels or matrices.
  public func dngFileData() throws(DNGError) -> [UInt8] {
    let facts = calibration.scaled(toBitDepth: mosaic.bitDepth)
    try facts.validate()
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 4, 0, 0])
    root[.dngBackwardVersion] = .bytes([1, 1, 0, 0])
    facts.addEntries(to: &root)
    metadata.addTIFFEntries(to: &root)
    root[.newRawImageDigest] = .bytes(RawTiles.digest(mosaic, asBytes: mosaic.bitDepth == 8))
    var raw = TIFFDirectory()
    try describePixels(in: &raw, facts)
    if let preview {
      preview.describe(in: &root)
      root.children = [raw]
    } else {
      root.entries.merge(raw.entries) { _, new in new }
      root.pixels = raw.pixels
    }
    return try TIFFWriter.dngBytes(root)
  }

  private func describePixels(
    in raw: inout TIFFDirectory, _ facts: SensorCalibration
  ) throws(DNGError) {
    let grid = TileGrid(width: mosaic.width, height: mosaic.height)
    raw.describeRawPixels(mosaic, grid, compression: 7)
    raw[.photometric] = .short(32_803)
    raw[.cfaRepeatPatternDim] = .shorts([2, 2])
    raw[.cfaPattern] = .bytes(pattern.cell.map(\.rawValue))
    raw[.cfaPlaneColor] = .bytes([0, 1, 2])
    raw[.cfaLayout] = .short(1)
    raw[.blackLevelRepeatDim] = .shorts([2, 2])
    raw[.blackLevel] = .rationals(facts.blackLevel.map { .init($0) })
    raw[.whiteLevel] = .long(Int(facts.whiteLevel))
    // Interpolation needs pixels around the visible area.
    let margin = (x: mosaic.width > 8 ? 2 : 0, y: mosaic.height > 8 ? 2 : 0)
    raw.describeCrop(mosaic, margin: margin)
    if let noise = facts.noise?.amplified(by: gain) {
      raw[.noiseProfile] = .doubles([noise.scale, noise.offset])
    }
    raw.pixels = .init(isTiled: true, chunks: try RawTiles.encode(mosaic, grid))
  }
}

extension TIFFDirectory {
  /// Adds the entries that every directory of raw pixels has.
  mutating func describeRawPixels(_ image: RawImage, _ grid: TileGrid, compression: Int) {
    self[.newSubFileType] = .long(0)
    self[.imageWidth] = .long(image.width)
    self[.imageLength] = .long(image.height)
    self[.bitsPerSample] = .shorts(
      [UInt16](repeating: UInt16(image.bitDepth), count: image.components))
    self[.compression] = .short(compression)
    self[.samplesPerPixel] = .short(image.components)
    self[.planarConfiguration] = .short(1)
    self[.tileWidth] = .long(grid.tileWidth)
    self[.tileLength] = .long(grid.tileHeight)
  }

  /// Makes all pixels active, but excludes a margin from the visible area.
  mutating func describeCrop(_ image: RawImage, margin: (x: Int, y: Int)) {
    self[.activeArea] = .longs([0, 0, UInt32(image.height), UInt32(image.width)])
    self[.defaultScale] = .rationals([.init(1), .init(1)])
    self[.defaultCropOrigin] = .longs([UInt32(margin.x), UInt32(margin.y)])
    self[.defaultCropSize] = .longs([
      UInt32(image.width - 2 * margin.x), UInt32(image.height - 2 * margin.y),
    ])
  }
}
