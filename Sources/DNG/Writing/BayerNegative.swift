public import MediaCore
import TIFF

/// One exposure of a Bayer sensor, as it goes into a DNG file: not one sample is changed.
public struct BayerNegative: Sendable {
  /// The samples.
  public var mosaic: RawImage
  /// The order of the color filters.
  public var pattern: BayerPattern
  /// Levels, color and noise; brought to the mosaic's depth where it is stated in another.
  public var calibration: SensorCalibration
  /// The gain of the exposure, which the noise profile grows with.
  public var gain: Double
  /// What the file says of itself.
  public var metadata: PhotoMetadata
  /// A picture for viewers; without one the sensor data is the file's first picture.
  public var preview: EncodedPreview?

  /// A negative from its parts.
  ///
  /// - Throws: ``DNGError/Code/invalidArgument`` where the image is no mosaic of at least two
  ///   by two pixels, 8 to 16 bits deep.
  public init(
    mosaic: RawImage, pattern: BayerPattern, calibration: SensorCalibration, gain: Double = 1,
    metadata: PhotoMetadata = PhotoMetadata(), preview: EncodedPreview? = nil
  ) throws(DNGError) {
    guard mosaic.components == 1, mosaic.width >= 2, mosaic.height >= 2,
      (8...16).contains(mosaic.bitDepth)
    else {
      throw DNGError(
        .invalidArgument,
        "a mosaic has one sample a pixel, 8 to 16 bits and a side of at least 2, not "
          + "\(mosaic.components) of \(mosaic.bitDepth) bits at \(mosaic.width)x\(mosaic.height)")
    }
    self.mosaic = mosaic
    self.pattern = pattern
    self.calibration = calibration
    self.gain = gain
    self.metadata = metadata
    self.preview = preview
  }

  /// The DNG 1.4 file: lossless JPEG tiles, made on all processors.
  ///
  /// - Throws: ``DNGError/Code/unsupported`` for a file beyond 4 GiB,
  ///   ``DNGError/Code/invalidCalibration`` for levels or matrices that make no sense.
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
    // Interpolation wants pixels around what is shown.
    let margin = (x: mosaic.width > 8 ? 2 : 0, y: mosaic.height > 8 ? 2 : 0)
    raw.describeCrop(mosaic, margin: margin)
    if let noise = facts.noise?.amplified(by: gain) {
      raw[.noiseProfile] = .doubles([noise.scale, noise.offset])
    }
    raw.pixels = .init(isTiled: true, chunks: try RawTiles.encode(mosaic, grid))
  }
}

extension TIFFDirectory {
  /// The entries that every directory of raw pixels has.
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

  /// All pixels are of the picture; a margin is left out of what is shown.
  mutating func describeCrop(_ image: RawImage, margin: (x: Int, y: Int)) {
    self[.activeArea] = .longs([0, 0, UInt32(image.height), UInt32(image.width)])
    self[.defaultScale] = .rationals([.init(1), .init(1)])
    self[.defaultCropOrigin] = .longs([UInt32(margin.x), UInt32(margin.y)])
    self[.defaultCropSize] = .longs([
      UInt32(image.width - 2 * margin.x), UInt32(image.height - 2 * margin.y),
    ])
  }
}
