public import DNG
public import Foundation
public import MediaCore

/// Develops a RAW photo: renders a DNG file to a viewable image.
///
/// The properties are those of Apple's `CIRAWFilter`. Each starts with the file's value; a property that the file
/// does not support cannot be set, and its `is…Supported` is false.
///
/// ```swift
/// var filter = try RAWFilter(url: photo)
/// filter.exposure = 0.5
/// let image = try filter.outputImage()
/// ```
public struct RAWFilter: Sendable {
  let negative: Negative
  var settings = DevelopSettings()

  /// Changes a linear color: red, green and blue with RIMM's primaries (ProPhoto RGB), where 1 is white.
  public typealias LinearSpaceFilter = @Sendable (SIMD3<Float>) -> SIMD3<Float>

  /// A filter for a DNG file.
  ///
  /// - Throws: ``RawDevelopError/Code/fileFailed`` if the file cannot be read or is larger than
  ///   `DNGFile.byteLimit`, ``RawDevelopError/Code/invalidFile`` or ``RawDevelopError/Code/unsupported`` for its
  ///   contents.
  public init(url: URL) throws(RawDevelopError) {
    try self.init(try RawDevelopError.from { () throws(DNGError) in try DNGFile(contentsOf: url) })
  }

  /// A filter for the bytes of a DNG file, such as a photo just taken.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` or ``RawDevelopError/Code/unsupported``.
  public init(data: [UInt8]) throws(RawDevelopError) {
    try self.init(try RawDevelopError.from { () throws(DNGError) in try DNGFile(data) })
  }

  /// A filter for a DNG file that has been read.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidFile`` or ``RawDevelopError/Code/unsupported``.
  public init(_ file: DNGFile) throws(RawDevelopError) {
    negative = try Negative(file)
    settings.mapsGamut = true
    settings.recoversHighlights = negative.pattern != nil
    if !negative.isMonochrome { _ = try negative.white(settings) }
  }

  // MARK: The file

  /// The image's size in pixels, cropped by ``crop``, before it is scaled and turned.
  public var nativeSize: VideoDimensions {
    var developer = Developer(negative: negative, settings: settings)
    developer.settings.scale = 1
    return VideoDimensions(width: developer.size.width, height: developer.size.height)
  }

  /// The size of ``outputImage()`` in pixels: the native size, scaled and turned.
  public var outputSize: VideoDimensions {
    let size = Developer(negative: negative, settings: settings).size
    return orientation.isTransposed
      ? VideoDimensions(width: size.height, height: size.width)
      : VideoDimensions(width: size.width, height: size.height)
  }

  /// True if the file contains a version of the sensor's image improved by a program, which is then the one
  /// developed: linear light with its own levels and opcodes, as made by Adobe's Enhance.
  public var isEnhanced: Bool { negative.raw.role == .enhanced }

  /// The file's description of its camera.
  public var properties: DNGMetadata { negative.metadata }

  /// The supported versions of this engine, newest first.
  public static let supportedDecoderVersions = ["1"]

  /// The version of this engine; an unsupported one makes developing fail.
  public var decoderVersion = supportedDecoderVersions[0]

  /// Names of the camera profiles in the file.
  public var profileNames: [String] { negative.metadata.profiles.map(\.name) }

  /// The index of the camera profile in ``profileNames``; 0 by default.
  public var profileIndex: Int {
    get { settings.profileIndex }
    set { settings.profileIndex = newValue }
  }

  /// An external camera profile, such as a `.dcp` file; nil for the file's own.
  public var profile: CameraProfile? {
    get { settings.profile }
    set { settings.profile = newValue }
  }

  // MARK: Exposure and tone

  /// EV by which the image is raised; 0 by default.
  public var exposure: Float {
    get { Float(settings.exposure) }
    set { settings.exposure = Double(newValue) }
  }

  /// EV by which the image is raised before ``exposure``; by default the file's BaselineExposure plus the
  /// profile's offset.
  public var baselineExposure: Float {
    get { Float(settings.baselineExposure ?? usualBaselineExposure) }
    set { settings.baselineExposure = Double(newValue) }
  }

  private var usualBaselineExposure: Double {
    negative.metadata.baselineExposure
      + ((try? negative.profile(settings))?.baselineExposureOffset ?? 0)
  }

  /// The amount subtracted from shadows, in thousandths of white; by default 5, or 0 if the profile says so.
  public var shadowBias: Float {
    get {
      Float(
        settings.shadowBias
          ?? ((try? negative.profile(settings)).map(negative.rendersBlack) ?? true ? 5 : 0))
    }
    set { settings.shadowBias = max(Double(newValue), 0) }
  }

