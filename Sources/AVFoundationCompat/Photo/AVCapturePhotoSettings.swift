// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import RawPhoto

/// What a photo is to be. Settings make one photo.
///
/// A mistake in a dictionary is kept until the capture, which then ends with an ``AVError`` that names
/// the key.
public class AVCapturePhotoSettings {
  /// The settings behind.
  var base: CapturePhotoSettings
  /// The first mistake in what was set.
  var mistake: AVError?

  /// The identity of the settings.
  public var uniqueID: Int64 { base.uniqueID }
  /// The processed photo, as it was given; nil for none.
  public let format: [String: Any]?
  /// The code of the RAW format; 0 for no RAW photo.
  public var rawPhotoPixelFormatType: OSType { base.rawPhotoPixelFormatType?.rawValue ?? 0 }

  /// A JPEG alone.
  public convenience init() { self.init(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]) }

  /// A processed photo alone; a JPEG for nil.
  public convenience init(format: [String: Any]?) {
    self.init(raw: nil, processed: format ?? [AVVideoCodecKey: AVVideoCodecType.jpeg], bracket: [])
  }

  /// A RAW photo alone.
  public convenience init(rawPixelFormatType: OSType) {
    self.init(raw: rawPixelFormatType, processed: nil, bracket: [])
  }

  /// A RAW photo, and a processed one of the same exposure.
  public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) {
    self.init(raw: rawPixelFormatType, processed: processedFormat, bracket: [])
  }

  /// New settings like those given, with an identity of their own.
  public init(from other: AVCapturePhotoSettings) {
    base = CapturePhotoSettings(from: other.base)
    mistake = other.mistake
    format = other.format
    previewPhotoFormat = other.previewPhotoFormat
    rawEmbeddedThumbnailPhotoFormat = other.rawEmbeddedThumbnailPhotoFormat
    isAutoStillImageStabilizationEnabled = other.isAutoStillImageStabilizationEnabled
    isHighResolutionPhotoEnabled = other.isHighResolutionPhotoEnabled
    maxPhotoDimensions = other.maxPhotoDimensions
    unwrittenMetadata = other.unwrittenMetadata
    metadataMistake = other.metadataMistake
  }

  init(
    raw: OSType?, processed: [String: Any]?, bracket: [CaptureBracketedStillImageSettings]
  ) {
    format = processed
    var mistake: AVError?
    var photo: ProcessedPhotoFormat?
    do throws(AVError) {
      photo = try processed.map { dictionary throws(AVError) in
        try ProcessedPhotoFormat(dictionary: dictionary)
      }
    } catch { mistake = error }
    // The code 0 is Apple's for no RAW photo.
    let code = raw.flatMap { $0 == 0 ? nil : MediaCore.FourCharCode(rawValue: $0) }
    base =
      bracket.isEmpty && code == nil
      ? CapturePhotoSettings(format: photo ?? ProcessedPhotoFormat(codec: .jpeg))
      : CapturePhotoSettings(
        rawPixelFormatType: code, processedFormat: photo, bracketedSettings: bracket)
    self.mistake = mistake
  }

  // MARK: What can be set

  /// What matters more.
  public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
    get { base.photoQualityPrioritization }
    set { base.photoQualityPrioritization = newValue }
  }

  /// The codecs of a picture within a RAW file.
  public var availableRawEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] {
    base.availableRawEmbeddedThumbnailPhotoCodecTypes.map(\.videoCodecType)
  }

  /// The picture within the RAW file: `AVVideoCodecKey`, `AVVideoWidthKey` and `AVVideoHeightKey`; nil
  /// for none. Without a size, or with one of 0, it is as large as the photo.
  public var rawEmbeddedThumbnailPhotoFormat: [String: Any]? {
    didSet {
      do throws(AVError) {
        base.rawEmbeddedThumbnailPhotoFormat = try rawEmbeddedThumbnailPhotoFormat.map {
          dictionary throws(AVError) in
          try CapturePhotoSettings.ThumbnailFormat(dictionary: dictionary)
        }
      } catch { note(error) }
    }
  }

  /// The codes of pictures to show at once.
  public var availablePreviewPhotoPixelFormatTypes: [OSType] { [kCVPixelFormatType_24BGR] }

  /// A picture to show at once: one of ``availablePreviewPhotoPixelFormatTypes``, and the most of its
  /// width or height, which is 160 unless told otherwise; nil for none.
  public var previewPhotoFormat: [String: Any]? {
    didSet {
      do throws(AVError) {
        base.previewMaximumSide = try previewPhotoFormat.map { dictionary throws(AVError) in
          let wanted = try PixelBufferAttributes(dictionary)
          guard wanted.format == .bgr24 else {
            throw AVError(
              .unsupportedOutputSettings,
              "preview: kCVPixelBufferPixelFormatTypeKey is to be kCVPixelFormatType_24BGR")
          }
          return [wanted.width, wanted.height].compactMap { $0 }.max() ?? 160
        }
      } catch { note(error) }
    }
  }

  /// The most of a photo's size. Photos have that of the source; 0x0, as at first, and what is no
  /// smaller stand for it, and what is smaller is a mistake.
  public var maxPhotoDimensions = CMVideoDimensions()

  /// Apple's, for cameras that move: nothing here is stabilized, so true is a mistake.
  public var isAutoStillImageStabilizationEnabled = false

  /// Apple's: photos have the full size of the source in any case.
  public var isHighResolutionPhotoEnabled = false

  /// Keys of ``metadata`` that no file stores, such as `{GPS}.Speed`.
  public internal(set) var unwrittenMetadata: [String] = []

  /// What is wrong with ``metadata``; nil for nothing.
  var metadataMistake: AVError?

  private func note(_ error: AVError) { mistake = mistake ?? error }

  /// The settings behind, or what is wrong with what was set.
  func settings(
    for size: VideoDimensions, baseISO: Double
  ) throws(AVError) -> CapturePhotoSettings {
    if let mistake = mistake ?? metadataMistake { throw mistake }
    guard !isAutoStillImageStabilizationEnabled else {
      throw AVError(
        .unsupportedOutputSettings,
        "isAutoStillImageStabilizationEnabled is true, which is not supported")
    }
    let most = maxPhotoDimensions
    let isEnough = Int(most.width) >= size.width && Int(most.height) >= size.height
    guard most == CMVideoDimensions() || isEnough else {
      throw AVError(
        .unsupportedOutputSettings,
        "maxPhotoDimensions is \(most.width)x\(most.height), and photos are of \(size)")
    }
    return base
  }
}

