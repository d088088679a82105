public import DNG
public import Foundation
public import MediaCore

/// Develops a RAW photo: the way from a DNG file to a picture to look at.
///
/// The properties are those of Apple's `CIRAWFilter`. Each begins with what the file says; what a file
/// does not offer cannot be set, and its `is…Supported` is false.
///
/// ```swift
/// var filter = try RAWFilter(url: photo)
/// filter.exposure = 0.5
/// let picture = try filter.outputImage()
/// ```
public struct RAWFilter: Sendable {
  let negative: Negative
  var settings = DevelopSettings()

  /// Changes a color of linear light: red, green and blue of RIMM's primaries (ProPhoto RGB), 1 being white.
  public typealias LinearSpaceFilter = @Sendable (SIMD3<Float>) -> SIMD3<Float>

  /// A filter for a DNG file.
  ///
  /// - Throws: ``RawDevelopError/Code/fileFailed`` where it cannot be read or is larger than
  ///   `DNGFile.byteLimit`, ``RawDevelopError/Code/invalidFile`` or ``RawDevelopError/Code/unsupported`` for what it holds.
  public init(url: URL) throws(RawDevelopError) {
    try self.init(try RawDevelopError.from { () throws(DNGError) in try DNGFile(contentsOf: url) })
  }

  /// A filter for the bytes of a DNG file, such as a photo just taken.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` or ``RawDevelopError/Code/unsupported``.
  public init(data: [UInt8]) throws(RawDevelopError) {
    try self.init(try RawDevelopError.from { () throws(DNGError) in try DNGFile(data) })
  }

  /// A filter for a DNG file that was read.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` or ``RawDevelopError/Code/unsupported``.
  public init(_ file: DNGFile) throws(RawDevelopError) {
    negative = try Negative(file)
    settings.mapsGamut = true
    settings.recoversHighlights = negative.pattern != nil
    if !negative.isMonochrome { _ = try negative.white(settings) }
  }

  // MARK: The file

  /// Pixels of the picture before it is scaled and turned; of what ``crop`` keeps.
  public var nativeSize: VideoDimensions {
    var developer = Developer(negative: negative, settings: settings)
    developer.settings.scale = 1
    return VideoDimensions(width: developer.size.width, height: developer.size.height)
  }

  /// Pixels of ``outputImage()``: the native size, scaled and turned.
  public var outputSize: VideoDimensions {
    let size = Developer(negative: negative, settings: settings).size
    return orientation.isTransposed
      ? VideoDimensions(width: size.height, height: size.width)
      : VideoDimensions(width: size.width, height: size.height)
  }

  /// True where the file has the sensor's picture as a program has improved it, and that is developed: linear light
  /// with levels and opcodes of its own, as Adobe's Enhance makes it.
  public var isEnhanced: Bool { negative.raw.role == .enhanced }

  /// What the file says of its camera.
  public var properties: DNGMetadata { negative.metadata }

  /// Versions of this engine that can be asked for, the newest first.
  public static let supportedDecoderVersions = ["1"]

  /// The version of this engine; one that is not supported gives no picture.
  public var decoderVersion = supportedDecoderVersions[0]

  /// Names of the camera profiles that the file has.
  public var profileNames: [String] { negative.metadata.profiles.map(\.name) }

  /// The number of the camera profile in ``profileNames``; 0 unless it is set.
  public var profileIndex: Int {
    get { settings.profileIndex }
    set { settings.profileIndex = newValue }
  }

  /// A camera profile from elsewhere, such as a `.dcp` file; nil for the file's own.
  public var profile: CameraProfile? {
    get { settings.profile }
    set { settings.profile = newValue }
  }

  // MARK: Exposure and tone

  /// EV that the picture is raised by; 0.
  public var exposure: Float {
    get { Float(settings.exposure) }
    set { settings.exposure = Double(newValue) }
  }

  /// EV that the picture is raised by before ``exposure``; the file's BaselineExposure with the profile's
  /// offset.
  public var baselineExposure: Float {
    get { Float(settings.baselineExposure ?? usualBaselineExposure) }
    set { settings.baselineExposure = Double(newValue) }
  }

  private var usualBaselineExposure: Double {
    negative.metadata.baselineExposure
      + ((try? negative.profile(settings))?.baselineExposureOffset ?? 0)
  }

  /// How much is taken from shadows, in thousandths of white; 5, or 0 where the profile says so.
  public var shadowBias: Float {
    get {
      Float(
        settings.shadowBias
          ?? ((try? negative.profile(settings)).map(negative.rendersBlack) ?? true ? 5 : 0))
    }
    set { settings.shadowBias = max(Double(newValue), 0) }
  }

  /// The share of the tone curve and the profile's look: 0 for linear light, 1.
  public var boostAmount: Float {
    get { Float(settings.boostAmount) }
    set { settings.boostAmount = Self.within(newValue, 0...1) }
  }

  /// Below 1 darkens shadows, above 1 brightens them: 0 to 2; without effect where ``boostAmount`` is 0.
  public var boostShadowAmount: Float {
    get { Float(settings.boostShadowAmount) }
    set { settings.boostShadowAmount = Self.within(newValue, 0...2) }
  }

