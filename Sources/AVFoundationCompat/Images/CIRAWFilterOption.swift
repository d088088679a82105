import Foundation
import RawDevelop

/// The key of a RAW developer input, for programs that predate `CIRAWFilter`'s properties.
public struct CIRAWFilterOption: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The exposure adjustment, in EV.
  public static let exposure = Self(rawValue: "inputEV")
  /// The file's exposure adjustment, in EV.
  public static let baselineExposure = Self(rawValue: "inputBaselineExposure")
  /// The amount subtracted from shadows.
  public static let bias = Self(rawValue: "inputBias")
  /// The strength of the tone curve.
  public static let boost = Self(rawValue: "inputBoost")
  /// The strength of the tone curve in shadows.
  public static let boostShadowAmount = Self(rawValue: "inputBoostShadowAmount")
  /// The strength of the gain map.
  public static let localToneMapAmount = Self(rawValue: "inputLocalToneMapAmount")
  /// The amount of dynamic range beyond white.
  public static let extendedDynamicRangeAmount = Self(rawValue: "inputExtendedDynamicRangeAmount")
  /// True to clip colors outside the gamut instead of mapping them.
  public static let disableGamutMap = Self(rawValue: "inputDisableGamutMap")
  /// True to apply lens correction.
  public static let enableVendorLensCorrection = Self(rawValue: "inputEnableVendorLensCorrection")
  /// The amount of luminance noise reduction.
  public static let luminanceNoiseReductionAmount = Self(
    rawValue: "inputLuminanceNoiseReductionAmount")
  /// The amount of color noise reduction.
  public static let colorNoiseReductionAmount = Self(rawValue: "inputColorNoiseReductionAmount")
  /// The amount of edge sharpening.
  public static let noiseReductionSharpnessAmount = Self(
    rawValue: "inputNoiseReductionSharpnessAmount")
  /// The amount of local contrast.
  public static let noiseReductionContrastAmount = Self(
    rawValue: "inputNoiseReductionContrastAmount")
  /// The amount of fine detail.
  public static let noiseReductionDetailAmount = Self(rawValue: "inputNoiseReductionDetailAmount")
  /// The amount of moire reduction.
  public static let moireAmount = Self(rawValue: "inputMoireAmount")
  /// The color temperature that becomes neutral, in kelvins.
  public static let neutralTemperature = Self(rawValue: "inputNeutralTemperature")
  /// The tint that becomes neutral.
  public static let neutralTint = Self(rawValue: "inputNeutralTint")
  /// The ratio of the output size to the file's size.
  public static let scaleFactor = Self(rawValue: "inputScaleFactor")
  /// True for faster rendering.
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
  /// Sets an input; false for an unknown input or a value of the wrong type.
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

  /// The value of an input; nil for an unknown input.
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
