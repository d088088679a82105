import DNG
import Foundation
import MediaCore
import TIFF
import TestSupport

/// Small DNG files with tags chosen by a test.
struct ExampleNegative {
  var width = 96
  var height = 64
  /// 3 for linear colors, 1 for a mosaic (GRBG).
  var components = 3
  /// Light, 0 to 1, at a row, column and component.
  var light: (Int, Int, Int) -> Double = ExampleNegative.scene
  /// Changes to the plain file.
  var change: (inout TIFFDirectory) -> Void = { _ in }

  static let colorMatrixA = [
    0.7034, -0.0804, -0.1014, -0.4420, 1.2564, 0.2058, -0.0851, 0.1994, 0.5758,
  ]
  static let colorMatrixD65 = [
    0.6411, -0.0953, -0.0735, -0.5139, 1.3154, 0.2126, -0.1152, 0.2345, 0.6058,
  ]
  static let forwardA = [0.7868, 0.0092, 0.1683, 0.2291, 0.8615, -0.0906, 0.0270, -0.4752, 1.2733]
  static let forwardD65 = [
    0.7637, 0.0805, 0.1201, 0.2649, 0.9179, -0.1828, 0.0137, -0.2456, 1.0570,
  ]

  /// Sweeps of hue and light, with grays, black and clipped white.
  static func scene(_ row: Int, _ column: Int, _ component: Int) -> Double {
    if row < 8 { return Double(column) / 95 }
    if row < 12 { return column % 24 < 12 ? 1 : 0 }
    let phase = Double(column) / 96 * 2 * .pi - Double(component) * 2 * .pi / 3
    let saturation = Double(row) / 64
    let level = pow(Double((row * 7 + column * 3) % 97) / 96, 2)
    return min(max(level * (1 + saturation * cos(phase)), 0), 1)
  }

  func bytes() throws -> [UInt8] { try TIFFWriter.serialize(directory) }

  /// The file's directory.
  var directory: TIFFDirectory {
    var root = TIFFDirectory()
    root[.dngVersion] = .bytes([1, 7, 1, 0])
    root[.dngBackwardVersion] = .bytes([1, 4, 0, 0])
    root[.uniqueCameraModel] = .ascii("Example")
    root[.newSubFileType] = .longs([0])
    root[.imageWidth] = .longs([UInt32(width)])
    root[.imageLength] = .longs([UInt32(height)])
    root[.bitsPerSample] = .shorts([UInt16](repeating: 16, count: components))
    root[.compression] = .shorts([1])
    root[.samplesPerPixel] = .shorts([UInt16(components)])
    root[.planarConfiguration] = .shorts([1])
    root[.photometric] = .shorts([components == 1 ? 32_803 : 34_892])
    if components == 1 {
      root[.cfaRepeatPatternDim] = .shorts([2, 2])
      root[.cfaPattern] = .bytes([1, 0, 2, 1])
    }
    root[.rowsPerStrip] = .longs([UInt32(height)])
    root[.colorMatrix1] = Self.rationals(Self.colorMatrixA)
    root[.colorMatrix2] = Self.rationals(Self.colorMatrixD65)
    root[.calibrationIlluminant1] = .shorts([17])
    root[.calibrationIlluminant2] = .shorts([21])
    root[.asShotNeutral] = Self.unsigned([0.52, 1, 0.66])
    root.pixels = .init(isTiled: false, chunks: [Self.bytes(samples)])
    change(&root)
    return root
  }

  /// The stored codes.
  var samples: [UInt16] {
    var codes: [UInt16] = []
    for row in 0..<height {
      for column in 0..<width {
        for component in 0..<components {
          let color = components == 1 ? Self.color(row, column) : component
          codes.append(UInt16((min(max(light(row, column, color), 0), 1) * 65_535).rounded()))
        }
      }
    }
    return codes
  }

  /// The color at a place of the mosaic: GRBG.
  static func color(_ row: Int, _ column: Int) -> Int {
    [1, 0, 2, 1][(row & 1) * 2 + (column & 1)]
  }

  /// An 8-bit semantic mask.
  ///
  /// - Parameter area: Its MaskSubArea: top, left, and the size of the full mask.
  static func mask(
    _ name: String, width: Int, samples: [UInt8], area: TIFFValue? = nil, instance: String? = nil
  ) -> TIFFDirectory {
    var mask = TIFFDirectory()
    mask[.newSubFileType] = .longs([0x10004])
    mask[.imageWidth] = .longs([UInt32(width)])
    mask[.imageLength] = .longs([UInt32(samples.count / width)])
    mask[.bitsPerSample] = .shorts([8])
    mask[.compression] = .shorts([1])
    mask[.samplesPerPixel] = .shorts([1])
    mask[.photometric] = .shorts([52_527])
    mask[.rowsPerStrip] = .longs([UInt32(samples.count / width)])
    mask[.semanticName] = .ascii(name)
    mask[.semanticInstanceID] = instance.map { .ascii($0) }
    mask[.maskSubArea] = area
    mask.pixels = .init(isTiled: false, chunks: [samples])
    return mask
  }

  /// RGBTables that turn black what the masks with these names cover.
  static func blackTable(for names: String...) -> TIFFValue {
    let table: [UInt8] = [2, 0, 1, 0, 0] + [UInt8](repeating: 0, count: 24)
    let tables: [UInt8] = names.flatMap { name in
      var named: [UInt8] = bytes([UInt16(name.utf8.count)])
      named += name.utf8
      named += table
      return named
    }
    return .undefined(bytes([UInt32(names.count), 0]) + tables)
  }

  static func rationals(_ numbers: [Double]) -> TIFFValue {
    .signedRationals(numbers.map { TIFFValue.SignedRational($0) })
  }

  static func unsigned(_ numbers: [Double]) -> TIFFValue {
    .rationals(numbers.map { TIFFValue.Rational($0) })
  }

  /// The numbers' bytes in the file's order.
  static func bytes<Number: BitwiseCopyable>(_ numbers: [Number]) -> [UInt8] {
    numbers.withUnsafeBytes { Array($0) }
  }
}
