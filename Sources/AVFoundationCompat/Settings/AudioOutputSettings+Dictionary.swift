public import AssetWriter
public import MediaCore

extension AudioOutputSettings {
  /// Settings from one of Apple's dictionaries.
  ///
  /// - Parameters:
  ///   - dictionary: `AVFormatIDKey` and what else there is; see the porting guide.
  ///   - source: What the sound is, for what the dictionary leaves out; nil to have it say rate and
  ///     channels.
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  public init(dictionary: [String: Any], source: AudioFormat? = nil) throws(AVError) {
    var reader = SettingsReader(dictionary, "audio settings")
    guard let format = try reader.integer(AVFormatIDKey) else {
      throw reader.missing(AVFormatIDKey)
    }
    guard format == Int(kAudioFormatLinearPCM) else {
      let code = UInt32(exactly: format).map { "'\(MediaCore.FourCharCode(rawValue: $0))'" }
      throw reader.wrong(
        AVFormatIDKey, "\(code ?? "\(format)") is not made here; use kAudioFormatLinearPCM")
    }
    let rate = try reader.integer(AVSampleRateKey) ?? source?.sampleRate
    let channels = try reader.integer(AVNumberOfChannelsKey) ?? source?.channelCount
    guard let rate else { throw reader.missing(AVSampleRateKey) }
    guard let channels else { throw reader.missing(AVNumberOfChannelsKey) }
    let depth = try reader.integer(AVLinearPCMBitDepthKey) ?? source?.sampleFormat.bitDepth ?? 24
    let stored = AudioFormat.SampleFormat.allCases.first { $0.bitDepth == depth }
    guard let stored else {
      throw reader.wrong(AVLinearPCMBitDepthKey, "samples have 16, 24 or 32 bits, not \(depth)")
    }
    try reader.expect(AVLinearPCMIsFloatKey, false, "samples are whole numbers")
    try reader.expect(AVLinearPCMIsBigEndianKey, false, "samples are little-endian")
    try reader.expect(AVLinearPCMIsNonInterleaved, false, "samples are interleaved")
    try reader.refuse(AVChannelLayoutKey, "typed settings have the layout")
    try reader.refuse(AVEncoderBitRateKey, "uncompressed audio has a fixed rate")
    for key in [AVEncoderAudioQualityKey, AVEncoderBitDepthHintKey] {
      try reader.refuse(key, "uncompressed audio keeps its quality")
    }
    for key in [AVEncoderBitRatePerChannelKey, AVEncoderBitRateStrategyKey] {
      try reader.refuse(key, "uncompressed audio has a fixed rate")
    }
    try reader.refuse(AVSampleRateConverterAudioQualityKey, "the rate of samples is not changed")
    try reader.finish()
    self.init(
      format: AudioFormat(sampleRate: rate, channelCount: channels, sampleFormat: stored))
  }

  /// The settings as one of Apple's dictionaries.
  public var dictionary: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double(format.sampleRate),
      AVNumberOfChannelsKey: format.channelCount,
      AVLinearPCMBitDepthKey: format.sampleFormat.bitDepth, AVLinearPCMIsFloatKey: false,
      AVLinearPCMIsBigEndianKey: false, AVLinearPCMIsNonInterleaved: false,
    ]
  }
}