  /// The strength of the tone curve and of the profile's look: 0 (linear) to 1, the default.
  public var boostAmount: Float {
    get { Float(settings.boostAmount) }
    set { settings.boostAmount = Self.within(newValue, 0...1) }
  }

  /// The shadow boost, 0 to 2: below 1 darkens shadows, above 1 brightens them; no effect if ``boostAmount`` is 0.
  public var boostShadowAmount: Float {
    get { Float(settings.boostShadowAmount) }
    set { settings.boostShadowAmount = Self.within(newValue, 0...2) }
  }

  /// True if the file has a gain map.
  public var isLocalToneMapSupported: Bool {
    negative.gainMap != nil || (try? negative.profile(settings))?.gainTableMap != nil
  }

  /// The strength of the file's gain map, 0 to 1: each gain is raised to this power.
  public var localToneMapAmount: Float {
    get { isLocalToneMapSupported ? Float(settings.localToneMapAmount) : 0 }
    set {
      if isLocalToneMapSupported { settings.localToneMapAmount = Self.within(newValue, 0...1) }
    }
  }

  /// How far the image extends beyond white: 0 for not at all, 1 for the usual four times white, 2 at most, for
  /// sixteen times white. It needs a floating-point ``sampleFormat``.
  public var extendedDynamicRangeAmount: Float {
    get { Float(settings.extendedDynamicRangeAmount) }
    set { settings.extendedDynamicRangeAmount = Self.within(newValue, 0...2) }
  }

  /// Changes light while it is still linear: white-balanced, after ``exposure``, before the tone curve. It is
  /// called for each pixel, on several threads; nil for no change.
  public var linearSpaceFilter: LinearSpaceFilter?

  /// Called with stored samples and the role of their image: the sensor's, or the improved one.
  package typealias SamplesObserver = @Sendable (DNGSamples, DNGFile.Role) -> Void

  /// Called with the samples as soon as they are decoded for ``outputImage()``, to avoid decoding them twice. If
  /// ``isEnhanced`` is true, they are not the sensor's.
  package var samplesObserver: SamplesObserver?

  /// Called between the steps of ``outputImage()``, such as the file's corrections; returning true ends it with
  /// ``RawDevelopError/Code/canceled``.
  package var isCanceled: @Sendable () -> Bool = { false }

  /// Chroma: -1 for grays, 0 for no change, 1 for twice as much.
  public var saturation: Float {
    get { Float(settings.saturation) }
    set { settings.saturation = Self.within(newValue, -1...1) }
  }

  /// The same for pale colors, decreasing towards strong ones: -1 to 1; 0 by default.
  public var vibrance: Float {
    get { Float(settings.vibrance) }
    set { settings.vibrance = Self.within(newValue, -1...1) }
  }

  /// Curves through points, applied after the tone curve; nil for none.
  public var pointCurves: PointCurves? {
    get { settings.pointCurves }
    set { settings.pointCurves = newValue }
  }

  /// True to map colors outside the output's gamut into it at the same hue; false to clip them.
  public var isGamutMappingEnabled: Bool {
    get { settings.mapsGamut }
    set { settings.mapsGamut = newValue }
  }

  // MARK: Corrections

  /// True if the file has lens opcodes.
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

  /// True to apply the file's lens opcodes; non-optional ones are applied in any case.
  public var isLensCorrectionEnabled: Bool {
    get { isLensCorrectionSupported && settings.correctsLens }
    set { if isLensCorrectionSupported { settings.correctsLens = newValue } }
  }

  /// True for a mosaic, whose colors clip separately.
  public var isHighlightRecoverySupported: Bool { negative.pattern != nil }

  /// True to rebuild clipped colors from unclipped ones.
  public var isHighlightRecoveryEnabled: Bool {
    get { settings.recoversHighlights }
    set { if isHighlightRecoverySupported { settings.recoversHighlights = newValue } }
  }

  // MARK: Detail

  /// True for all but monochrome images, because luminance noise is separated from color noise.
  public var isNoiseReductionSupported: Bool { !negative.isMonochrome }

  /// Luminance noise reduction: 0 to 1, 0 by default. It is scaled by the file's NoiseProfile.
  public var luminanceNoiseReductionAmount: Float {
    get { Float(settings.luminanceNoiseReduction) }
    set {
      if isNoiseReductionSupported {
        settings.luminanceNoiseReduction = Self.within(newValue, 0...1)
      }
    }
  }

  /// Color noise reduction: 0 to 1, 0 by default. It is scaled by the file's NoiseProfile.
  public var colorNoiseReductionAmount: Float {
    get { Float(settings.colorNoiseReduction) }
    set {
      if isNoiseReductionSupported { settings.colorNoiseReduction = Self.within(newValue, 0...1) }
    }
  }

