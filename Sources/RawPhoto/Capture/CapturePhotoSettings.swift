public import DNG
public import MediaCore
import Synchronization

/// One exposure of a bracket, as `AVCaptureBracketedStillImageSettings` is.
public enum CaptureBracketedStillImageSettings: Sendable, Hashable {
  /// So many stops from the device's present exposure.
  case autoExposure(exposureTargetBias: Double)
  /// An exposure by itself.
  case manualExposure(SensorExposure)
}

/// What a photo is to be, as `AVCapturePhotoSettings` is, the bracket form among it.
///
/// Settings make one photo: each has a ``uniqueID``, and an output refuses one that it has seen.
/// ``init(from:)`` makes new settings like old ones.
public struct CapturePhotoSettings: Sendable {
  /// A processed photo.
  public typealias ProcessedFormat = ProcessedPhotoFormat

  /// A picture within a RAW file.
  public struct ThumbnailFormat: Sendable, Hashable {
    /// The codec, one of ``availableRawEmbeddedThumbnailPhotoCodecTypes``.
    public var codec: PhotoCodecType
    /// The size, which is brought down to that of the photo.
    public var dimensions: VideoDimensions

    /// A picture of some size at most.
    public init(codec: PhotoCodecType = .jpeg, dimensions: VideoDimensions) {
      self.codec = codec
      self.dimensions = dimensions
    }
  }

  private static let counter = Atomic<Int64>(0)

  /// The identity of the settings.
  public let uniqueID: Int64
  /// The RAW format, one of the output's; nil for no RAW photo.
  public let rawPhotoPixelFormatType: FourCharCode?
  /// The processed photo; nil for none.
  public let processedFormat: ProcessedFormat?
  /// The exposures of a bracket, each a photo of its own; empty for a single one.
  public package(set) var bracketedSettings: [CaptureBracketedStillImageSettings]
  /// What matters more: at first `.speed` for Bayer formats, which have no other, and `.balanced`
  /// for everything else.
  public var photoQualityPrioritization: PhotoQualityPrioritization
  /// The picture within the RAW file; nil for none.
  public var rawEmbeddedThumbnailPhotoFormat: ThumbnailFormat?
  /// The longer side of a picture to show at once; nil for none.
  public var previewMaximumSide: Int?
  /// The stops of the exposures that are merged into one ProRAW photo; nil for those of the quality
  /// priority.
  public var fusionExposureBiases: [Double]?
  /// What the files say beyond what the device knows.
  public var metadata = PhotoMetadata()

  /// The codecs of a picture within a RAW file.
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

  /// A processed photo alone.
  public init(format: ProcessedFormat = ProcessedFormat(codec: .jpeg)) {
    self.init(raw: nil, processed: format, bracket: [])
  }

  /// A RAW photo, and a processed one of the same exposure.
  public init(rawPixelFormatType: FourCharCode, processedFormat: ProcessedFormat? = nil) {
    self.init(raw: rawPixelFormatType, processed: processedFormat, bracket: [])
  }

  /// A bracket: each exposure makes a photo of each format.
  public init(
    rawPixelFormatType: FourCharCode?, processedFormat: ProcessedFormat?,
    bracketedSettings: [CaptureBracketedStillImageSettings]
  ) {
    self.init(raw: rawPixelFormatType, processed: processedFormat, bracket: bracketedSettings)
  }

  /// New settings like those given, with an identity of their own.
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

/// What a request came to, as `AVCaptureResolvedPhotoSettings` is.
public struct ResolvedPhotoSettings: Sendable, Hashable {
  /// The identity of the settings.
  public var uniqueID: Int64
  /// Photos that the capture makes: exposures times formats.
  public var expectedPhotoCount: Int
  /// The size of RAW photos; 0x0 without one.
  public var rawPhotoDimensions: VideoDimensions
  /// The size of processed photos; 0x0 without one.
  public var photoDimensions: VideoDimensions
  /// The size of the picture within the RAW file; 0x0 without one.
  public var rawEmbeddedThumbnailDimensions: VideoDimensions
  /// The size of the picture to show at once; 0x0 without one.
  public var previewDimensions: VideoDimensions
  /// The exposures that are taken, in their order.
  public var exposures: [SensorExposure]
  /// What the user should know: a calibration that is missing.
  public var warnings: [String]
}
