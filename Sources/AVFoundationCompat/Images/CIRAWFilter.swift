public import DNG
public import Foundation
import RawDevelop

/// A version of the RAW developer.
public struct CIRAWDecoderVersion: RawRepresentable, Sendable, Hashable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Develops a RAW photo; each property is documented in `RAWFilter`.
public final class CIRAWFilter: CIFilter {
  private var filter: RAWFilter

  /// Stored in one place, which setValue(_:forKey:) also uses.
  override var raw: RAWFilter? {
    get { filter }
    set { if let newValue { filter = newValue } }
  }

  private init(_ filter: RAWFilter) {
    self.filter = filter
    super.init(raw: nil)
  }

  /// A developer for a DNG file; nil if it cannot be read or is not DNG.
  public convenience init!(imageURL url: URL) {
    guard let filter = try? RAWFilter(url: url) else { return nil }
    self.init(filter)
  }

  /// A developer for a DNG file in memory; nil if the data is not DNG.
  public convenience init!(imageData data: Data, identifierHint: String? = nil) {
    guard let filter = try? RAWFilter(data: [UInt8](data)) else { return nil }
    self.init(filter)
  }

  // MARK: The file

  /// Camera models with built-in profiles: none, because DNG files contain their own.
  public static var supportedCameraModels: [String] { [] }
  /// The supported versions, newest first.
  public var supportedDecoderVersions: [CIRAWDecoderVersion] {
    RAWFilter.supportedDecoderVersions.map(CIRAWDecoderVersion.init)
  }
  /// The version; with an unsupported one there is no output image.
  public var decoderVersion: CIRAWDecoderVersion {
    get { CIRAWDecoderVersion(rawValue: filter.decoderVersion) }
    set { filter.decoderVersion = newValue.rawValue }
  }
  /// The size in pixels before scaling and rotation.
  public var nativeSize: CGSize {
    CGSize(width: filter.nativeSize.width, height: filter.nativeSize.height)
  }
  /// The file's camera metadata.
  public var metadata: DNGMetadata { filter.properties }
  /// The file's largest preview; nil if it has none.
  public var previewImage: CIImage? { (try? filter.decodedPreview()).map { CIImage($0) } }

  private func matte(_ matte: RAWFilter.Matte) -> CIImage? {
    (try? filter.matte(matte)).map { CIImage($0.image) }
  }
  /// The matte of people; nil if the file has none.
  public var portraitEffectsMatte: CIImage? { matte(.portraitEffects) }
  /// The skin matte; nil if the file has none.
  public var semanticSegmentationSkinMatte: CIImage? { matte(.skin) }
  /// The hair matte; nil if the file has none.
  public var semanticSegmentationHairMatte: CIImage? { matte(.hair) }
  /// The glasses matte; nil if the file has none.
  public var semanticSegmentationGlassesMatte: CIImage? { matte(.glasses) }
  /// The sky matte; nil if the file has none.
  public var semanticSegmentationSkyMatte: CIImage? { matte(.sky) }
  /// The teeth matte; nil if the file has none.
  public var semanticSegmentationTeethMatte: CIImage? { matte(.teeth) }

  // MARK: Exposure and tone

  /// The exposure adjustment, in EV.
  public var exposure: Float {
    get { filter.exposure }
    set { filter.exposure = newValue }
  }
  /// The file's exposure adjustment, in EV, applied before ``exposure``.
  public var baselineExposure: Float {
    get { filter.baselineExposure }
    set { filter.baselineExposure = newValue }
  }
  /// The amount subtracted from shadows, in thousandths of white.
  public var shadowBias: Float {
    get { filter.shadowBias }
    set { filter.shadowBias = newValue }
  }
  /// The strength of the tone curve, 0 to 1.
  public var boostAmount: Float {
    get { filter.boostAmount }
    set { filter.boostAmount = newValue }
  }
  /// The strength of the tone curve in shadows, 0 to 2.
  public var boostShadowAmount: Float {
    get { filter.boostShadowAmount }
    set { filter.boostShadowAmount = newValue }
  }
  /// True if the file has a gain map.
  public var isLocalToneMapSupported: Bool { filter.isLocalToneMapSupported }
  /// The strength of the gain map, 0 to 1.
  public var localToneMapAmount: Float {
    get { filter.localToneMapAmount }
    set { filter.localToneMapAmount = newValue }
  }
  /// The amount of dynamic range beyond white, 0 to 2.
  public var extendedDynamicRangeAmount: Float {
    get { filter.extendedDynamicRangeAmount }
    set { filter.extendedDynamicRangeAmount = newValue }
  }
  /// True to map colors into the output's gamut; false to clip them.
  public var isGamutMappingEnabled: Bool {
    get { filter.isGamutMappingEnabled }
    set { filter.isGamutMappingEnabled = newValue }
  }
  /// True if the file has lens correction opcodes.
  public var isLensCorrectionSupported: Bool { filter.isLensCorrectionSupported }
  /// True to apply lens correction.
  public var isLensCorrectionEnabled: Bool {
    get { filter.isLensCorrectionEnabled }
    set { filter.isLensCorrectionEnabled = newValue }
  }
  /// True for a mosaic image.
  public var isHighlightRecoverySupported: Bool { filter.isHighlightRecoverySupported }
  /// True to reconstruct clipped colors.
  public var isHighlightRecoveryEnabled: Bool {
    get { filter.isHighlightRecoveryEnabled }
    set { filter.isHighlightRecoveryEnabled = newValue }
  }

