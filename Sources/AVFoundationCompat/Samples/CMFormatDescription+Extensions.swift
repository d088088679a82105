// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

extension FormatDescription {
  /// What is known about video beyond codec and size; empty for audio.
  ///
  /// ```swift
  /// if description.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_2020) { … }
  /// ```
  public struct Extensions: ExpressibleByDictionaryLiteral {
    private let values: [String: Any]

    /// Extensions with the keys `kCMFormatDescriptionExtension_…`; nil for none.
    public init(base: CFDictionary?) { values = base ?? [:] }
    /// Extensions with typed keys. The last value of a repeated key is used.
    public init(dictionaryLiteral elements: (Key, Value)...) {
      values = Dictionary(
        elements.map { ($0.rawValue, $1.propertyListRepresentation) }, uniquingKeysWith: { $1 })
    }

    public var isEmpty: Bool { values.isEmpty }
    public var count: Int { values.count }
    /// The keys, in no particular order.
    public var keys: [Key] { values.keys.map { Key($0) } }

    /// The value for a key; nil if unknown.
    public subscript(key: Key) -> Value? { values[key.rawValue].map { Value($0) } }
    /// The value for one of `kCMFormatDescriptionExtension_…`; nil if unknown.
    public subscript(key: String) -> Any? { values[key] }

    /// The key of an extension.
    public struct Key: RawRepresentable, Sendable, Hashable {
      /// One of `kCMFormatDescriptionExtension_…`.
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      init(_ rawValue: String) { self.rawValue = rawValue }

      public static let colorPrimaries = Self(kCMFormatDescriptionExtension_ColorPrimaries)
      public static let transferFunction = Self(kCMFormatDescriptionExtension_TransferFunction)
      public static let yCbCrMatrix = Self(kCMFormatDescriptionExtension_YCbCrMatrix)
      public static let fullRangeVideo = Self(kCMFormatDescriptionExtension_FullRangeVideo)
      public static let fieldCount = Self(kCMFormatDescriptionExtension_FieldCount)
      public static let fieldDetail = Self(kCMFormatDescriptionExtension_FieldDetail)
      public static let pixelAspectRatio = Self(kCMFormatDescriptionExtension_PixelAspectRatio)
      public static let sampleDescriptionExtensionAtoms = Self(
        kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms)

      // No description has these.

      public static let cleanAperture = Self(kCMFormatDescriptionExtension_CleanAperture)
      public static let formatName = Self(kCMFormatDescriptionExtension_FormatName)
      public static let depth = Self(kCMFormatDescriptionExtension_Depth)
      public static let masteringDisplayColorVolume = Self(
        kCMFormatDescriptionExtension_MasteringDisplayColorVolume)
      public static let contentLightLevelInfo = Self(
        kCMFormatDescriptionExtension_ContentLightLevelInfo)
      public static let chromaLocationTopField = Self(
        kCMFormatDescriptionExtension_ChromaLocationTopField)
      public static let containsAlphaChannel = Self(
        kCMFormatDescriptionExtension_ContainsAlphaChannel)
      public static let alphaChannelMode = Self(kCMFormatDescriptionExtension_AlphaChannelMode)
    }

    /// The value of an extension.
    public struct Value: Equatable {
      /// A string, a number, a Boolean, or a dictionary of these.
      public let propertyListRepresentation: Any

      init(_ propertyListRepresentation: Any) {
        self.propertyListRepresentation = propertyListRepresentation
      }

      public static func colorPrimaries(_ primaries: ColorPrimaries) -> Self {
        Self(primaries.rawValue)
      }
      public static func transferFunction(_ function: TransferFunction) -> Self {
        Self(function.rawValue)
      }
      public static func yCbCrMatrix(_ matrix: YCbCrMatrix) -> Self { Self(matrix.rawValue) }
      public static func string(_ text: String) -> Self { Self(text) }
      public static func number(_ number: Int) -> Self { Self(number) }

      /// True for the same string, number, Boolean or dictionary.
      public static func == (lhs: Self, rhs: Self) -> Bool {
        let values = [lhs.propertyListRepresentation, rhs.propertyListRepresentation]
        return NSArray(object: values[0]).isEqual(NSArray(object: values[1]))
      }
    }
  }

  /// See ``CMFormatDescriptionGetExtensions(_:)``; empty for audio.
  public var extensions: Extensions { Extensions(base: CMFormatDescriptionGetExtensions(self)) }
}

extension FormatDescription.Extensions.Value {
  /// The chromaticities of red, green, blue and white.
  public struct ColorPrimaries: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let itu_R_709_2 = Self(rawValue: kCVImageBufferColorPrimaries_ITU_R_709_2)
    public static let ebu_3213 = Self(rawValue: kCVImageBufferColorPrimaries_EBU_3213)
    public static let smpte_C = Self(rawValue: kCVImageBufferColorPrimaries_SMPTE_C)
    public static let p3_D65 = Self(rawValue: kCVImageBufferColorPrimaries_P3_D65)
    public static let itu_R_2020 = Self(rawValue: kCVImageBufferColorPrimaries_ITU_R_2020)
  }

  /// How light is converted to code values.
  public struct TransferFunction: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let itu_R_709_2 = Self(rawValue: kCVImageBufferTransferFunction_ITU_R_709_2)
    public static let smpte_240M_1995 = Self(
      rawValue: kCVImageBufferTransferFunction_SMPTE_240M_1995)
    public static let smpte_ST_2084_PQ = Self(
      rawValue: kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ)
    public static let itu_R_2100_HLG = Self(
      rawValue: kCVImageBufferTransferFunction_ITU_R_2100_HLG)
    public static let linear = Self(rawValue: kCVImageBufferTransferFunction_Linear)
  }

  /// How red, green and blue are converted to luma and color differences.
  public struct YCbCrMatrix: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let itu_R_709_2 = Self(rawValue: kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    public static let itu_R_601_4 = Self(rawValue: kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    public static let smpte_240M_1995 = Self(rawValue: kCVImageBufferYCbCrMatrix_SMPTE_240M_1995)
    public static let itu_R_2020 = Self(rawValue: kCVImageBufferYCbCrMatrix_ITU_R_2020)
  }
}
