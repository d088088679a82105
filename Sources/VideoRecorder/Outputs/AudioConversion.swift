public import MediaCore

/// The format that a data output converts audio to; what is nil stays as the device delivers it.
public struct AudioConversion: Sendable, Hashable {
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
