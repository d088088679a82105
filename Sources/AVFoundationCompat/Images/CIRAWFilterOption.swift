import Foundation
import RawDevelop

/// An input of the RAW developer by its key, as programs before `CIRAWFilter`'s properties set it.
public struct CIRAWFilterOption: RawRepresentable, Sendable, Hashable {
  /// Apple's key.
  public let rawValue: String
  /// An input by its key.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// EV that the picture is raised by.
  public static let exposure = Self(rawValue: "inputEV")
  /// EV of the file.
  public static let baselineExposure = Self(rawValue: "inputBaselineExposure")
  /// Taken from shadows.
  public static let bias = Self(rawValue: "inputBias")
  /// The share of the tone curve.
  public static let boost = Self(rawValue: "inputBoost")
  /// Shadows of the tone curve.
  public static let boostShadowAmount = Self(rawValue: "inputBoostShadowAmount")
  /// The strength of the gain map.
  public static let localToneMapAmount = Self(rawValue: "inputLocalToneMapAmount")
  /// How far the picture goes beyond white.
  public static let extendedDynamicRangeAmount = Self(rawValue: "inputExtendedDynamicRangeAmount")
  /// True to clip colors beyond the gamut.
  public static let disableGamutMap = Self(rawValue: "inputDisableGamutMap")
  /// True to correct the lens.
  public static let enableVendorLensCorrection = Self(rawValue: "inputEnableVendorLensCorrection")
  /// Noise reduction of brightness.
  public static let luminanceNoiseReductionAmount = Self(
    rawValue: "inputLuminanceNoiseReductionAmount")
  /// Noise reduction of color.
  public static let colorNoiseReductionAmount = Self(rawValue: "inputColorNoiseReductionAmount")
  /// Edges.
  public static let noiseReductionSharpnessAmount = Self(
    rawValue: "inputNoiseReductionSharpnessAmount")
  /// Local contrast.
  public static let noiseReductionContrastAmount = Self(
    rawValue: "inputNoiseReductionContrastAmount")
  /// Fine structure.
  public static let noiseReductionDetailAmount = Self(rawValue: "inputNoiseReductionDetailAmount")
  /// Moire reduction.
  public static let moireAmount = Self(rawValue: "inputMoireAmount")
  /// Kelvin of what becomes neutral.
  public static let neutralTemperature = Self(rawValue: "inputNeutralTemperature")
  /// Tint of what becomes neutral.
  public static let neutralTint = Self(rawValue: "inputNeutralTint")
  /// The picture's size over the file's.
  public static let scaleFactor = Self(rawValue: "inputScaleFactor")
  /// True for speed.
  public static let allowDraftMode = Self(rawValue: "inputDraftMode")
  /// The decoder's version.
  public static let decoderVersion = Self(rawValue: "inputDecoderVersion")

  fileprivate static let numbers: [Self: any WritableKeyPath<RAWFilter, Float> & Sendable] = [
    .exposure: \.exposure, .baselineExposure: \.baselineExposure, .bias: \.shadowBias,
    .boost: \.boostAmount, .boostShadowAmount: \.boostShadowAmount,
    .localToneMapAmount: \.localToneMapAmount,
    .extendedDynamicRangeAmount: \.extendedDynamicRangeAmount,
    .luminanceNoiseReductionAmount: \.luminanceNoiseReductionAmount,
    .colorNoiseReductionAmount: \.colorNoiseReductionAmount,
    .noiseReductionSharpnessAmount: \.sharpnessAmount,
    .noiseReductionContrastAmount: \.contrastAmount, .noiseReductionDetailAmount: \.detailAmount,
    .moireAmount: \.moireReductionAmount, .neutralTemperature: \.neutralTemperature,
    .neutralTint: \.neutralTint, .scaleFactor: \.scaleFactor,
  ]

  fileprivate static let switches: [Self: any WritableKeyPath<RAWFilter, Bool> & Sendable] = [
    .enableVendorLensCorrection: \.isLensCorrectionEnabled, .allowDraftMode: \.isDraftModeEnabled,
  ]
}

extension RAWFilter {
  /// Sets an input; false for one that is not there, or a value of another kind.
  mutating func set(_ value: Any?, _ option: CIRAWFilterOption) -> Bool {
    if let path = CIRAWFilterOption.numbers[option] {
      guard let number = Self.number(value) else { return false }
      self[keyPath: path] = number
      return true
    }
    if option == .decoderVersion {
      guard let version = value as? String else { return false }
      decoderVersion = version
      return true
    }
    guard let isOn = (value as? Bool) ?? Self.number(value).map({ $0 != 0 }) else { return false }
    if option == .disableGamutMap {
      isGamutMappingEnabled = !isOn
    } else if let path = CIRAWFilterOption.switches[option] {
      self[keyPath: path] = isOn
    } else {
      return false
    }
    return true
  }

  /// An input's value; nil for one that is not there.
  func value(_ option: CIRAWFilterOption) -> Any? {
    if let path = CIRAWFilterOption.numbers[option] { return self[keyPath: path] }
    if let path = CIRAWFilterOption.switches[option] { return self[keyPath: path] }
    return switch option {
    case .disableGamutMap: !isGamutMappingEnabled
    case .decoderVersion: decoderVersion
    default: nil
    }
  }

  static func number(_ value: Any?) -> Float? {
    switch value {
    case let number as Float: number
    case let number as Double: Float(number)
    case let number as Int: Float(number)
    case let number as NSNumber: number.floatValue
    default: nil
    }
  }
}
