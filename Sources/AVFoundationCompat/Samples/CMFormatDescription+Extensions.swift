// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
public import MediaCore

extension FormatDescription {
  /// What is known of pictures beyond codec and size; empty for audio.
  ///
  /// ```swift
  /// if description.extensions[.colorPrimaries] == .colorPrimaries(.itu_R_2020) { … }
  /// ```
  public struct Extensions: ExpressibleByDictionaryLiteral {
    private let values: [String: Any]

    /// Extensions by `kCMFormatDescriptionExtension_…`; nil for none.
    public init(base: CFDictionary?) { values = base ?? [:] }
    /// Extensions by their typed keys; of two under one key the last.
    public init(dictionaryLiteral elements: (Key, Value)...) {
      values = Dictionary(
        elements.map { ($0.rawValue, $1.propertyListRepresentation) }, uniquingKeysWith: { $1 })
    }

    /// True for none.
    public var isEmpty: Bool { values.isEmpty }
    /// How many there are.
    public var count: Int { values.count }
    /// Those that there are, in no order.
    public var keys: [Key] { values.keys.map { Key($0) } }

    /// The value under a key; nil if nothing is known.
    public subscript(key: Key) -> Value? { values[key.rawValue].map { Value($0) } }
    /// The value under one of `kCMFormatDescriptionExtension_…`; nil if nothing is known.
    public subscript(key: String) -> Any? { values[key] }

    /// The name of an extension.
    public struct Key: RawRepresentable, Sendable, Hashable {
      /// One of `kCMFormatDescriptionExtension_…`.
      public let rawValue: String
      /// A key from its text.
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

      // Of these no description has any.

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
      /// A text, a number, a Boolean, or a dictionary of such.
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

      /// True for the same text, number, Boolean or dictionary.
      public static func == (lhs: Self, rhs: Self) -> Bool {
        let values = [lhs.propertyListRepresentation, rhs.propertyListRepresentation]
        return NSArray(object: values[0]).isEqual(NSArray(object: values[1]))
      }
    }
  }

  /// As ``CMFormatDescriptionGetExtensions(_:)``; empty for audio.
  public var extensions: Extensions { Extensions(base: CMFormatDescriptionGetExtensions(self)) }
}

extension FormatDescription.Extensions.Value {
  /// Which colors red, green, blue and white are.
  public struct ColorPrimaries: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let itu_R_709_2 = Self(rawValue: kCVImageBufferColorPrimaries_ITU_R_709_2)
    public static let ebu_3213 = Self(rawValue: kCVImageBufferColorPrimaries_EBU_3213)
    public static let smpte_C = Self(rawValue: kCVImageBufferColorPrimaries_SMPTE_C)
    public static let p3_D65 = Self(rawValue: kCVImageBufferColorPrimaries_P3_D65)
    public static let itu_R_2020 = Self(rawValue: kCVImageBufferColorPrimaries_ITU_R_2020)
  }

  /// How light becomes numbers.
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

  /// How red, green and blue become luma and color differences.
  public struct YCbCrMatrix: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let itu_R_709_2 = Self(rawValue: kCVImageBufferYCbCrMatrix_ITU_R_709_2)
    public static let itu_R_601_4 = Self(rawValue: kCVImageBufferYCbCrMatrix_ITU_R_601_4)
    public static let smpte_240M_1995 = Self(rawValue: kCVImageBufferYCbCrMatrix_SMPTE_240M_1995)
    public static let itu_R_2020 = Self(rawValue: kCVImageBufferYCbCrMatrix_ITU_R_2020)
  }
}