  /// True where the file has a gain map.
  public var isLocalToneMapSupported: Bool {
    negative.gainMap != nil || (try? negative.profile(settings))?.gainTableMap != nil
  }

  /// The strength of the file's gain map: 0 to 1; each gain is raised to that power.
  public var localToneMapAmount: Float {
    get { isLocalToneMapSupported ? Float(settings.localToneMapAmount) : 0 }
    set {
      if isLocalToneMapSupported { settings.localToneMapAmount = Self.within(newValue, 0...1) }
    }
  }

  /// How far the picture goes beyond white: 0 not at all, 1 as usual, to four times white, 2 at most, to
  /// sixteen. It needs ``sampleFormat`` to be floats.
  public var extendedDynamicRangeAmount: Float {
    get { Float(settings.extendedDynamicRangeAmount) }
    set { settings.extendedDynamicRangeAmount = Self.within(newValue, 0...2) }
  }

  /// Changes light while it is still linear: balanced, by ``exposure``, before the tone curve. It is called for
  /// each pixel, on several threads; nil leaves light as it is.
  public var linearSpaceFilter: LinearSpaceFilter?

  /// Called with stored samples, and what the picture is that they are of: the sensor's, or the improved one.
  package typealias SamplesObserver = @Sendable (DNGSamples, DNGFile.Role) -> Void

  /// Called with the samples as soon as they are decoded for ``outputImage()``: whoever wants them as well need
  /// not decode them again. Where ``isEnhanced`` is true they are not the sensor's.
  package var samplesObserver: SamplesObserver?

  /// Asked between the steps of ``outputImage()``, such as the file's corrections; true ends it with
  /// ``RawDevelopError/Code/canceled``.
  package var isCanceled: @Sendable () -> Bool = { false }

  /// Chroma: -1 for grays, 0, to 1 for twice as much.
  public var saturation: Float {
    get { Float(settings.saturation) }
    set { settings.saturation = Self.within(newValue, -1...1) }
  }

  /// The same of pale colors, fading out towards strong ones: -1 to 1; 0.
  public var vibrance: Float {
    get { Float(settings.vibrance) }
    set { settings.vibrance = Self.within(newValue, -1...1) }
  }

  /// Curves through points, after the tone curve; nil for none.
  public var pointCurves: PointCurves? {
    get { settings.pointCurves }
    set { settings.pointCurves = newValue }
  }

  /// True to bring colors beyond the output's gamut into it at the same hue; false to clip.
  public var isGamutMappingEnabled: Bool {
    get { settings.mapsGamut }
    set { settings.mapsGamut = newValue }
  }

  // MARK: Corrections

  /// True where the file has opcodes for its lens.
  public var isLensCorrectionSupported: Bool {
    let lists = negative.opcodes
    return [lists.stored, lists.linear, lists.demosaicked].contains { list in
      list.opcodes.contains { opcode in
        switch opcode.operation {
        case .warpRectilinear, .warpRectilinear2, .warpFisheye, .fixVignetteRadial: true
        default: false
        }
      }
    }
  }

  /// True to correct the lens by the file's opcodes; those that are not optional are applied anyway.
  public var isLensCorrectionEnabled: Bool {
    get { isLensCorrectionSupported && settings.correctsLens }
    set { if isLensCorrectionSupported { settings.correctsLens = newValue } }
  }

  /// True for a mosaic, whose colors clip one by one.
  public var isHighlightRecoverySupported: Bool { negative.pattern != nil }

  /// True to rebuild colors that are clipped from those that are not.
  public var isHighlightRecoveryEnabled: Bool {
    get { settings.recoversHighlights }
    set { if isHighlightRecoverySupported { settings.recoversHighlights = newValue } }
  }

  // MARK: Detail

  /// True for all but monochrome pictures: noise in brightness is told from noise in color.
  public var isNoiseReductionSupported: Bool { !negative.isMonochrome }

  /// Noise reduction of brightness: 0 to 1, 0 unless it is set. It is scaled by the file's NoiseProfile.
  public var luminanceNoiseReductionAmount: Float {
    get { Float(settings.luminanceNoiseReduction) }
    set {
      if isNoiseReductionSupported {
        settings.luminanceNoiseReduction = Self.within(newValue, 0...1)
      }
    }
  }

  /// Noise reduction of color: 0 to 1, 0 unless it is set. It is scaled by the file's NoiseProfile.
  public var colorNoiseReductionAmount: Float {
    get { Float(settings.colorNoiseReduction) }
    set {
      if isNoiseReductionSupported { settings.colorNoiseReduction = Self.within(newValue, 0...1) }
    }
  }

  /// Sharpening of edges: 0 to 1, 0 unless it is set.
  public var sharpnessAmount: Float {
    get { Float(settings.sharpness) }
    set { settings.sharpness = Self.within(newValue, 0...1) }
  }

  /// Local contrast: 0 to 1, 0 unless it is set.
  public var contrastAmount: Float {
    get { Float(settings.contrast) }
    set { settings.contrast = Self.within(newValue, 0...1) }
  }

