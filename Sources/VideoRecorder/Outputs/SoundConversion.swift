import AssetWriter
public import MediaCore
import Synchronization

/// What a data output brings sound to; what it leaves open stays as the device gives it.
public struct SoundConversion: Sendable, Hashable {
  /// Frames a second, 8000 to 192000.
  public var sampleRate: Int?
  /// Channels, 1 to 8: each number is taken for its usual layout, and mixed down or up by libswresample.
  public var channelCount: Int?
  /// How samples are stored.
  public var sampleFormat: AudioFormat.SampleFormat?

  /// Nothing changes.
  public init() {}

  /// What a device's format becomes.
  public func format(of device: AudioFormat) -> AudioFormat {
    AudioFormat(
      sampleRate: sampleRate ?? device.sampleRate,
      channelCount: channelCount ?? device.channelCount,
      sampleFormat: sampleFormat ?? device.sampleFormat)
  }
}

/// Brings a device's sound to the form that is wanted, run after run.
final class SoundDelivery: Sendable {
  private let present = Mutex<SoundConverter?>(nil)

  /// What becomes of a run.
  enum Outcome {
    case sound(SampleBuffer)
    /// It is still in the filter.
    case kept
    /// There is no way to the form, or no memory.
    case impossible
  }

  func convert(_ sample: SampleBuffer, _ sound: AudioBuffer, to wanted: AudioFormat) -> Outcome {
    if sound.format == wanted { return .sound(sample) }
    return present.withLock { present in
      if present?.source != sound.format || present?.target != wanted {
        present = SoundConverter(from: sound.format, to: wanted)
      }
      guard let present else { return .impossible }
      return present.convert(sample).map { .sound($0) } ?? .kept
    }
  }
}
