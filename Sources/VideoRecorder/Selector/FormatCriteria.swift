import CaptureDevices
public import MediaCore

/// What a format must be to be chosen. Everything that is nil or empty is left open.
public struct FormatCriteria: Sendable, Hashable {
  /// A largest size, and the fastest rate at it.
  public struct Bound: Sendable, Hashable {
    /// The largest size.
    public var maximumDimensions: VideoDimensions
    /// The fastest rate.
    public var maximumFrameRate: FrameRate

    public init(maximumDimensions: VideoDimensions, maximumFrameRate: FrameRate) {
      self.maximumDimensions = maximumDimensions
      self.maximumFrameRate = maximumFrameRate
    }

    /// True if frames of a size and rate stay within the bound.
    public func allows(_ dimensions: VideoDimensions, at rate: FrameRate) -> Bool {
      dimensions.width <= maximumDimensions.width
        && dimensions.height <= maximumDimensions.height && rate <= maximumFrameRate
    }
  }

  /// Apple's class of the frames, such as `x422`, which any 10-bit 4:2:2 layout answers.
  public var mediaSubType: FourCharCode?
  /// Layouts, where only some will do.
  public var pixelFormats: Set<PixelFormat>
  /// The size.
  public var dimensions: VideoDimensions?
  public var frameRate: FrameRate?
  /// Tiers that may be used; 1 and 2, which hold true 10-bit 4:2:2, unless the user allows more.
  public var allowedTiers: Set<FormatTier>
  /// Progressive, or the order of the two fields.
  public var fieldOrder: FieldOrder?
  /// The codec that the video is for: 4444 and XQ demand 4:4:4.
  public var codec: VideoCodecType?
  /// The input of the device (V4L2 index).
  public var inputIndex: Int?
  /// Bounds on size and rate, of which one must allow the format; empty for none.
  public var bounds: [Bound] = []

  /// Criteria; with none given, any true 10-bit 4:2:2 format fits.
  public init(
    mediaSubType: FourCharCode? = nil, pixelFormats: Set<PixelFormat> = [],
    dimensions: VideoDimensions? = nil, frameRate: FrameRate? = nil,
    allowedTiers: Set<FormatTier> = FormatTier.true10Bit422, fieldOrder: FieldOrder? = nil,
    codec: VideoCodecType? = nil, inputIndex: Int? = nil
  ) {
    self.mediaSubType = mediaSubType
    self.pixelFormats = pixelFormats
    self.dimensions = dimensions
    self.frameRate = frameRate
    self.allowedTiers = allowedTiers
    self.fieldOrder = fieldOrder
    self.codec = codec
    self.inputIndex = inputIndex
  }

  /// The rate to ask for with a format that fits: the one demanded, else the highest that the
  /// bounds allow; nil where the device does not say which it has.
  public func frameRate(for format: CaptureDevice.Format) -> FrameRate? {
    if let frameRate { return frameRate }
    let ends = format.videoSupportedFrameRateRanges.flatMap { [$0.minFrameRate, $0.maxFrameRate] }
    let inRanges = FrameRate.standard.filter { rate in
      format.videoSupportedFrameRateRanges.contains { $0.contains(rate) }
    }
    return (format.frameRates + ends + inRanges)
      .filter { allows(format.dimensions, at: $0) }
      .max()
  }

  func allows(_ dimensions: VideoDimensions, at rate: FrameRate) -> Bool {
    bounds.isEmpty || bounds.contains { $0.allows(dimensions, at: rate) }
  }
}

/// The requirements for choosing an audio format. Nil means any value.
public struct AudioFormatCriteria: Sendable, Hashable {
  /// Frames a second.
  public var sampleRate: Int?
  public var channelCount: Int?
  /// How a sample is stored.
  public var sampleFormat: AudioFormat.SampleFormat?

  /// Criteria; with none given, 48 kHz, 24 bits and two channels are preferred.
  public init(
    sampleRate: Int? = nil, channelCount: Int? = nil,
    sampleFormat: AudioFormat.SampleFormat? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
  }
}
