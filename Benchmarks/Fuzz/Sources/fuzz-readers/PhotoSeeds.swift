import Foundation
import MediaCore

@testable import DNG
@testable import RawPhoto
@testable import TIFF

/// Valid images to begin with, as small as possible.
struct PhotoSeeds {
  /// DNG files of each supported kind, in both byte orders.
  var negatives: [[UInt8]] = []
  /// Lossless JPEG, of one to four components.
  var lossless: [[UInt8]] = []
  /// PNG and HEIF headers.
  var png: [UInt8] = []
  var heif: [UInt8] = []

  init() throws {
    for (width, depth) in [(16, 12), (19, 8), (272, 14)] {
      negatives.append(try Self.bayer(width, depth, hasPreview: width == 19))
    }
    for depth in [8, 10, 16] { negatives.append(try Self.strips(depth)) }
    negatives += [try Self.linear(), try Self.lossy()]
    negatives += try Self.rich()
    negatives += negatives.map { TIFFTree($0).swapped($0) }
    for (components, precision) in [(1, 8), (2, 12), (3, 16), (4, 14)] {
      let samples = try Self.image(16, 8, precision, components).samples
      lossless.append(
        try LosslessJPEGEncoder().encode(
          samples.span,
          .init(
            columns: 16, rows: 8, components: components, precision: precision,
            stride: 16 * components)))
    }
    makeHeaders()
  }

  static var metadata: PhotoMetadata {
    var metadata = PhotoMetadata()
    (metadata.make, metadata.model, metadata.artist) = ("Maker", "Sensor One", "Someone")
    (metadata.exposureTime, metadata.isoSpeed, metadata.fNumber) = (1.0 / 125, 200, 2.8)
    (metadata.exposureBias, metadata.focalLength) = (-2, 35)
    metadata.date = Date(timeIntervalSince1970: 1_700_000_000.25)
    metadata.location = .init(latitude: -33.5, longitude: 151.25, altitude: 12)
    return metadata
  }

  private static func image(
    _ width: Int, _ height: Int, _ depth: Int, _ components: Int = 1
  ) throws -> RawImage {
    var random = SplitMix64(seed: UInt64(width))
    let greatest = UInt16((1 << depth) - 1)
    let samples = (0..<width * height * components).map { index in
      greatest / 3 + UInt16(index / 16 % 7) + UInt16.random(in: 0...3, using: &random)
    }
    return try RawImage(
      width: width, height: height, components: components, bitDepth: depth, samples: samples)
  }

  private static func bayer(_ width: Int, _ depth: Int, hasPreview: Bool) throws -> [UInt8] {
    var facts = SensorCalibration.assumed(model: "Maker Sensor One", bitDepth: depth)
    facts.noise = NoiseModel(scale: 1e-4, offset: 1e-7)
    let gray = [UInt8](repeating: 128, count: 3 * 64)
    return try BayerNegative(
      mosaic: image(width, 10, depth), pattern: .grbg, calibration: facts, gain: 2,
      metadata: metadata,
      preview: hasPreview
        ? EncodedPreview(rendering: gray, width: 8, height: 8, quality: 0.5) : nil
    ).dngFileData()
  }

  /// Uncompressed pixels.
  private static func strips(_ depth: Int) throws -> [UInt8] {
    var root = directory(try image(16, 8, depth), compression: 1)
    let strip = [UInt8](repeating: 0x5A, count: 16 * 4 * depth / 8)
    root[.rowsPerStrip] = .long(4)
    root.pixels = .init(isTiled: false, chunks: [strip, strip])
    return try TIFFWriter.serialize(root)
  }

  /// Linear color, with the tags that only such files have.
  private static func linear() throws -> [UInt8] {
    let image = try image(16, 16, 12, 3)
    var root = directory(image, compression: 7)
    root[.linearizationTable] = .shorts((0..<64).map { $0 * 1024 })
    root[.profileToneCurve] = .floats([0, 0, 0.5, 0.6, 1, 1])
    root[.noiseProfile] = .doubles([1e-4, 1e-7])
    root[.baselineExposure] = .signedRationals([.init(-0.5)])
    root[.newRawImageDigest] = .bytes(RawTiles.digest(image, asBytes: true))
    root.pixels = .init(
      isTiled: true, chunks: try RawTiles.encode(image, TileGrid(width: 16, height: 16)))
    return try TIFFWriter.serialize(root)
  }

  private static func lossy() throws -> [UInt8] {
    var root = directory(try image(16, 16, 8, 3), compression: 34_892)
    let pixels = (0..<3 * 256).map { UInt8($0 / 3 % 200) }
    root.pixels = .init(
      isTiled: true,
      chunks: [try JPEGCodec.encode(pixels, width: 16, height: 16, quality: 0.5).data])
    return try TIFFWriter.serialize(root)
  }

  private static func directory(_ image: RawImage, compression: Int) -> TIFFDirectory {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 4, 0, 0])
    root[.uniqueCameraModel] = .ascii("Maker Sensor One")
    metadata.addTIFFEntries(to: &root)
    let grid = TileGrid(width: image.width, height: image.height)
    root.describeRawPixels(image, grid, compression: compression)
    if compression == 1 { (root[.tileWidth], root[.tileLength]) = (nil, nil) }
    root[.photometric] = .short(image.components == 3 ? 34_892 : 32_803)
    return root
  }

  private mutating func makeHeaders() {
    func big(_ number: UInt32) -> [UInt8] {
      (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }
    func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
      big(UInt32(content.count + 8)) + Array(kind.utf8) + content
    }
    png =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + Array("IHDR".utf8) + big(16)
      + big(8) + [8, 2, 0, 0, 0]
    let sizes: [(UInt32, UInt32)] = [(512, 512), (4000, 3000), (160, 120)]
    let images = sizes.flatMap { box("ispe", big(0) + big($0.0) + big($0.1)) }
    heif =
      box("ftyp", Array("heic".utf8) + big(0) + Array("mif1heic".utf8))
      + box("meta", big(0) + box("hdlr", big(0)) + box("iprp", box("ipco", images)))
      + box("mdat", [1, 2, 3])
  }
}
