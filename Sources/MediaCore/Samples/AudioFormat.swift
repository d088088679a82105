/// Linear PCM: how audio is stored.
public struct AudioFormat: Hashable, Sendable {
  /// How one sample is stored, little-endian. Devices and tracks have whole numbers; floats are what
  /// programs hand over and are handed.
  public enum SampleFormat: String, Sendable, Hashable, CaseIterable {
    /// 16 bits in two bytes.
    case int16
    /// 24 bits in three bytes.
    case int24
    /// 32 bits in four bytes.
    case int32
    /// A float of 32 bits; the loudest are -1 and 1.
    case float32

    /// Bytes of a sample.
    public var byteCount: Int {
      switch self {
      case .int16: 2
      case .int24: 3
      case .int32, .float32: 4
      }
    }
    /// Bits of a sample.
    public var bitDepth: Int { byteCount * 8 }
  }

  /// Frames a second.
  public var sampleRate: Int
  /// Samples in a frame, 1 to 64.
  public var channelCount: Int
  /// How a sample is stored.
  public var sampleFormat: SampleFormat

  /// A format of interleaved samples.
  public init(sampleRate: Int, channelCount: Int, sampleFormat: SampleFormat) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.sampleFormat = sampleFormat
  }

  /// Bytes of one sample of every channel.
  public var bytesPerFrame: Int { channelCount.multipliedSaturating(by: sampleFormat.byteCount) }

  /// The exact duration of `frames`.
  public func duration(ofFrames frames: Int) -> MediaTime {
    MediaTime(value: Int64(frames), timescale: Int32(clamping: sampleRate))
  }
}
