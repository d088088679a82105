public import DNG
public import MediaCore
import Synchronization

/// One exposure of a bracket, like `AVCaptureBracketedStillImageSettings`.
public enum CaptureBracketedStillImageSettings: Sendable, Hashable {
  /// An offset in stops from the device's present exposure.
  case autoExposure(exposureTargetBias: Double)
  /// An absolute exposure.
  case manualExposure(SensorExposure)
}

/// Settings of a photo, like `AVCapturePhotoSettings` and its bracket form.
///
/// Settings are used for one photo: each has a ``uniqueID``, and an output refuses one that it has seen before.
/// ``init(from:)`` makes a copy that can be used again.
public struct CapturePhotoSettings: Sendable {
  /// A processed photo.
  public typealias ProcessedFormat = ProcessedPhotoFormat

  /// The format of the preview in a RAW file.
  public struct ThumbnailFormat: Sendable, Hashable {
    /// The codec, one of ``availableRawEmbeddedThumbnailPhotoCodecTypes``.
    public var codec: PhotoCodecType
    /// The size, which is reduced to fit within the photo's.
    public var dimensions: VideoDimensions

    /// A preview with a maximum size.
    public init(codec: PhotoCodecType = .jpeg, dimensions: VideoDimensions) {
      self.codec = codec
      self.dimensions = dimensions
    }
  }

  private static let counter = Atomic<Int64>(0)

  /// The unique ID of the settings.
  public let uniqueID: Int64
  /// The RAW format, one of the output's; nil for no RAW photo.
  public let rawPhotoPixelFormatType: FourCharCode?
  /// The format of the processed photo; nil for none.
  public let processedFormat: ProcessedFormat?
  /// The exposures of a bracket, each of which becomes a separate photo; empty for a single exposure.
  public package(set) var bracketedSettings: [CaptureBracketedStillImageSettings]
  /// The priority of speed or quality: by default `.speed` for Bayer formats, which allow no other, and `.balanced`
  /// for everything else.
  public var photoQualityPrioritization: PhotoQualityPrioritization
  /// The preview in the RAW file; nil for none.
  public var rawEmbeddedThumbnailPhotoFormat: ThumbnailFormat?
  /// The longer side of an image for immediate display; nil for none.
  public var previewMaximumSide: Int?
  /// The offsets in stops of the exposures merged into a ProRAW photo; nil for those of the quality priority.
  public var fusionExposureBiases: [Double]?
  /// Metadata in addition to the device's.
  public var metadata = PhotoMetadata()

  /// The codecs available for the preview in a RAW file.
  public var availableRawEmbeddedThumbnailPhotoCodecTypes: [PhotoCodecType] { [.jpeg] }

  private init(
    raw: FourCharCode?, processed: ProcessedFormat?,
    bracket: [CaptureBracketedStillImageSettings]
  ) {
    uniqueID = Self.counter.wrappingAdd(1, ordering: .relaxed).newValue
    rawPhotoPixelFormatType = raw
    processedFormat = processed
    bracketedSettings = bracket
    let isBayer = raw.map { CapturePhotoOutput.isBayerRAWPixelFormat($0) } ?? false
    photoQualityPrioritization = isBayer ? .speed : .balanced
  }

  /// Settings for a processed photo only.
  public init(format: ProcessedFormat = ProcessedFormat(codec: .jpeg)) {
    self.init(raw: nil, processed: format, bracket: [])
  }

  /// Settings for a RAW photo, and optionally a processed one of the same exposure.
  public init(rawPixelFormatType: FourCharCode, processedFormat: ProcessedFormat? = nil) {
    self.init(raw: rawPixelFormatType, processed: processedFormat, bracket: [])
  }

  /// Settings for a bracket: each exposure becomes a photo in each format.
  public init(
    rawPixelFormatType: FourCharCode?, processedFormat: ProcessedFormat?,
    bracketedSettings: [CaptureBracketedStillImageSettings]
  ) {
    self.init(raw: rawPixelFormatType, processed: processedFormat, bracket: bracketedSettings)
  }

  /// A copy of settings with a new ``uniqueID``.
  public init(from other: CapturePhotoSettings) {
    self.init(
      raw: other.rawPhotoPixelFormatType, processed: other.processedFormat,
      bracket: other.bracketedSettings)
    photoQualityPrioritization = other.photoQualityPrioritization
    rawEmbeddedThumbnailPhotoFormat = other.rawEmbeddedThumbnailPhotoFormat
    previewMaximumSide = other.previewMaximumSide
    fusionExposureBiases = other.fusionExposureBiases
    metadata = other.metadata
  }
}

/// The resolved settings of a capture, like `AVCaptureResolvedPhotoSettings`.
public struct ResolvedPhotoSettings: Sendable, Hashable {
  /// The unique ID of the settings.
  public var uniqueID: Int64
  /// The number of photos that the capture makes: exposures times formats.
  public var expectedPhotoCount: Int
  /// The size of RAW photos; 0x0 if there are none.
  public var rawPhotoDimensions: VideoDimensions
  /// The size of processed photos; 0x0 if there are none.
  public var photoDimensions: VideoDimensions
  /// The size of the preview in the RAW file; 0x0 if there is none.
  public var rawEmbeddedThumbnailDimensions: VideoDimensions
  /// The size of the image for immediate display; 0x0 if there is none.
  public var previewDimensions: VideoDimensions
  /// The exposures taken, in order.
  public var exposures: [SensorExposure]
  /// Warnings for the user, such as about a missing calibration.
  public var warnings: [String]
}
