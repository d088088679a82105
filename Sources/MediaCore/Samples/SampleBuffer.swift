/// A frame or a run of audio with its place in time.
public struct SampleBuffer: Sendable {
  /// The media.
  public enum Content: Sendable {
    /// One frame.
    case video(PixelBuffer)
    /// Consecutive audio frames.
    case audio(AudioBuffer)
  }

  /// What a source says of a sample beyond its time.
  public struct Attachments: Sendable, Hashable {
    /// The device's own count of frames; a gap is a loss.
    public var sequenceNumber: UInt32?
    /// The address of the frame.
    public var timecode: Timecode?
    /// True where the device flagged the data as damaged.
    public var isDamaged = false
    /// Samples or frames that the source lost just before this one.
    public var precedingLoss = 0
    /// When a live device took the sample, on CLOCK_MONOTONIC, where the sample's own time is on
    /// another clock by now; invalid where not known. Latencies count from here.
    public var captureTime = MediaTime.invalid
    /// The exposure of the frame, if the device reports it with each one.
    public var exposure: SensorExposure?

    /// Nothing said.
    public init() {}
  }

  /// The media.
  public let content: Content
  /// When it is shown or heard, on the source's clock (CLOCK_MONOTONIC for live devices).
  public var presentationTimeStamp: MediaTime
  /// How long it lasts; invalid where not known.
  public var duration: MediaTime
  /// What the source says of it.
  public var attachments: Attachments
  /// What a program noted on it; nil where none can.
  package var notes: AttachmentStore?

  /// A sample from its parts.
  public init(
    _ content: Content, presentationTimeStamp: MediaTime, duration: MediaTime = .invalid,
    attachments: Attachments = Attachments()
  ) {
    self.content = content
    self.presentationTimeStamp = presentationTimeStamp
    self.duration = duration
    self.attachments = attachments
  }

  /// ``attachments`` under a name that no other module gives to a form of its own.
  package var sourceFacts: Attachments {
    get { attachments }
    set { attachments = newValue }
  }

  /// The frame, if this is one.
  public var imageBuffer: PixelBuffer? {
    if case .video(let buffer) = content { buffer } else { nil }
  }

  /// The audio; nil for other media.
  public var audioBuffer: AudioBuffer? {
    if case .audio(let buffer) = content { buffer } else { nil }
  }

  /// What the sample holds.
  public var mediaType: MediaType {
    switch content {
    case .video: .video
    case .audio: .audio
    }
  }

  /// Audio frames, or 1 for a video frame.
  public var sampleCount: Int {
    switch content {
    case .video: 1
    case .audio(let buffer): buffer.frameCount
    }
  }

  /// What the sample is, for those who set up an encoder for it.
  public var formatDescription: FormatDescription {
    switch content {
    case .video(let buffer): .video(VideoFormatDescription(buffer.details))
    case .audio(let buffer): .audio(buffer.format)
    }
  }
}
