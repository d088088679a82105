/// What a stream of samples holds.
public enum FormatDescription: Hashable, Sendable {
  /// Video.
  case video(VideoFormatDescription)
  /// Audio.
  case audio(AudioFormat)
  /// Addresses of frames.
  case timecode(TimecodeFormatDescription)
  /// Facts that hold for a while.
  case metadata(MetadataFormatDescription)

  /// What the samples are.
  public var mediaType: MediaType {
    switch self {
    case .video: .video
    case .audio: .audio
    case .timecode: .timecode
    case .metadata: .metadata
    }
  }
}

/// The format of a video stream, compressed or not.
public struct VideoFormatDescription: Hashable, Sendable {
  /// The codec or layout: Apple's class name of the pixel format (`x422`), or a codec such as
  /// `MJPG` where the device compresses.
  public var mediaSubType: FourCharCode
  /// The layout of the frames; nil if they are compressed.
  public var pixelFormat: PixelFormat?
  /// The size.
  public var dimensions: VideoDimensions
  /// What the numbers mean.
  public var color: ColorDescription
  /// Progressive, or the order of the two fields.
  public var fieldOrder: FieldOrder
  /// The shape of a pixel.
  public var pixelAspectRatio: PixelAspectRatio
  /// The configuration of an H.264 or HEVC decoder: the record of the sample entry (`avcC`, `hvcC`). Empty if there
  /// is none.
  public var decoderConfiguration: [UInt8] = []

  /// A description of uncompressed video.
  public init(_ details: PixelBuffer.Description) {
    self.mediaSubType =
      details.format.appleClass(range: details.color.range)
      ?? details.format.descriptor.v4l2Codes.first ?? FourCharCode(rawValue: 0)
    self.pixelFormat = details.format
    self.dimensions = VideoDimensions(width: details.width, height: details.height)
    self.color = details.color
    self.fieldOrder = details.fieldOrder
    self.pixelAspectRatio = details.pixelAspectRatio
  }

  /// A description of compressed video.
  public init(
    codec: FourCharCode, dimensions: VideoDimensions, color: ColorDescription = .unspecified,
    fieldOrder: FieldOrder = .progressive, pixelAspectRatio: PixelAspectRatio = .square
  ) {
    self.mediaSubType = codec
    self.pixelFormat = nil
    self.dimensions = dimensions
    self.color = color
    self.fieldOrder = fieldOrder
    self.pixelAspectRatio = pixelAspectRatio
  }
}
