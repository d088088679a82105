import Foundation
import MediaCore
import QuickTime

/// The storage of timed metadata values in files.
enum MetadataValues {
  /// The numbers of QTFF's "well-known types", by Apple's type names.
  private static let types: [String: UInt32] = [
    kCMMetadataBaseDataType_RawData: 0, kCMMetadataBaseDataType_UTF8: 1,
    kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709: 1,
    kCMMetadataBaseDataType_Float32: 23, kCMMetadataBaseDataType_Float64: 24,
    kCMMetadataBaseDataType_SInt8: 65, kCMMetadataBaseDataType_SInt16: 66,
    kCMMetadataBaseDataType_SInt32: 67, kCMMetadataBaseDataType_SInt64: 74,
    kCMMetadataBaseDataType_UInt8: 75, kCMMetadataBaseDataType_UInt16: 76,
    kCMMetadataBaseDataType_UInt32: 77, kCMMetadataBaseDataType_UInt64: 78,
    kCMMetadataBaseDataType_RectF32: rectangle,
  ]

  /// The number of ``kCMMetadataBaseDataType_RectF32``.
  static let rectangle: UInt32 = 72

  static func bytes(of rectangle: CGRect) -> [UInt8] {
    let numbers = [
      rectangle.origin.x, rectangle.origin.y, rectangle.size.width, rectangle.size.height,
    ]
    return numbers.flatMap { bigEndian(Float($0).bitPattern) }
  }

  /// The number of a type; nil if it cannot be written.
  static func type(named name: String) -> UInt32? { types[name] }

  /// Apple's name of a type; nil if unknown.
  static func name(of type: UInt32) -> String? {
    type == 1 ? kCMMetadataBaseDataType_UTF8 : types.first { $0.value == type }?.key
  }

  /// The default type of a value.
  static func name(for value: MovieMetadata.Value) -> String {
    switch value {
    case .text: kCMMetadataBaseDataType_UTF8
    case .integer: kCMMetadataBaseDataType_SInt64
    case .number: kCMMetadataBaseDataType_Float64
    case .data(rectangle, _): kCMMetadataBaseDataType_RectF32
    case .data: kCMMetadataBaseDataType_RawData
    }
  }

  /// A value's big-endian bytes; nil if the type cannot hold it.
  static func bytes(of value: MovieMetadata.Value, as type: UInt32) -> [UInt8]? {
    switch (type, value) {
    case (0, .data(_, let bytes)): bytes
    case (1, .text(let text)): [UInt8](text.utf8)
    case (23, .number(let number)): bigEndian(Float(number).bitPattern)
    case (23, .integer(let number)): bigEndian(Float(number).bitPattern)
    case (rectangle, .data(_, let bytes)) where bytes.count == 16: bytes
    case (24, .number(let number)): bigEndian(number.bitPattern)
    case (24, .integer(let number)): bigEndian(Double(number).bitPattern)
    case (65, .integer(let number)): Int8(exactly: number).map(bigEndian)
    case (66, .integer(let number)): Int16(exactly: number).map(bigEndian)
    case (67, .integer(let number)): Int32(exactly: number).map(bigEndian)
    case (74, .integer(let number)): bigEndian(number)
    case (75, .integer(let number)): UInt8(exactly: number).map(bigEndian)
    case (76, .integer(let number)): UInt16(exactly: number).map(bigEndian)
    case (77, .integer(let number)): UInt32(exactly: number).map(bigEndian)
    case (78, .integer(let number)): UInt64(exactly: number).map(bigEndian)
    default: nil
    }
  }

  private static func bigEndian<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { [UInt8]($0) }
  }
}
