public import DNG

/// How a RAW picture is developed.
///
/// The values that a setting begins with give the picture that the file's own tags describe.
public struct DevelopSettings: Sendable, Hashable {
  /// The white that becomes neutral.
  public enum White: Sendable, Hashable {
    /// The file's own.
    case asShot
    /// A chromaticity, or a temperature and a tint.
    case point(WhitePoint)
    /// Camera colors of something neutral.
    case neutral([Double])
  }

  /// The white that becomes neutral.
  public var white = White.asShot
  /// EV that the user adds.
  public var exposure = 0.0
  /// EV that the picture is raised by first; nil for the file's BaselineExposure and the profile's
  /// offset.
  public var baselineExposure: Double?
  /// How much is taken from shadows, in thousandths; nil for 5, or 0 where the profile says so.
  public var shadowBias: Double?
  /// The share of the tone curve and the profile's look, 0 to 1.
  public var boostAmount = 1.0
  /// Below 1 darkens shadows, above 1 brightens them; 0 to 2.
  public var boostShadowAmount = 1.0
  /// The strength of the gain map, 0 to 1.
  public var localToneMapAmount = 1.0
  /// How far output goes beyond white, 0 to 2; only for samples that are floats.
  public var extendedDynamicRangeAmount = 0.0
  /// True to bring colors beyond the output's gamut into it at the same hue; else they are clipped.
  public var mapsGamut = false
  /// True to apply opcodes for the lens that the file says a reader may leave out.
  public var correctsLens = true
  /// True to rebuild clipped colors from those that are not.
  public var recoversHighlights = false
  /// 0 to 1.
  public var luminanceNoiseReduction = 0.0
  /// 0 to 1.
  public var colorNoiseReduction = 0.0
  /// Sharpening of edges, 0 to 1.
  public var sharpness = 0.0
  /// Local contrast, 0 to 1.
  public var contrast = 0.0
  /// Fine structure, 0 to 3; 0 leaves it as it is.
  public var detail = 0.0
  /// 0 to 1.
  public var moireReduction = 0.0
  /// Chroma: -1 for none, 0 as it is, 1 for twice as much.
  public var saturation = 0.0
  /// The same of pale colors, fading out towards strong ones: -1 to 1.
  public var vibrance = 0.0
  /// Curves through points, after the tone curve; nil for none.
  public var pointCurves: PointCurves?
  /// The part of the picture that is kept; nil for all of it.
  public var crop: PictureCrop?
  /// The rendered picture's size over the file's, above 0 to 1.
  public var scale = 1.0
  /// True for speed where the eye hardly sees it: simple interpolation, no noise reduction.
  public var isDraft = false
  /// How the result is turned; nil for the file's own.
  public var orientation: PhotoMetadata.Orientation?
  /// The profile, by its number in the file, where no other is given.
  public var profileIndex = 0
  /// A profile from elsewhere, such as a `.dcp` file.
  public var profile: CameraProfile?
  /// The result's color space.
  public var colorSpace = PictureColorSpace.sRGB
  /// How its samples are stored.
  public var sampleFormat = RenderedPicture.SampleFormat.uint16

  /// The values that settings begin with.
  public init() {}

  /// Linear light of the scene: no baseline exposure, shadow bias, tone curve, gain map or gamut
  /// mapping, in half floats of linear BT.2020.
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

  /// True where the result is light as the camera saw it.
  var isLinear: Bool {
    boostAmount == 0 && colorSpace.curve == .linear && sampleFormat.isFloat
  }
}
