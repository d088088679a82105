// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The key of a filter's picture.
public let kCIInputImageKey = "inputImage"
/// The key of the picture below another one.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// The key of the picture whose brightness says where another one is seen.
public let kCIInputMaskImageKey = "inputMaskImage"
/// The key of a radius, in pixels.
public let kCIInputRadiusKey = "inputRadius"
/// The key of exposure, in EV.
public let kCIInputEVKey = "inputEV"
/// The key of saturation.
public let kCIInputSaturationKey = "inputSaturation"
/// The key of brightness.
public let kCIInputBrightnessKey = "inputBrightness"
/// The key of contrast.
public let kCIInputContrastKey = "inputContrast"
/// The key of a strength.
public let kCIInputIntensityKey = "inputIntensity"
/// The key of a scale.
public let kCIInputScaleKey = "inputScale"
/// The key of what a picture is scaled by in width besides.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// The key of a transform.
public let kCIInputTransformKey = "inputTransform"
/// The key of an area.
public let kCIInputExtentKey = "inputExtent"
/// The key of a filter's result.
public let kCIOutputImageKey = "outputImage"

/// What `CIFilter(name:)` comes from: an initializer of a class cannot give an object of a subclass.
public protocol CIFilterByName {}

extension CIFilterByName where Self: CIFilter {
  /// A filter with the usual values of its inputs; nil for a name that is not among
  /// ``CIFilter/filterNames(inCategory:)``.
  public init?(name: String) {
    guard let filter = CIFilter.makers[name]?() as? Self else { return nil }
    self = filter
  }

  /// A filter with values of its inputs, by their keys; nil for a name that is not there. A key that the filter does
  /// not have leaves it without a result, and ``CIFilter/error`` names it.
  public init?(name: String, parameters: [String: Any]?) {
    self.init(name: name)
    for (key, value) in parameters ?? [:] { setValue(value, forKey: key) }
  }
}

extension CIFilter: CIFilterByName {
  static let makers: [String: @Sendable () -> CIFilter] = [
    "CIAffineTransform": { CIAffineTransform() },
    "CIAreaHistogram": { CIAreaHistogram() },
    "CIBlendWithMask": { CIBlendWithMask() },
    "CIColorControls": { CIColorControls() },
    "CIColorCube": { CIColorCube() },
    "CIColorCubeWithColorSpace": { CIColorCubeWithColorSpace() },
    "CIColorInvert": { CIColorInvert() },
    "CIColorMatrix": { CIColorMatrix() },
    "CICrop": { CICrop() },
    "CIExposureAdjust": { CIExposureAdjust() },
    "CIGaussianBlur": { CIGaussianBlur() },
    "CILanczosScaleTransform": { CILanczosScaleTransform() },
    "CISepiaTone": { CISepiaTone() },
    "CISourceOverCompositing": { CISourceOverCompositing() },
  ]

  /// The filters that ``CIFilterByName/init(name:)`` makes, in the order of the alphabet. Categories are not told
  /// apart.
  public static func filterNames(inCategory category: String?) -> [String] { makers.keys.sorted() }

  /// As ``filterNames(inCategory:)``.
  public static func filterNames(inCategories categories: [String]?) -> [String] {
    filterNames(inCategory: nil)
  }

  /// A filter that raises light by stops.
  public static func exposureAdjust() -> CIExposureAdjust { CIExposureAdjust() }
  /// A filter that mixes colors.
  public static func colorMatrix() -> CIColorMatrix { CIColorMatrix() }
  /// A filter for saturation, brightness and contrast.
  public static func colorControls() -> CIColorControls { CIColorControls() }
  /// A filter that makes a negative.
  public static func colorInvert() -> CIColorInvert { CIColorInvert() }
  /// A filter that makes a picture brown.
  public static func sepiaTone() -> CISepiaTone { CISepiaTone() }
  /// A filter that looks colors up in a table.
  public static func colorCube() -> CIColorCube { CIColorCube() }
  /// A filter that looks colors up in a table for a color space's numbers.
  public static func colorCubeWithColorSpace() -> CIColorCubeWithColorSpace {
    CIColorCubeWithColorSpace()
  }
  /// A filter that blurs.
  public static func gaussianBlur() -> CIGaussianBlur { CIGaussianBlur() }
  /// A filter that scales with sharp edges.
  public static func lanczosScaleTransform() -> CILanczosScaleTransform {
    CILanczosScaleTransform()
  }
  /// A filter that shows a picture on another one where a mask is bright.
  public static func blendWithMask() -> CIBlendWithMask { CIBlendWithMask() }
  /// A filter that puts a picture on another one.
  public static func sourceOverCompositing() -> CISourceOverCompositing {
    CISourceOverCompositing()
  }
  /// A filter that counts how often light occurs.
  public static func areaHistogram() -> CIAreaHistogram { CIAreaHistogram() }
}

extension CIImage {
  /// What a filter makes of the picture. If there is no such filter, or it has no such input, rendering the result
  /// fails with the reason.
  ///
  /// - Parameters:
  ///   - filterName: One of ``CIFilter/filterNames(inCategory:)``.
  ///   - params: Values of inputs by their keys; those left out have their usual ones.
  public func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
    guard let filter = CIFilter(name: filterName, parameters: params) else {
      return .failed(.unsupported, "unsupported filter \(filterName)")
    }
    filter.setValue(self, forKey: kCIInputImageKey)
    if let image = filter.outputImage { return image }
    return .failed(.invalidArgument, filter.error?.message ?? "\(filterName) gives no picture")
  }

  /// As ``applyingFilter(_:parameters:)``, with the usual values.
  public func applyingFilter(_ filterName: String) -> CIImage {
    applyingFilter(filterName, parameters: [:])
  }
}
