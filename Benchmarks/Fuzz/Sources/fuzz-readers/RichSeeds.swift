import MediaCore

@testable import DNG
@testable import RawPhoto
@testable import TIFF

extension PhotoSeeds {
  /// DNG files with features of newer programs: JPEG XL, also for a mosaic, an enhanced image, gain maps,
  /// color tables for semantic masks, and an additional profile.
  static func rich() throws -> [[UInt8]] {
    [
      try jpegXL(), try mosaicJPEGXL(), try enhanced(), try masked(), try mapped(version: 1),
      try mapped(version: 2),
    ]
  }

  /// A camera profile in its own file.
  static func profile() throws -> [UInt8] {
    var root = TIFFDirectory()
    addProfile(to: &root)
    root[.profileName] = .ascii("Vivid")
    var bytes = try TIFFWriter.serialize(root)
    (bytes[2], bytes[3]) = (0x52, 0x43)
    return bytes
  }

  private static let side = 16

  private static func plain(components: Int = 3) -> TIFFDirectory {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.uniqueCameraModel] = .ascii("Example")
    root[.newSubFileType] = .longs([0])
    root[.imageWidth] = .longs([UInt32(side)])
    root[.imageLength] = .longs([UInt32(side)])
    root[.bitsPerSample] = .shorts([UInt16](repeating: 16, count: components))
    root[.compression] = .shorts([1])
    root[.samplesPerPixel] = .shorts([UInt16(components)])
    root[.planarConfiguration] = .shorts([1])
    root[.photometric] = .shorts([34_892])
    root[.rowsPerStrip] = .longs([UInt32(side)])
    root[.asShotNeutral] = .rationals([0.52, 1, 0.66].map { TIFFValue.Rational($0) })
    root[.whiteLevel] = .longs([UInt32](repeating: 65_535, count: components))
    root.pixels = .init(isTiled: false, chunks: [bytes(codes(components))])
    addProfile(to: &root)
    return root
  }

  private static func addProfile(to root: inout TIFFDirectory) {
    let matrix = [0.6411, -0.0953, -0.0735, -0.5139, 1.3154, 0.2126, -0.1152, 0.2345, 0.6058]
    root[.colorMatrix1] = .signedRationals(matrix.map { TIFFValue.SignedRational($0) })
    root[.calibrationIlluminant1] = .shorts([21])
    root[.profileHueSatMapDims] = .longs([3, 2, 1])
    root[.profileHueSatMapData1] = .floats([Float](repeating: 1, count: 18))
    root[.profileLookTableDims] = .longs([2, 2, 2])
    root[.profileLookTableData] = .floats([Float](repeating: 1, count: 24))
    root[.profileToneCurve] = .floats([0, 0, 0.5, 0.6, 1, 1])
  }

  private static func codes(_ components: Int) -> [UInt16] {
    (0..<side * side * components).map { UInt16($0 * 371 % 65_536) }
  }

  private static func bytes<Number: BitwiseCopyable>(_ numbers: [Number]) -> [UInt8] {
    numbers.withUnsafeBytes { Array($0) }
  }

  private static func jpegXL() throws -> [UInt8] {
    var root = plain()
    root[.compression] = .shorts([52_546])
    root[.rowsPerStrip] = nil
    root[.tileWidth] = .longs([UInt32(side)])
    root[.tileLength] = .longs([UInt32(side)])
    root[.blackLevel] = .longs([64, 64, 64])
    // Levels of a 10-bit stream, which are spread.
    root[.whiteLevel] = .longs([1023, 1023, 1023])
    let tile = try JPEGXLCodec.encode(codes(3), width: side, height: side, quality: 1)
    root.pixels = .init(isTiled: true, chunks: [tile])
    return try TIFFWriter.serialize(root)
  }

  /// A mosaic of 8 by 8 samples, with each color's rows and columns stored separately.
  private static func mosaicJPEGXL() throws -> [UInt8] {
    var root = plain(components: 1)
    root[.imageWidth] = .longs([8])
    root[.imageLength] = .longs([8])
    root[.photometric] = .shorts([32_803])
    root[.cfaRepeatPatternDim] = .shorts([2, 2])
    root[.cfaPattern] = .bytes([0, 1, 1, 2])
    root[.compression] = .shorts([52_546])
    root[.rowsPerStrip] = nil
    root[.tileWidth] = .longs([8])
    root[.tileLength] = .longs([8])
    root[.rowInterleaveFactor] = .short(2)
    root[.columnInterleaveFactor] = .short(2)
    // A 16-bit gray ramp, coded without loss by libjxl.
    let tile: [UInt8] = [
      255, 10, 65, 240, 3, 20, 45, 2, 8, 2, 1, 0, 216, 0, 75, 56, 105, 152, 202, 131, 247, 75, 40,
      152, 129, 226, 209, 226, 140, 113, 1, 255, 69, 242, 227, 232, 235, 245, 122, 189, 94, 23, 17,
      17, 17, 137, 61, 65, 65, 113, 34, 34, 66, 68, 74, 139, 46, 16, 17, 17, 68, 68, 68, 32, 34, 34,
      16, 1,
    ]
    root.pixels = .init(isTiled: true, chunks: [tile])
    return try TIFFWriter.serialize(root)
  }

  private static func enhanced() throws -> [UInt8] {
    var root = plain(components: 1)
    root[.photometric] = .shorts([32_803])
    root[.cfaRepeatPatternDim] = .shorts([2, 2])
    root[.cfaPattern] = .bytes([1, 0, 2, 1])
    var made = plain()
    made[.newSubFileType] = .longs([16])
    made[.enhanceParams] = .ascii("Example Denoise 1.0")
    made[.noiseProfile] = .doubles([1e-5, 1e-8])
    root.children = [made]
    return try TIFFWriter.serialize(root)
  }

  /// Two masks that weight tables with two divisions.
  private static func masked() throws -> [UInt8] {
    var root = plain()
    root[.rgbTables] = .undefined(
      ["sky", "skin"].reduce(bytes([UInt32(2), 0])) { table, name in
        table + bytes([UInt16(name.utf8.count)]) + Array(name.utf8) + [2, 0, 1, 0, 0]
          + [UInt8](repeating: 90, count: 24)
      })
    root.children = ["sky", "skin"].map { name in
      var mask = TIFFDirectory()
      mask[.newSubFileType] = .longs([0x10004])
      mask[.imageWidth] = .longs([4])
      mask[.imageLength] = .longs([4])
      mask[.bitsPerSample] = .shorts([8])
      mask[.compression] = .shorts([1])
      mask[.samplesPerPixel] = .shorts([1])
      mask[.photometric] = .shorts([52_527])
      mask[.rowsPerStrip] = .longs([4])
      mask[.semanticName] = .ascii(name)
      mask[.maskSubArea] = .longs([1, 1, 8, 8])
      mask.pixels = .init(isTiled: false, chunks: [(0..<16).map { UInt8($0 * 17) }])
      return mask
    }
    return try TIFFWriter.serialize(root)
  }

  private static func mapped(version: Int) throws -> [UInt8] {
    var map = bytes([UInt32(2), 3]) + bytes([0.5, 1.0 / 3, 0.25, 1.0 / 6]) + bytes([UInt32(4)])
    map += bytes([Float](arrayLiteral: 0.3, 0.4, 0.1, 0.05, 0.15))
    if version == 2 { map += bytes([UInt32(0)]) + bytes([Float](arrayLiteral: 0.6, 0.25, 2.5)) }
    map +=
      version == 2
      ? (0..<24).map { UInt8($0 * 10) } : bytes((0..<24).map { 1 + Float($0) / 24 })
    var root = plain()
    root[version == 2 ? .profileGainTableMap2 : .profileGainTableMap] = .undefined(map)
    return try TIFFWriter.serialize(root)
  }
}

/// Camera profiles in separate files.
struct ProfileSubject: Subject {
  let name = "profile"
  let share = 0.02
  private let seed: [UInt8]
  private let mutation: Mutation

  init() throws {
    seed = try PhotoSeeds.profile()
    mutation = Mutation(tiff: seed)
  }

  func input(using random: inout SplitMix64) -> [UInt8] {
    mutation.apply(to: seed, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool { (try? CameraProfile(dcp: input)) != nil }
}