/// Several exposures, each a photo of its own.
public final class AVCapturePhotoBracketSettings: AVCapturePhotoSettings {
  /// The exposures.
  public let bracketedSettings: [AVCaptureBracketedStillImageSettings]
  /// False: no lens moves against shake. Setting it has no effect.
  public var isLensStabilizationEnabled: Bool {
    get { false }
    set {}
  }

  /// A bracket: each exposure makes a photo of each format; 0 stands for no RAW photo.
  public init(
    rawPixelFormatType: OSType, processedFormat: [String: Any]?,
    bracketedSettings: [AVCaptureBracketedStillImageSettings]
  ) {
    self.bracketedSettings = bracketedSettings
    super.init(
      raw: rawPixelFormatType, processed: processedFormat,
      bracket: bracketedSettings.map { $0.settings(baseISO: 100) })
    if bracketedSettings.isEmpty {
      mistake = AVError(.unsupportedOutputSettings, "a bracket has one exposure at least")
    }
  }

  override func settings(
    for size: VideoDimensions, baseISO: Double
  ) throws(AVError) -> CapturePhotoSettings {
    var settings = try super.settings(for: size, baseISO: baseISO)
    settings.bracketedSettings = bracketedSettings.map { $0.settings(baseISO: baseISO) }
    return settings
  }
}

/// One exposure of a bracket.
public class AVCaptureBracketedStillImageSettings {
  fileprivate init() {}
  fileprivate func settings(baseISO: Double) -> CaptureBracketedStillImageSettings {
    .autoExposure(exposureTargetBias: 0)
  }
}