  /// Edge sharpening: 0 to 1, 0 by default.
  public var sharpnessAmount: Float {
    get { Float(settings.sharpness) }
    set { settings.sharpness = Self.within(newValue, 0...1) }
  }

  /// Local contrast: 0 to 1, 0 by default.
  public var contrastAmount: Float {
    get { Float(settings.contrast) }
    set { settings.contrast = Self.within(newValue, 0...1) }
  }

  /// Fine structure: 0 to 3, 0 by default.
  public var detailAmount: Float {
    get { Float(settings.detail) }
    set { if isNoiseReductionSupported { settings.detail = Self.within(newValue, 0...3) } }
  }

  /// True for a mosaic, whose colors are sampled at different positions.
  public var isMoireReductionSupported: Bool { negative.pattern != nil }

  /// Removal of false colors from fine structure: 0 to 1, 0 by default.
  public var moireReductionAmount: Float {
    get { Float(settings.moireReduction) }
    set {
      if isMoireReductionSupported { settings.moireReduction = Self.within(newValue, 0...1) }
    }
  }

  // MARK: White

  /// True for all but monochrome images, which have no white balance.
  public var isWhiteSupported: Bool { !negative.isMonochrome }

  /// Temperature in kelvins and tint, as set; nil if the white point was set in another way.
  private var light: (temperature: Double, tint: Double)?

  /// The white point in effect with the current profile.
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

  /// The CIE 1931 x and y of the white point, each 0 to 1; it depends on ``profile`` unless set.
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

  /// The white point's color temperature in kelvins: 2000 to 50,000.
  public var neutralTemperature: Float {
    get { Float(temperatureAndTint.temperature) }
    set { temperatureAndTint.temperature = Self.within(newValue, 2000...50_000) }
  }

  /// The white point's tint: -150 to 150.
  public var neutralTint: Float {
    get { Float(temperatureAndTint.tint) }
    set { temperatureAndTint.tint = Self.within(newValue, -150...150) }
  }

  /// Makes a position neutral, using the mean of 5 by 5 pixels around it. Its coordinates count from the top left
  /// corner of the whole, unscaled, turned image.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidArgument`` for a pixel outside the image, or one that is black or
  ///   clipped; and what decoding throws.
  public mutating func setNeutralLocation(x: Int, y: Int) throws(RawDevelopError) {
    let color = try Developer(negative: negative, settings: settings).cameraColor(x: x, y: y)
    light = nil
    settings.white = .neutral(color)
  }

  // MARK: Output

  /// The part of the image to keep; nil for all of it. A turned crop whose corners form no rectangle in this
  /// image is ignored. Mattes and ``setNeutralLocation(x:y:)`` refer to the whole image.
  public var crop: ImageCrop? {
    get { settings.crop }
    set { settings.crop = newValue }
  }

  /// True if ``crop`` can be applied to this image, or is nil.
  public var isCropUsable: Bool {
    guard let crop, crop.angle != 0 else { return true }
    return Developer(negative: negative, settings: settings).turnedCrop != nil
  }

  /// The image's size relative to the file's, above 0 to 1. Each side keeps at least one pixel.
  public var scaleFactor: Float {
    get { Float(settings.scale) }
    set { settings.scale = Self.within(newValue, 1e-5...1) }
  }

  /// True to gain speed at hardly visible cost.
  public var isDraftModeEnabled: Bool {
    get { settings.isDraft }
    set { settings.isDraft = newValue }
  }

  /// The orientation; the file's own by default.
  public var orientation: PhotoMetadata.Orientation {
    get { settings.orientation ?? negative.metadata.orientation }
    set { settings.orientation = newValue }
  }

  /// The image's color space; sRGB by default.
  public var colorSpace: ImageColorSpace {
    get { settings.colorSpace }
    set { settings.colorSpace = newValue }
  }

  /// The sample format; 16-bit integers by default.
  public var sampleFormat: RenderedImage.SampleFormat {
    get { settings.sampleFormat }
    set { settings.sampleFormat = newValue }
  }

  /// Develops the image.
  ///
  /// - Throws: ``RawDevelopError`` for a damaged file, an unsupported form or an invalid calibration;
  ///   ``RawDevelopError/Code/unsupported`` for an unsupported ``decoderVersion``.
  public func outputImage() throws(RawDevelopError) -> RenderedImage {
    try developer().develop()
  }

  static func within(_ value: Float, _ range: ClosedRange<Double>) -> Double {
    value.isNaN ? range.lowerBound : min(max(Double(value), range.lowerBound), range.upperBound)
  }
}
