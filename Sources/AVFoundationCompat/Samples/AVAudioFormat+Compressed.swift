import AssetWriter
import MediaCore

extension AVAudioFormat {
  static func framesPerPacket(_ compression: AudioCompression) -> UInt32 {
    if case .appleLossless = compression { 4096 } else { 1024 }
  }

  /// Core Audio's description of a compressed format.
  static func numbers(of settings: AudioOutputSettings) -> AudioStreamBasicDescription {
    let isLossless = settings.compression == .appleLossless
    // Apple Lossless encodes the source's bit depth in the flags.
    let depth: AudioFormatFlags = settings.format.sampleFormat == .int16 ? 1 : 3
    return AudioStreamBasicDescription(
      mSampleRate: Double(settings.format.sampleRate),
      mFormatID: isLossless ? kAudioFormatAppleLossless : kAudioFormatMPEG4AAC,
      mFormatFlags: isLossless ? depth : 0, mBytesPerPacket: 0,
      mFramesPerPacket: framesPerPacket(settings.compression), mBytesPerFrame: 0,
      mChannelsPerFrame: UInt32(clamping: settings.format.channelCount), mBitsPerChannel: 0,
      mReserved: 0)
  }

  /// Settings for a description of AAC or Apple Lossless; nil for other codecs, and for sample rates and channel
  /// counts that the encoders do not support.
  static func settings(of numbers: AudioStreamBasicDescription) -> AudioOutputSettings? {
    let isLossless = numbers.mFormatID == kAudioFormatAppleLossless
    guard isLossless || numbers.mFormatID == kAudioFormatMPEG4AAC,
      let rate = Int(exactly: numbers.mSampleRate)
    else { return nil }
    let stored: AudioFormat.SampleFormat = isLossless && numbers.mFormatFlags == 1 ? .int16 : .int24
    var settings = AudioOutputSettings(
      format: AudioFormat(
        sampleRate: rate, channelCount: Int(numbers.mChannelsPerFrame), sampleFormat: stored))
    settings.compression = isLossless ? .appleLossless : .aac(bitRate: nil)
    return isMade(settings) ? settings : nil
  }

  /// True if the encoder, if available, supports the settings.
  static func isMade(_ settings: AudioOutputSettings) -> Bool {
    guard (1...2).contains(settings.format.channelCount), settings.format.sampleRate > 0 else {
      return false
    }
    if case .aac = settings.compression {
      return AudioOutputSettings.aacRates.contains(settings.format.sampleRate)
    }
    return settings.format.sampleFormat != .int32
  }

  /// The size of the largest packet in bytes: up to 6144 bits per channel for AAC, and the uncompressed size with 64
  /// bytes of overhead for Apple Lossless.
  var largestPacket: Int {
    guard let compression else { return 0 }
    let channels = compression.format.channelCount
    if case .aac = compression.compression { return 768 * channels }
    return 4096 * compression.format.bytesPerFrame + 64
  }
}
