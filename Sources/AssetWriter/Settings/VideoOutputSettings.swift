public import MediaCore
public import QuickTime

/// How a video track is made.
public struct VideoOutputSettings: Hashable, Sendable {
  /// What a constant-rate track does where frames are missing.
  public enum GapPolicy: String, Hashable, Sendable, Codable {
    /// The frame before the gap is shown again, once for each missing frame: its packet is written
    /// again, so that the rate stays constant, as editors want it. Counted in the report.
    case repeatPreviousFrame
    /// The frame before the gap lasts until the next one: no data, but a variable rate.
    case extendPreviousFrame
  }

  public var codec: VideoCodecType
  /// Pixels in a row; the same as in the appended frames.
  public var width: Int
  /// Rows of the frame; the same as in the appended frames.
  public var height: Int
  /// What the encoder of H.264 or HEVC is told.
  public var compression = VideoCompression()
  /// The ProRes encoder.
  public var encoder: EncoderChoice
  /// The rate of the track. Each frame goes to the slot nearest to its time. Nil for that of the first
  /// sample's duration, or, where ``keepsFrameTimes`` is true, for no rate.
  public var frameRate: FrameRate?
  /// True to write each frame at the time with which it is appended, to 1/1200000 s, where ``frameRate``
  /// is nil: it lasts until the next one, the last one for as long as its sample says, else as the one
  /// before. Such a track has no timecode. False unless set.
  public var keepsFrameTimes = false
  /// What happens where a slot stays empty; no meaning without a rate.
  public var gapPolicy: GapPolicy
  /// The color to declare; nil for what the source format hint or the first frame says.
  public var color: ColorDescription?
  /// The field order to encode and to declare; nil for what the source format hint or the first
  /// frame says.
  public var fieldOrder: FieldOrder?
  /// The pixels' shape; nil for what the source format hint or the first frame says.
  public var pixelAspectRatio: PixelAspectRatio?
  /// The part of the frame that is meant to be seen; nil for all of it.
  public var cleanAperture: CleanAperture?
  /// The mastering display of HDR video; nil for none.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// How bright HDR video gets; nil if unknown.
  public var contentLightLevel: ContentLightLevel?
  /// Whether a 4444 track carries the source's alpha plane, where it has one.
  public var includesAlpha: Bool
  /// Threads that encode; nil for one a processor core.
  public var encoderThreads: Int?
  /// Frames after which the native encoder begins afresh, counted from the first one, so that a movie
  /// that is encoded in pieces of so many frames has the same bytes; nil for never.
  public var restartInterval: Int?
  /// Frames that may wait for the encoder or the disk; nil for one to two seconds of frames in real
  /// time, as memory allows, and a few otherwise.
  public var queueDepth: Int?
  /// The track's name; nil for none.
  public var name: String?
  /// How far a player rotates the video, in clockwise quarter turns; the frames stay as they are.
  public var quarterTurns = 0
  /// The track's language as ISO 639-2; nil where not known.
  public var language: String?
  /// The sample entry's decoder configuration, if the appended pixel buffers carry frames that were
  /// compressed before (``CarriedFrame``): empty for ProRes. Nil for frames that are to be compressed.
  package var carriedConfiguration: [UInt8]?

  /// Settings of a codec, a size and, for a constant rate, a frame rate.
  public init(
    codec: VideoCodecType, width: Int, height: Int, frameRate: FrameRate? = nil,
    encoder: EncoderChoice = .automatic
  ) {
    self.codec = codec
    self.width = width
    self.height = height
    self.encoder = encoder
    self.frameRate = frameRate
    self.gapPolicy = .repeatPreviousFrame
    self.color = nil
    self.fieldOrder = nil
    self.pixelAspectRatio = nil
    self.cleanAperture = nil
    self.masteringDisplay = nil
    self.contentLightLevel = nil
    self.includesAlpha = true
    self.encoderThreads = nil
    self.queueDepth = nil
    self.name = nil
  }

  /// The size.
  public var dimensions: VideoDimensions { VideoDimensions(width: width, height: height) }
}

extension VideoOutputSettings {
  /// The grid on which frames lie that have no rate: usual rates are whole numbers of its units, and its
  /// own numerator is the track's time scale.
  static let fineGrid = FrameRate(1_200_000)

  /// The grid of the track, where it has no rate.
  var grid: FrameRate? { frameRate == nil && keepsFrameTimes ? Self.fineGrid : nil }

  /// Refuses what no track can have.
  ///
  /// - Throws: ``AssetWriterError/Code/invalidSettings``, ``AssetWriterError/Code/encoderUnavailable``.
  package func validate() throws(AssetWriterError) {
    guard codec.isProRes || codec.isInterframe else {
      throw AssetWriterError(
        .invalidSettings,
        "\(codec) is not a codec for movies; choose one of VideoCodecType.allProRes or "
          + "VideoCodecType.allInterframe")
    }
    guard (16...8192).contains(width), (16...8192).contains(height) else {
      throw AssetWriterError(
        .invalidSettings, "\(dimensions) cannot be encoded; each side is 16 to 8192 pixels")
    }
    if let encoderThreads, !(1...256).contains(encoderThreads) {
      throw AssetWriterError(
        .invalidSettings, "\(encoderThreads) encoder threads are not possible; use 1 to 256")
    }
    if let restartInterval, restartInterval < 1 {
      throw AssetWriterError(
        .invalidSettings, "invalid restart interval \(restartInterval); use 1 frame or more")
    }
    if let queueDepth, !(1...4096).contains(queueDepth) {
      throw AssetWriterError(
        .invalidSettings, "invalid queue depth \(queueDepth); use 1 to 4096")
    }
    if codec.isInterframe {
      try validateInterframe()
    } else if compression != VideoCompression() {
      throw AssetWriterError(
        .invalidSettings,
        "\(codec) has no settings for bit rate, profile or key frames; its name decides")
    }
  }
}