  /// Fine structure: 0 to 3, 0 unless it is set.
  public var detailAmount: Float {
    get { Float(settings.detail) }
    set { if isNoiseReductionSupported { settings.detail = Self.within(newValue, 0...3) } }
  }

  /// True for a mosaic, whose colors are sampled apart.
  public var isMoireReductionSupported: Bool { negative.pattern != nil }

  /// Takes false colors from fine structure: 0 to 1, 0 unless it is set.
  public var moireReductionAmount: Float {
    get { Float(settings.moireReduction) }
    set {
      if isMoireReductionSupported { settings.moireReduction = Self.within(newValue, 0...1) }
    }
  }

  // MARK: White

  /// True for all but monochrome pictures, which have no white to choose.
  public var isWhiteSupported: Bool { !negative.isMonochrome }

  /// Kelvins and tint as they were set; nil where the white is told otherwise.
  private var light: (temperature: Double, tint: Double)?

  /// What becomes neutral, by the profile that is set now.
  private var white: WhitePoint {
    negative.isMonochrome ? .d50 : (try? negative.white(settings)) ?? .d50
  }

  private var temperatureAndTint: (temperature: Double, tint: Double) {
    get { light ?? white.temperatureAndTint }
    set {
      guard isWhiteSupported else { return }
      light = newValue
      settings.white = .point(.init(temperature: newValue.temperature, tint: newValue.tint))
    }
  }

  /// The chromaticity of what becomes neutral: CIE 1931 x and y, each 0 to 1; by ``profile``, unless it is set.
  public var neutralChromaticity: SIMD2<Double> {
    get { SIMD2(white.x, white.y) }
    set {
      guard isWhiteSupported, newValue.x > 0, newValue.y > 0, newValue.x + newValue.y < 1 else {
        return
      }
      light = nil
      settings.white = .point(WhitePoint(x: newValue.x, y: newValue.y))
    }
  }

  /// Kelvins of the light that becomes neutral: 2000 to 50,000.
  public var neutralTemperature: Float {
    get { Float(temperatureAndTint.temperature) }
    set { temperatureAndTint.temperature = Self.within(newValue, 2000...50_000) }
  }

  /// The tint of the light that becomes neutral: -150 to 150.
  public var neutralTint: Float {
    get { Float(temperatureAndTint.tint) }
    set { temperatureAndTint.tint = Self.within(newValue, -150...150) }
  }

  /// Makes what lies at a pixel neutral: the mean of 5 by 5 pixels of the unscaled, whole picture as it
  /// is turned, from its top left corner.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidArgument`` for a pixel outside of the picture, or one that
  ///   is black or clipped; and what decoding throws.
  public mutating func setNeutralLocation(x: Int, y: Int) throws(RawDevelopError) {
    let color = try Developer(negative: negative, settings: settings).cameraColor(x: x, y: y)
    light = nil
    settings.white = .neutral(color)
  }

  // MARK: Output

  /// The part of the picture that is kept; nil for all of it. A crop with an angle that is no rectangle in this
  /// picture keeps all. Mattes and ``setNeutralLocation(x:y:)`` are of the whole picture.
  public var crop: PictureCrop? {
    get { settings.crop }
    set { settings.crop = newValue }
  }

  /// True where ``crop`` can be applied to this picture, and where there is none.
  public var isCropUsable: Bool {
    guard let crop, crop.angle != 0 else { return true }
    return Developer(negative: negative, settings: settings).turnedCrop != nil
  }

  /// The picture's size over the file's: above 0 to 1. A side has one pixel at least.
  public var scaleFactor: Float {
    get { Float(settings.scale) }
    set { settings.scale = Self.within(newValue, 1e-5...1) }
  }

  /// True for speed where the eye hardly sees it.
  public var isDraftModeEnabled: Bool {
    get { settings.isDraft }
    set { settings.isDraft = newValue }
  }

  /// How the picture is turned; the file's own unless it is set.
  public var orientation: PhotoMetadata.Orientation {
    get { settings.orientation ?? negative.metadata.orientation }
    set { settings.orientation = newValue }
  }

  /// The picture's color space; sRGB unless it is set.
  public var colorSpace: PictureColorSpace {
    get { settings.colorSpace }
    set { settings.colorSpace = newValue }
  }

  /// How samples are stored; 16-bit integers unless it is set.
  public var sampleFormat: RenderedPicture.SampleFormat {
    get { settings.sampleFormat }
    set { settings.sampleFormat = newValue }
  }

  /// Develops the picture.
  ///
  /// - Throws: ``RawDevelopError`` for a file that is damaged, of a form that is not developed, or
  ///   whose calibration makes no sense; ``RawDevelopError/Code/unsupported`` for another
  ///   ``decoderVersion``.
  public func outputImage() throws(RawDevelopError) -> RenderedPicture {
    try developer().develop()
  }

  static func within(_ value: Float, _ range: ClosedRange<Double>) -> Double {
    value.isNaN ? range.lowerBound : min(max(Double(value), range.lowerBound), range.upperBound)
  }
}
