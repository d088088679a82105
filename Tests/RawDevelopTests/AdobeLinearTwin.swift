import DNG
import TIFF
import Testing

@testable import RawDevelop

/// Linear files of light interpolated here, for a renderer that interpolates differently.
enum AdobeLinearTwin {
  /// A mosaic's demosaicked light before its last list of opcodes, in 16-bit codes; nil if the image is not a
  /// mosaic, or if the mosaic itself has opcodes.
  static func light(of developer: Developer) throws -> [UInt16]? {
    let opcodes = developer.negative.opcodes
    guard let pattern = developer.negative.pattern, opcodes.linear.opcodes.isEmpty else {
      return nil
    }
    let mosaic = try developer.linearization().planes()
    let planes = try developer.demosaicker(mosaic, pattern).planes()
    let count = planes.width * planes.height
    return [UInt16](unsafeUninitializedCapacity: 3 * count) { codes, initialized in
      for index in 0..<count {
        for plane in 0..<3 {
          codes[3 * index + plane] = UInt16(
            (min(max(planes[plane][index], 0), 1) * 65_535).rounded())
        }
      }
      initialized = 3 * count
    }
  }

  /// A file of that light, with the color tags of the mosaic's file and its last list of opcodes.
  static func file(of bytes: [UInt8], _ developer: Developer) throws -> [UInt8]? {
    guard let light = try light(of: developer) else { return nil }
    let directories = try TIFFDirectory.all(in: bytes)
    let area = developer.negative.activeArea
    let first = try #require(directories.first)
    let raw = try #require(
      (directories + directories.flatMap(\.children)).first { $0.integer(.newSubFileType) == 0 })
    var root = TIFFDirectory()
    for tag in colors { root[tag] = first[tag] }
    for tag in [TIFFTag.defaultCropOrigin, .defaultCropSize, .defaultScale, .opcodeList3] {
      root[tag] = raw[tag]
    }
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.dngBackwardVersion] = .bytes([1, 4, 0, 0])
    root[.newSubFileType] = .longs([0])
    root[.imageWidth] = .longs([UInt32(area.width)])
    root[.imageLength] = .longs([UInt32(area.height)])
    root[.bitsPerSample] = .shorts([16, 16, 16])
    root[.compression] = .shorts([1])
    root[.samplesPerPixel] = .shorts([3])
    root[.planarConfiguration] = .shorts([1])
    root[.photometric] = .shorts([34_892])
    root[.rowsPerStrip] = .longs([UInt32(area.height)])
    root.pixels = .init(isTiled: false, chunks: [ExampleNegative.bytes(light)])
    return try TIFFWriter.serialize(root)
  }

  /// The color tags.
  private static let colors: [TIFFTag] = [
    .uniqueCameraModel, .colorMatrix1, .colorMatrix2, .colorMatrix3, .cameraCalibration1,
    .cameraCalibration2, .cameraCalibration3, .analogBalance, .asShotNeutral, .asShotWhiteXY,
    .baselineExposure, .baselineExposureOffset, .shadowScale, .calibrationIlluminant1,
    .calibrationIlluminant2, .calibrationIlluminant3, .cameraCalibrationSignature,
    .profileCalibrationSignature, .profileName, .profileHueSatMapDims, .profileHueSatMapData1,
    .profileHueSatMapData2, .profileHueSatMapData3, .profileHueSatMapEncoding, .profileToneCurve,
    .forwardMatrix1, .forwardMatrix2, .forwardMatrix3, .profileLookTableDims,
    .profileLookTableData, .profileLookTableEncoding, .defaultBlackRender,
  ]
}