/// So many stops from the device's present exposure.
public final class AVCaptureAutoExposureBracketedStillImageSettings:
  AVCaptureBracketedStillImageSettings
{
  /// Stops.
  public let exposureTargetBias: Float

  private init(bias: Float) { exposureTargetBias = bias }

  /// An exposure of so many stops from the present one.
  public static func autoExposureSettings(
    exposureTargetBias: Float
  ) -> AVCaptureAutoExposureBracketedStillImageSettings {
    AVCaptureAutoExposureBracketedStillImageSettings(bias: exposureTargetBias)
  }

  override func settings(baseISO: Double) -> CaptureBracketedStillImageSettings {
    .autoExposure(exposureTargetBias: Double(exposureTargetBias))
  }
}

/// An exposure by itself.
public final class AVCaptureManualExposureBracketedStillImageSettings:
  AVCaptureBracketedStillImageSettings
{
  /// How long.
  public let exposureDuration: CMTime
  /// The sensitivity.
  public let iso: Float

  private init(duration: CMTime, iso: Float) {
    exposureDuration = duration
    self.iso = iso
  }

  /// An exposure from its duration and sensitivity: of a sensor whose calibration names no base
  /// sensitivity, 100 stands for a gain of 1.
  public static func manualExposureSettings(
    exposureDuration: CMTime, iso: Float
  ) -> AVCaptureManualExposureBracketedStillImageSettings {
    AVCaptureManualExposureBracketedStillImageSettings(duration: exposureDuration, iso: iso)
  }

  override func settings(baseISO: Double) -> CaptureBracketedStillImageSettings {
    .manualExposure(
      SensorExposure(duration: exposureDuration.seconds, gain: Double(iso) / baseISO))
  }
}

extension ProcessedPhotoFormat {
  /// A processed photo from one of Apple's dictionaries.
  init(dictionary: [String: Any]) throws(AVError) {
    var reader = SettingsReader(dictionary, "photo format")
    guard let code = try reader.text(AVVideoCodecKey) else { throw reader.missing(AVVideoCodecKey) }
    guard let codec = PhotoCodecType(AVVideoCodecType(rawValue: code)) else {
      throw reader.wrong(AVVideoCodecKey, "'\(code)' makes no photos; use jpeg or hvc1")
    }
    var quality = 0.9
    if var compression = try reader.settings(AVVideoCompressionPropertiesKey) {
      quality = try compression.number(AVVideoQualityKey) ?? quality
      try compression.finish()
    }
    guard (0...1).contains(quality) else {
      throw reader.wrong(AVVideoQualityKey, "\(quality) is out of its range, 0 to 1")
    }
    try reader.finish()
    self.init(codec: codec, quality: quality)
  }
}

extension CapturePhotoSettings.ThumbnailFormat {
  /// A picture within a RAW file from one of Apple's dictionaries.
  init(dictionary: [String: Any]) throws(AVError) {
    var reader = SettingsReader(dictionary, "thumbnail format")
    guard let code = try reader.text(AVVideoCodecKey) else { throw reader.missing(AVVideoCodecKey) }
    guard PhotoCodecType(AVVideoCodecType(rawValue: code)) == .jpeg else {
      throw reader.wrong(AVVideoCodecKey, "'\(code)' makes no thumbnails; use jpeg")
    }
    let width = try reader.integer(AVVideoWidthKey) ?? 0
    let height = try reader.integer(AVVideoHeightKey) ?? 0
    guard width >= 0, height >= 0 else {
      throw reader.wrong(AVVideoWidthKey, "\(width)x\(height) has a negative side")
    }
    try reader.finish()
    let full = Int(Int32.max)
    self.init(
      codec: .jpeg,
      dimensions: VideoDimensions(
        width: width == 0 ? full : width, height: height == 0 ? full : height))
  }
}

extension PhotoCodecType {
  /// The codec by Apple's name.
  var videoCodecType: AVVideoCodecType {
    switch self {
    case .jpeg: .jpeg
    case .hevc: .hevc
    }
  }

  init?(_ codec: AVVideoCodecType) {
    guard let match = Self.allCases.first(where: { $0.videoCodecType == codec }) else {
      return nil
    }
    self = match
  }
}
