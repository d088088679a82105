public import DNG
public import Foundation
import RawDevelop

/// A version of the developer.
public struct CIRAWDecoderVersion: RawRepresentable, Sendable, Hashable {
  /// Its name.
  public let rawValue: String
  /// A version by its name.
  public init(rawValue: String) { self.rawValue = rawValue }
}

/// Develops a RAW photo; each property is that of `RAWFilter`, which says what it does.
public final class CIRAWFilter: CIFilter {
  private var filter: RAWFilter

  /// Settings are kept in one place, that setValue(_:forKey:) reaches too.
  override var raw: RAWFilter? {
    get { filter }
    set { if let newValue { filter = newValue } }
  }

  private init(_ filter: RAWFilter) {
    self.filter = filter
    super.init(raw: nil)
  }

  /// A developer for a DNG file; nil where it cannot be read or is none.
  public convenience init!(imageURL url: URL) {
    guard let filter = try? RAWFilter(url: url) else { return nil }
    self.init(filter)
  }

  /// A developer for the bytes of a DNG file; nil where they are none.
  public convenience init!(imageData data: Data, identifierHint: String? = nil) {
    guard let filter = try? RAWFilter(data: [UInt8](data)) else { return nil }
    self.init(filter)
  }

  // MARK: The file

  /// Models of cameras that only this developer knows: none, as DNG files describe their own.
  public static var supportedCameraModels: [String] { [] }
  /// Versions that can be asked for, the newest first.
  public var supportedDecoderVersions: [CIRAWDecoderVersion] {
    RAWFilter.supportedDecoderVersions.map(CIRAWDecoderVersion.init)
  }
  /// The version; one that is not supported gives no picture.
  public var decoderVersion: CIRAWDecoderVersion {
    get { CIRAWDecoderVersion(rawValue: filter.decoderVersion) }
    set { filter.decoderVersion = newValue.rawValue }
  }
  /// Pixels before the picture is scaled and turned.
  public var nativeSize: CGSize {
    CGSize(width: filter.nativeSize.width, height: filter.nativeSize.height)
  }
  /// What the file says of its camera.
  public var metadata: DNGMetadata { filter.properties }
  /// The file's largest preview; nil where it has none.
  public var previewImage: CIImage? { (try? filter.previewPicture()).map { CIImage($0) } }

  private func matte(_ matte: RAWFilter.Matte) -> CIImage? {
    (try? filter.matte(matte)).map { CIImage($0.picture) }
  }
  /// People; nil where the file has no such mask.
  public var portraitEffectsMatte: CIImage? { matte(.portraitEffects) }
  /// Skin; nil where the file has no such mask.
  public var semanticSegmentationSkinMatte: CIImage? { matte(.skin) }
  /// Hair; nil where the file has no such mask.
  public var semanticSegmentationHairMatte: CIImage? { matte(.hair) }
  /// Glasses; nil where the file has no such mask.
  public var semanticSegmentationGlassesMatte: CIImage? { matte(.glasses) }
  /// The sky; nil where the file has no such mask.
  public var semanticSegmentationSkyMatte: CIImage? { matte(.sky) }
  /// Teeth; nil where the file has no such mask.
  public var semanticSegmentationTeethMatte: CIImage? { matte(.teeth) }

  // MARK: Exposure and tone

  /// EV that the picture is raised by.
  public var exposure: Float {
    get { filter.exposure }
    set { filter.exposure = newValue }
  }
  /// EV of the file, raised by before ``exposure``.
  public var baselineExposure: Float {
    get { filter.baselineExposure }
    set { filter.baselineExposure = newValue }
  }
  /// How much is taken from shadows, in thousandths of white.
  public var shadowBias: Float {
    get { filter.shadowBias }
    set { filter.shadowBias = newValue }
  }
  /// The share of the tone curve, 0 to 1.
  public var boostAmount: Float {
    get { filter.boostAmount }
    set { filter.boostAmount = newValue }
  }
  /// Shadows of the tone curve, 0 to 2.
  public var boostShadowAmount: Float {
    get { filter.boostShadowAmount }
    set { filter.boostShadowAmount = newValue }
  }
  /// True where the file has a gain map.
  public var isLocalToneMapSupported: Bool { filter.isLocalToneMapSupported }
  /// The strength of the gain map, 0 to 1.
  public var localToneMapAmount: Float {
    get { filter.localToneMapAmount }
    set { filter.localToneMapAmount = newValue }
  }
  /// How far the picture goes beyond white, 0 to 2.
  public var extendedDynamicRangeAmount: Float {
    get { filter.extendedDynamicRangeAmount }
    set { filter.extendedDynamicRangeAmount = newValue }
  }
  /// True to bring colors into the output's gamut; false to clip them.
  public var isGamutMappingEnabled: Bool {
    get { filter.isGamutMappingEnabled }
    set { filter.isGamutMappingEnabled = newValue }
  }
  /// True where the file has opcodes for its lens.
  public var isLensCorrectionSupported: Bool { filter.isLensCorrectionSupported }
  /// True to correct the lens.
  public var isLensCorrectionEnabled: Bool {
    get { filter.isLensCorrectionEnabled }
    set { filter.isLensCorrectionEnabled = newValue }
  }
  /// True for a mosaic.
  public var isHighlightRecoverySupported: Bool { filter.isHighlightRecoverySupported }
  /// True to rebuild clipped colors.
  public var isHighlightRecoveryEnabled: Bool {
    get { filter.isHighlightRecoveryEnabled }
    set { filter.isHighlightRecoveryEnabled = newValue }
  }