  // MARK: Detail

  /// True for all but monochrome images.
  public var isLuminanceNoiseReductionSupported: Bool { filter.isNoiseReductionSupported }
  /// The amount of luminance noise reduction, 0 to 1.
  public var luminanceNoiseReductionAmount: Float {
    get { filter.luminanceNoiseReductionAmount }
    set { filter.luminanceNoiseReductionAmount = newValue }
  }
  /// True for all but monochrome images.
  public var isColorNoiseReductionSupported: Bool { filter.isNoiseReductionSupported }
  /// The amount of color noise reduction, 0 to 1.
  public var colorNoiseReductionAmount: Float {
    get { filter.colorNoiseReductionAmount }
    set { filter.colorNoiseReductionAmount = newValue }
  }
  /// True.
  public var isSharpnessSupported: Bool { true }
  /// The amount of edge sharpening, 0 to 1.
  public var sharpnessAmount: Float {
    get { filter.sharpnessAmount }
    set { filter.sharpnessAmount = newValue }
  }
  /// True.
  public var isContrastSupported: Bool { true }
  /// The amount of local contrast, 0 to 1.
  public var contrastAmount: Float {
    get { filter.contrastAmount }
    set { filter.contrastAmount = newValue }
  }
  /// True for all but monochrome images.
  public var isDetailSupported: Bool { filter.isNoiseReductionSupported }
  /// The amount of fine detail, 0 to 3.
  public var detailAmount: Float {
    get { filter.detailAmount }
    set { filter.detailAmount = newValue }
  }
  /// True for a mosaic image.
  public var isMoireReductionSupported: Bool { filter.isMoireReductionSupported }
  /// The amount of moire reduction, 0 to 1.
  public var moireReductionAmount: Float {
    get { filter.moireReductionAmount }
    set { filter.moireReductionAmount = newValue }
  }

  // MARK: White balance

  /// The CIE 1931 xy chromaticity that becomes neutral.
  public var neutralChromaticity: CGPoint {
    get { CGPoint(x: filter.neutralChromaticity.x, y: filter.neutralChromaticity.y) }
    set { filter.neutralChromaticity = SIMD2(Double(newValue.x), Double(newValue.y)) }
  }
  /// The pixel that becomes neutral, counted from the lower left corner of the unscaled image after rotation. A pixel
  /// outside the image, or one that is black or clipped, has no effect.
  public var neutralLocation = CGPoint.zero {
    didSet {
      let native = filter.nativeSize
      let height = filter.orientation.isTransposed ? native.width : native.height
      let (x, y) = (neutralLocation.x, neutralLocation.y)
      guard x >= 0, y >= 0, x < 1e6, y < CGFloat(height) else { return }
      try? filter.setNeutralLocation(x: Int(x), y: height - 1 - Int(y))
    }
  }
  /// The color temperature that becomes neutral, 2000 to 50000 K.
  public var neutralTemperature: Float {
    get { filter.neutralTemperature }
    set { filter.neutralTemperature = newValue }
  }
  /// The tint that becomes neutral, -150 to 150.
  public var neutralTint: Float {
    get { filter.neutralTint }
    set { filter.neutralTint = newValue }
  }

  // MARK: Output

  /// A filter applied in linear light, with its current settings: ``CIExposureAdjust``, ``CIColorMatrix`` or another
  /// filter that works on single colors. Colors are linear with ProPhoto RGB primaries. With any other filter
  /// ``CIFilter/outputImage`` is nil, and ``CIFilter/error`` gives the reason.
  public var linearSpaceFilter: CIFilter? {
    didSet { filter.linearSpaceFilter = linearSpaceFilter?.change }
  }

  override var unusable: RawDevelopError? {
    guard let linearSpaceFilter, linearSpaceFilter.change == nil else { return nil }
    return RawDevelopError(
      .unsupported,
      "\(type(of: linearSpaceFilter)) does not work in linear space; choose CIExposureAdjust, "
        + "CIColorMatrix or another filter that works on single colors")
  }

  /// The ratio of the output size to the file's size, greater than 0 and at most 1.
  public var scaleFactor: Float {
    get { filter.scaleFactor }
    set { filter.scaleFactor = newValue }
  }
  /// True for faster rendering with hardly visible loss.
  public var isDraftModeEnabled: Bool {
    get { filter.isDraftModeEnabled }
    set { filter.isDraftModeEnabled = newValue }
  }
  /// The orientation of the image.
  public var orientation: CGImagePropertyOrientation {
    get { CGImagePropertyOrientation(filter.orientation) }
    set { filter.orientation = newValue.base }
  }
}
