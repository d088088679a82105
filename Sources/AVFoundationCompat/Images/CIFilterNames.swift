// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The key of a filter's image.
public let kCIInputImageKey = "inputImage"
/// The key of the background image.
public let kCIInputBackgroundImageKey = "inputBackgroundImage"
/// The key of the mask image, whose brightness determines where another image is visible.
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
/// The key of an additional horizontal scale.
public let kCIInputAspectRatioKey = "inputAspectRatio"
/// The key of a transform.
public let kCIInputTransformKey = "inputTransform"
/// The key of an area.
public let kCIInputExtentKey = "inputExtent"
/// The key of a filter's result.
public let kCIOutputImageKey = "outputImage"

/// Provides `CIFilter(name:)` because a class's own initializer cannot return an object of a subclass.
public protocol CIFilterByName {}

extension CIFilterByName where Self: CIFilter {
  /// A filter with default inputs; nil for a name that is not among ``CIFilter/filterNames(inCategory:)``.
  public init?(name: String) {
    guard let filter = CIFilter.makers[name]?() as? Self else { return nil }
    self = filter
  }

  /// A filter with the given inputs by key; nil for an unknown name. After an unknown key the filter has no result, and
  /// ``CIFilter/error`` names the key.
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

  /// The names that ``CIFilterByName/init(name:)`` supports, in alphabetical order. Categories are ignored.
  public static func filterNames(inCategory category: String?) -> [String] { makers.keys.sorted() }

  /// As ``filterNames(inCategory:)``.
  public static func filterNames(inCategories categories: [String]?) -> [String] {
    filterNames(inCategory: nil)
  }

  /// A filter that changes exposure by stops.
  public static func exposureAdjust() -> CIExposureAdjust { CIExposureAdjust() }
  /// A filter that multiplies colors by a matrix.
  public static func colorMatrix() -> CIColorMatrix { CIColorMatrix() }
  /// A filter for saturation, brightness and contrast.
  public static func colorControls() -> CIColorControls { CIColorControls() }
  /// A filter that inverts colors.
  public static func colorInvert() -> CIColorInvert { CIColorInvert() }
  /// A filter that tints an image sepia.
  public static func sepiaTone() -> CISepiaTone { CISepiaTone() }
  /// A filter that maps colors by a lookup table.
  public static func colorCube() -> CIColorCube { CIColorCube() }
  /// A filter that maps colors by a lookup table in a color space.
  public static func colorCubeWithColorSpace() -> CIColorCubeWithColorSpace {
    CIColorCubeWithColorSpace()
  }
  /// A filter that blurs.
  public static func gaussianBlur() -> CIGaussianBlur { CIGaussianBlur() }
  /// A filter that scales with a Lanczos filter.
  public static func lanczosScaleTransform() -> CILanczosScaleTransform {
    CILanczosScaleTransform()
  }
  /// A filter that blends an image over another one where a mask is bright.
  public static func blendWithMask() -> CIBlendWithMask { CIBlendWithMask() }
  /// A filter that draws an image over another one.
  public static func sourceOverCompositing() -> CISourceOverCompositing {
    CISourceOverCompositing()
  }
  /// A filter that computes a histogram.
  public static func areaHistogram() -> CIAreaHistogram { CIAreaHistogram() }
}

extension CIImage {
  /// The result of a filter. If the filter or an input does not exist, rendering the result fails with the reason.
  ///
  /// - Parameters:
  ///   - filterName: One of ``CIFilter/filterNames(inCategory:)``.
  ///   - params: Input values by key; omitted inputs have their defaults.
  public func applyingFilter(_ filterName: String, parameters params: [String: Any]) -> CIImage {
    guard let filter = CIFilter(name: filterName, parameters: params) else {
      return .failed(.unsupported, "unsupported filter \(filterName)")
    }
    filter.setValue(self, forKey: kCIInputImageKey)
    if let image = filter.outputImage { return image }
    return .failed(.invalidArgument, filter.error?.message ?? "\(filterName) gives no image")
  }

  /// As ``applyingFilter(_:parameters:)``, with default inputs.
  public func applyingFilter(_ filterName: String) -> CIImage {
    applyingFilter(filterName, parameters: [:])
  }
}
