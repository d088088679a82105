// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore
public import RawPhoto

/// The settings of one photo.
///
/// An error in a dictionary is kept until the capture, which then ends with an ``AVError`` that names the key.
public class AVCapturePhotoSettings {
  var base: CapturePhotoSettings
  /// The first error in what was set.
  var mistake: AVError?

  /// The ID of the settings.
  public var uniqueID: Int64 { base.uniqueID }
  /// The format of the processed photo, as it was passed; nil for none.
  public let format: [String: Any]?
  /// The pixel format of the RAW photo; 0 for none.
  public var rawPhotoPixelFormatType: OSType { base.rawPhotoPixelFormatType?.rawValue ?? 0 }

  /// Only a JPEG.
  public convenience init() { self.init(format: [AVVideoCodecKey: AVVideoCodecType.jpeg]) }

  /// Only a processed photo; nil for a JPEG.
  public convenience init(format: [String: Any]?) {
    self.init(raw: nil, processed: format ?? [AVVideoCodecKey: AVVideoCodecType.jpeg], bracket: [])
  }

  /// Only a RAW photo.
  public convenience init(rawPixelFormatType: OSType) {
    self.init(raw: rawPixelFormatType, processed: nil, bracket: [])
  }

  /// A RAW photo and a processed one of the same exposure.
  public convenience init(rawPixelFormatType: OSType, processedFormat: [String: Any]?) {
    self.init(raw: rawPixelFormatType, processed: processedFormat, bracket: [])
  }

  /// A copy of settings, with a new ID.
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
    // Apple's code for no RAW photo is 0.
    let code = raw.flatMap { $0 == 0 ? nil : MediaCore.FourCharCode(rawValue: $0) }
    base =
      bracket.isEmpty && code == nil
      ? CapturePhotoSettings(format: photo ?? ProcessedPhotoFormat(codec: .jpeg))
      : CapturePhotoSettings(
        rawPixelFormatType: code, processedFormat: photo, bracketedSettings: bracket)
    self.mistake = mistake
  }

  // MARK: Properties

  /// Whether speed or quality matters more.
  public var photoQualityPrioritization: AVCapturePhotoOutput.QualityPrioritization {
    get { base.photoQualityPrioritization }
    set { base.photoQualityPrioritization = newValue }
  }

  /// The codecs of a RAW file's thumbnail.
  public var availableRawEmbeddedThumbnailPhotoCodecTypes: [AVVideoCodecType] {
    base.availableRawEmbeddedThumbnailPhotoCodecTypes.map(\.videoCodecType)
  }

  /// The RAW file's thumbnail: `AVVideoCodecKey`, `AVVideoWidthKey` and `AVVideoHeightKey`; nil for none. Without a
  /// size, or with a size of 0, it is as large as the photo.
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

  /// The pixel formats of previews.
  public var availablePreviewPhotoPixelFormatTypes: [OSType] { [kCVPixelFormatType_24BGR] }

  /// The preview: one of ``availablePreviewPhotoPixelFormatTypes`` and the largest width or height, 160 by default;
  /// nil for none.
  public var previewPhotoFormat: [String: Any]? {
    didSet {
      do throws(AVError) {
        base.previewMaximumSide = try previewPhotoFormat.map { dictionary throws(AVError) in
          let wanted = try PixelBufferAttributes(dictionary)
          guard wanted.format == .bgr24 else {
            throw AVError(
              .unsupportedOutputSettings,
              "preview: kCVPixelBufferPixelFormatTypeKey must be kCVPixelFormatType_24BGR")
          }
          return [wanted.width, wanted.height].compactMap { $0 }.max() ?? 160
        }
      } catch { note(error) }
    }
  }

  /// The largest size of the photo. Photos have the source's size: 0x0, the default, and sizes that are at least as
  /// large are accepted; a smaller one is an error.
  public var maxPhotoDimensions = CMVideoDimensions()

  /// Stabilization is not supported; true is an error.
  public var isAutoStillImageStabilizationEnabled = false

  /// No effect: photos always have the source's size.
  public var isHighResolutionPhotoEnabled = false

  /// Keys of ``metadata`` that no file stores, such as `{GPS}.Speed`.
  public internal(set) var unwrittenMetadata: [String] = []

  /// The error in ``metadata``; nil for none.
  var metadataMistake: AVError?

  private func note(_ error: AVError) { mistake = mistake ?? error }

  /// The underlying settings. Throws the error in what was set, if any.
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
        "maxPhotoDimensions is \(most.width)x\(most.height), but photos are \(size)")
    }
    return base
  }
}

/// Several exposures, each one a separate photo.
public final class AVCapturePhotoBracketSettings: AVCapturePhotoSettings {
  public let bracketedSettings: [AVCaptureBracketedStillImageSettings]
  /// False: lens stabilization is not supported. Setting it has no effect.
  public var isLensStabilizationEnabled: Bool {
    get { false }
    set {}
  }

  /// A bracket: each exposure makes a photo in each format. A RAW format of 0 stands for none.
  public init(
    rawPixelFormatType: OSType, processedFormat: [String: Any]?,
    bracketedSettings: [AVCaptureBracketedStillImageSettings]
  ) {
    self.bracketedSettings = bracketedSettings
    super.init(
      raw: rawPixelFormatType, processed: processedFormat,
      bracket: bracketedSettings.map { $0.settings(baseISO: 100) })
    if bracketedSettings.isEmpty {
      mistake = AVError(.unsupportedOutputSettings, "a bracket needs at least one exposure")
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

/// An exposure relative to the device's present one.
public final class AVCaptureAutoExposureBracketedStillImageSettings:
  AVCaptureBracketedStillImageSettings
{
  /// In stops.
  public let exposureTargetBias: Float

  private init(bias: Float) { exposureTargetBias = bias }

  public static func autoExposureSettings(
    exposureTargetBias: Float
  ) -> AVCaptureAutoExposureBracketedStillImageSettings {
    AVCaptureAutoExposureBracketedStillImageSettings(bias: exposureTargetBias)
  }

  override func settings(baseISO: Double) -> CaptureBracketedStillImageSettings {
    .autoExposure(exposureTargetBias: Double(exposureTargetBias))
  }
}

/// An exposure with explicit duration and sensitivity.
public final class AVCaptureManualExposureBracketedStillImageSettings:
  AVCaptureBracketedStillImageSettings
{
  public let exposureDuration: CMTime
  public let iso: Float

  private init(duration: CMTime, iso: Float) {
    exposureDuration = duration
    self.iso = iso
  }

  /// An explicit exposure. If the sensor's calibration has no base ISO, 100 stands for a gain of 1.
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
  /// A format from a dictionary with Apple's keys.
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
  /// A thumbnail format from a dictionary with Apple's keys.
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
  /// The codec in Apple's type.
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