  // MARK: Detail

  /// True for all but monochrome pictures.
  public var isLuminanceNoiseReductionSupported: Bool { filter.isNoiseReductionSupported }
  /// Noise reduction of brightness, 0 to 1.
  public var luminanceNoiseReductionAmount: Float {
    get { filter.luminanceNoiseReductionAmount }
    set { filter.luminanceNoiseReductionAmount = newValue }
  }
  /// True for all but monochrome pictures.
  public var isColorNoiseReductionSupported: Bool { filter.isNoiseReductionSupported }
  /// Noise reduction of color, 0 to 1.
  public var colorNoiseReductionAmount: Float {
    get { filter.colorNoiseReductionAmount }
    set { filter.colorNoiseReductionAmount = newValue }
  }
  /// True.
  public var isSharpnessSupported: Bool { true }
  /// Edges, 0 to 1.
  public var sharpnessAmount: Float {
    get { filter.sharpnessAmount }
    set { filter.sharpnessAmount = newValue }
  }
  /// True.
  public var isContrastSupported: Bool { true }
  /// Local contrast, 0 to 1.
  public var contrastAmount: Float {
    get { filter.contrastAmount }
    set { filter.contrastAmount = newValue }
  }
  /// True for all but monochrome pictures.
  public var isDetailSupported: Bool { filter.isNoiseReductionSupported }
  /// Fine structure, 0 to 3.
  public var detailAmount: Float {
    get { filter.detailAmount }
    set { filter.detailAmount = newValue }
  }
  /// True for a mosaic.
  public var isMoireReductionSupported: Bool { filter.isMoireReductionSupported }
  /// Moire reduction, 0 to 1.
  public var moireReductionAmount: Float {
    get { filter.moireReductionAmount }
    set { filter.moireReductionAmount = newValue }
  }

  // MARK: White

  /// CIE 1931 x and y of what becomes neutral.
  public var neutralChromaticity: CGPoint {
    get { CGPoint(x: filter.neutralChromaticity.x, y: filter.neutralChromaticity.y) }
    set { filter.neutralChromaticity = SIMD2(Double(newValue.x), Double(newValue.y)) }
  }
  /// A pixel that becomes neutral, from the lower left corner of the unscaled, turned picture; one that
  /// is outside of it, black or clipped changes nothing.
  public var neutralLocation = CGPoint.zero {
    didSet {
      let native = filter.nativeSize
      let height = filter.orientation.isTransposed ? native.width : native.height
      let (x, y) = (neutralLocation.x, neutralLocation.y)
      guard x >= 0, y >= 0, x < 1e6, y < CGFloat(height) else { return }
      try? filter.setNeutralLocation(x: Int(x), y: height - 1 - Int(y))
    }
  }
  /// Kelvin of the light that becomes neutral, 2000 to 50000.
  public var neutralTemperature: Float {
    get { filter.neutralTemperature }
    set { filter.neutralTemperature = newValue }
  }
  /// Tint of the light that becomes neutral, -150 to 150.
  public var neutralTint: Float {
    get { filter.neutralTint }
    set { filter.neutralTint = newValue }
  }

  // MARK: Output

  /// A filter for light while it is still linear, as it is set now: ``CIExposureAdjust``,
  /// ``CIColorMatrix`` or another one that changes colors alone. Colors are linear ones of ProPhoto RGB's primaries. With another filter there is no
  /// ``CIFilter/outputImage``, and ``CIFilter/error`` says so.
  public var linearSpaceFilter: CIFilter? {
    didSet { filter.linearSpaceFilter = linearSpaceFilter?.change }
  }

  override var unusable: RawDevelopError? {
    guard let linearSpaceFilter, linearSpaceFilter.change == nil else { return nil }
    return RawDevelopError(
      .unsupported,
      "\(type(of: linearSpaceFilter)) does not work in linear space; choose CIExposureAdjust, "
        + "CIColorMatrix or another filter that changes colors alone")
  }

  /// The picture's size over the file's, above 0 to 1.
  public var scaleFactor: Float {
    get { filter.scaleFactor }
    set { filter.scaleFactor = newValue }
  }
  /// True for speed where the eye hardly sees it.
  public var isDraftModeEnabled: Bool {
    get { filter.isDraftModeEnabled }
    set { filter.isDraftModeEnabled = newValue }
  }
  /// How the picture is turned.
  public var orientation: CGImagePropertyOrientation {
    get { CGImagePropertyOrientation(filter.orientation) }
    set { filter.orientation = newValue.base }
  }
}
