public import MediaCore

extension CaptureDevice {
  /// One thing that a device can deliver, as `AVCaptureDevice.Format` is.
  public struct Format: Sendable, Hashable {
    /// What the samples are: layout, size, color; or PCM.
    public var formatDescription: FormatDescription
    /// The device's own code of the format: the V4L2 fourcc, as the device gave it.
    public var nativeCode: FourCharCode?
    /// Rates the device offers one by one, fastest first; empty where it offers ranges or none.
    public var frameRates: [FrameRate]
    /// Rates the device offers as ranges; a discrete rate is a range of one.
    public var videoSupportedFrameRateRanges: [FrameRateRange]
    /// The device's input (V4L2 index) that the format belongs to.
    public var inputIndex: Int?
    /// True if libv4l2 makes the frames from something else (a compressed or odd format).
    public var isEmulated: Bool

    /// A format from its parts.
    public init(
      formatDescription: FormatDescription, nativeCode: FourCharCode? = nil,
      frameRates: [FrameRate] = [], videoSupportedFrameRateRanges: [FrameRateRange]? = nil,
      inputIndex: Int? = nil, isEmulated: Bool = false
    ) {
      self.formatDescription = formatDescription
      self.nativeCode = nativeCode
      self.frameRates = frameRates
      self.videoSupportedFrameRateRanges =
        videoSupportedFrameRateRanges
        ?? frameRates.map { FrameRateRange(minFrameRate: $0, maxFrameRate: $0) }
      self.inputIndex = inputIndex
      self.isEmulated = isEmulated
    }

    /// The video format; nil for audio.
    public var video: VideoFormatDescription? {
      if case .video(let description) = formatDescription { description } else { nil }
    }

    /// The audio format; nil for a video format.
    public var audio: AudioFormat? {
      if case .audio(let format) = formatDescription { format } else { nil }
    }

    /// The size of the frames; 0x0 for audio.
    public var dimensions: VideoDimensions {
      video?.dimensions ?? VideoDimensions(width: 0, height: 0)
    }
  }

  /// A span of frame rates, as `AVFrameRateRange` is.
  public struct FrameRateRange: Sendable, Hashable {
    /// The lowest rate of the range.
    public var minFrameRate: FrameRate
    /// The highest rate of the range.
    public var maxFrameRate: FrameRate

    /// A span from the slowest rate to the fastest.
    public init(minFrameRate: FrameRate, maxFrameRate: FrameRate) {
      self.minFrameRate = minFrameRate
      self.maxFrameRate = maxFrameRate
    }

    /// True where a rate lies in the span, its ends included.
    public func contains(_ rate: FrameRate) -> Bool {
      rate >= minFrameRate && rate <= maxFrameRate
    }

    /// The longest frame: that of the slowest rate.
    public var maxFrameDuration: MediaTime { minFrameRate.frameDuration }
    /// The shortest frame: that of the fastest rate.
    public var minFrameDuration: MediaTime { maxFrameRate.frameDuration }
  }
}

extension CaptureDevice.Format {
  /// True for 4:4:4 and RGB.
  package var is444: Bool {
    guard let subsampling = video?.pixelFormat?.descriptor.subsampling else { return false }
    return subsampling == .yuv444 || subsampling == .rgb
  }

  /// True where the device gives the format at a rate, or does not say at which rates it does.
  public func supports(_ rate: FrameRate) -> Bool {
    videoSupportedFrameRateRanges.isEmpty || frameRates.contains(rate)
      || videoSupportedFrameRateRanges.contains { $0.contains(rate) }
  }

  /// The highest rate; nil where the device does not say.
  public var highestFrameRate: FrameRate? {
    videoSupportedFrameRateRanges.map(\.maxFrameRate).max()
  }

  /// The rates in words: `25, 50` or `1 to 60`.
  package var rateSummary: String {
    if !frameRates.isEmpty { return frameRates.map(\.description).joined(separator: ", ") }
    if videoSupportedFrameRateRanges.isEmpty { return "rates that it does not report" }
    return videoSupportedFrameRateRanges.map { range in
      range.minFrameRate == range.maxFrameRate
        ? "\(range.minFrameRate)" : "\(range.minFrameRate) to \(range.maxFrameRate)"
    }.joined(separator: ", ")
  }
}

extension CaptureDevice.Format: CustomStringConvertible {
  /// Layout, size, scanning: `Y210 1920x1080`, `UYVY 1920x1080 interlaced`; or the audio format.
  public var description: String {
    guard let video else {
      guard let audio else { return "nothing" }
      return "\(audio.sampleRate) Hz, \(audio.channelCount) channels, \(audio.sampleFormat)"
    }
    let layout =
      nativeCode?.description ?? video.pixelFormat?.description ?? video.mediaSubType.description
    return "\(layout) \(video.dimensions)"
      + (video.fieldOrder.isInterlaced ? " interlaced" : "") + (isEmulated ? " (emulated)" : "")
  }
}
