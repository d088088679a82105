public import DNG

/// Settings for developing a RAW photo.
///
/// The defaults produce the image that the file's own tags describe.
public struct DevelopSettings: Sendable, Hashable {
  /// The color to be rendered as neutral.
  public enum White: Sendable, Hashable {
    /// The file's own white point.
    case asShot
    /// A white point: a chromaticity, or a temperature and tint.
    case point(WhitePoint)
    /// The camera colors of a neutral object.
    case neutral([Double])
  }

  /// The color to be rendered as neutral.
  public var white = White.asShot
  /// EV added by the user.
  public var exposure = 0.0
  /// EV by which the image is raised first; nil for the file's BaselineExposure plus the profile's offset.
  public var baselineExposure: Double?
  /// The amount subtracted from shadows, in thousandths of white; nil for 5, or 0 if the profile says so.
  public var shadowBias: Double?
  /// The strength of the tone curve and of the profile's look, 0 to 1.
  public var boostAmount = 1.0
  /// The shadow boost, 0 to 2: below 1 darkens shadows, above 1 brightens them.
  public var boostShadowAmount = 1.0
  /// The strength of the gain map, 0 to 1.
  public var localToneMapAmount = 1.0
  /// How far output extends beyond white, 0 to 2; only for floating-point samples.
  public var extendedDynamicRangeAmount = 0.0
  /// True to map colors outside the output's gamut into it at the same hue; otherwise they are clipped.
  public var mapsGamut = false
  /// True to apply optional lens opcodes.
  public var correctsLens = true
  /// True to rebuild clipped colors from unclipped ones.
  public var recoversHighlights = false
  /// Luminance noise reduction, 0 to 1.
  public var luminanceNoiseReduction = 0.0
  /// Color noise reduction, 0 to 1.
  public var colorNoiseReduction = 0.0
  /// Edge sharpening, 0 to 1.
  public var sharpness = 0.0
  /// Local contrast, 0 to 1.
  public var contrast = 0.0
  /// Fine structure, 0 to 3; 0 for no change.
  public var detail = 0.0
  /// Moire reduction, 0 to 1.
  public var moireReduction = 0.0
  /// Chroma: -1 for grays, 0 for no change, 1 for twice as much.
  public var saturation = 0.0
  /// The same for pale colors, decreasing towards strong ones: -1 to 1.
  public var vibrance = 0.0
  /// Curves through points, applied after the tone curve; nil for none.
  public var pointCurves: PointCurves?
  /// The part of the image to keep; nil for all of it.
  public var crop: ImageCrop?
  /// The rendered image's size relative to the file's, above 0 to 1.
  public var scale = 1.0
  /// True to gain speed at hardly visible cost: simple interpolation, no noise reduction.
  public var isDraft = false
  /// The orientation; nil for the file's own.
  public var orientation: PhotoMetadata.Orientation?
  /// The index of the file's profile, used if no other profile is given.
  public var profileIndex = 0
  /// An external profile, such as a `.dcp` file.
  public var profile: CameraProfile?
  /// The result's color space.
  public var colorSpace = ImageColorSpace.sRGB
  /// The result's sample format.
  public var sampleFormat = RenderedImage.SampleFormat.uint16

  /// The default settings.
  public init() {}

  /// Linear scene light: no baseline exposure, shadow bias, tone curve, gain map or gamut mapping; half floats in
  /// linear BT.2020.
  public static var linear: DevelopSettings {
    var settings = DevelopSettings()
    settings.baselineExposure = 0
    settings.shadowBias = 0
    settings.boostAmount = 0
    settings.localToneMapAmount = 0
    settings.mapsGamut = false
    settings.colorSpace = .linearRec2020
    settings.sampleFormat = .half
    return settings
  }

  /// True if the result is the light as the camera recorded it.
  var isLinear: Bool {
    boostAmount == 0 && colorSpace.curve == .linear && sampleFormat.isFloat
  }
}
