public import AssetWriter
import Foundation
public import MediaCore

extension AudioOutputSettings {
  /// Settings from a dictionary with Apple's keys.
  ///
  /// - Parameters:
  ///   - dictionary: `AVFormatIDKey` and further keys; see the porting guide.
  ///   - source: The source format, for values that the dictionary omits; nil if it must have sample rate and
  ///     channels.
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  public init(dictionary: [String: Any], source: AudioFormat? = nil) throws(AVError) {
    var reader = SettingsReader(dictionary, "audio settings")
    guard let format = try reader.integer(AVFormatIDKey) else {
      throw reader.missing(AVFormatIDKey)
    }
    let rate = try reader.integer(AVSampleRateKey) ?? source?.sampleRate
    let channels = try reader.integer(AVNumberOfChannelsKey) ?? source?.channelCount
    guard let rate else { throw reader.missing(AVSampleRateKey) }
    guard let channels else { throw reader.missing(AVNumberOfChannelsKey) }
    self.init(
      format: AudioFormat(
        sampleRate: rate, channelCount: channels, sampleFormat: Self.depth(of: source)))
    for key in [AVSampleRateConverterAudioQualityKey, AVSampleRateConverterAlgorithmKey] {
      try reader.refuse(key, "the sample rate is not converted")
    }
    switch UInt32(exactly: format) {
    case kAudioFormatLinearPCM?: try readPlain(&reader)
    case kAudioFormatMPEG4AAC?: try readAAC(&reader)
    case kAudioFormatAppleLossless?: try readLossless(&reader)
    default:
      let code = UInt32(exactly: format).map { "'\(MediaCore.FourCharCode(rawValue: $0))'" }
      throw reader.wrong(
        AVFormatIDKey,
        "\(code ?? "\(format)") is not supported; use kAudioFormatLinearPCM, kAudioFormatMPEG4AAC or "
          + "kAudioFormatAppleLossless")
    }
    try reader.finish()
  }

  /// The integer format that holds the source's samples: 32-bit floats have 24 significant bits.
  private static func depth(of source: AudioFormat?) -> AudioFormat.SampleFormat {
    guard let depth = source?.sampleFormat, depth != .float32 else { return .int24 }
    return depth
  }

  private mutating func readPlain(_ reader: inout SettingsReader) throws(AVError) {
    let depth = try reader.integer(AVLinearPCMBitDepthKey) ?? format.sampleFormat.bitDepth
    guard let stored = AudioFormat.SampleFormat(integerBits: depth) else {
      throw reader.wrong(
        AVLinearPCMBitDepthKey, "samples must have 16, 24 or 32 bits, not \(depth)")
    }
    format.sampleFormat = stored
    try reader.expect(AVLinearPCMIsFloatKey, false, "samples are integers")
    // The file type determines the byte order; the writer rejects the other one.
    byteOrder = try reader.flag(AVLinearPCMIsBigEndianKey).map { $0 ? .big : .little }
    try reader.expect(AVLinearPCMIsNonInterleaved, false, "samples are interleaved")
    try reader.refuse(AVChannelLayoutKey, "typed settings have the layout")
    try reader.refuse(AVEncoderBitRateKey, "uncompressed audio has a fixed rate")
    for key in [AVEncoderAudioQualityKey, AVEncoderBitDepthHintKey] {
      try reader.refuse(key, "uncompressed audio keeps its quality")
    }
    for key in [AVEncoderBitRatePerChannelKey, AVEncoderBitRateStrategyKey] {
      try reader.refuse(key, "uncompressed audio has a fixed rate")
    }
  }

  /// Bits per second and channel for each `AVAudioQuality`.
  private static let qualities: [AVAudioQuality: Int] = [
    .min: 24_000, .low: 40_000, .medium: 64_000, .high: 96_000, .max: 128_000,
  ]

  private mutating func readAAC(_ reader: inout SettingsReader) throws(AVError) {
    try readLayout(&reader)
    let whole = try reader.integer(AVEncoderBitRateKey)
    let each = try reader.integer(AVEncoderBitRatePerChannelKey)
    let quality = try reader.integer(AVEncoderAudioQualityKey)
    if let strategy = try reader.text(AVEncoderBitRateStrategyKey),
      strategy != AVAudioBitRateStrategy_LongTermAverage
    {
      throw reader.wrong(
        AVEncoderBitRateStrategyKey, "AAC supports only AVAudioBitRateStrategy_LongTermAverage")
    }
    try reader.refuse(AVEncoderBitDepthHintKey, "AAC has no bit depth")
    var rate = whole ?? each.map { $0.multipliedSaturating(by: format.channelCount) }
    if let quality {
      guard let step = AVAudioQuality(rawValue: quality), let own = Self.qualities[step] else {
        throw reader.wrong(AVEncoderAudioQualityKey, "\(quality) is not an AVAudioQuality")
      }
      // An explicit bit rate takes precedence.
      rate = rate ?? own * format.channelCount
    }
    compression = .aac(bitRate: rate)
  }

  private mutating func readLossless(_ reader: inout SettingsReader) throws(AVError) {
    try readLayout(&reader)
    let depth = try reader.integer(AVEncoderBitDepthHintKey)
    switch depth {
    case nil: if format.sampleFormat == .int32 { format.sampleFormat = .int24 }
    case 16?: format.sampleFormat = .int16
    case 24?: format.sampleFormat = .int24
    case let depth?:
      throw reader.wrong(AVEncoderBitDepthHintKey, "samples must have 16 or 24 bits, not \(depth)")
    }
    for key in [AVEncoderBitRateKey, AVEncoderBitRatePerChannelKey, AVEncoderBitRateStrategyKey] {
      try reader.refuse(key, "lossless audio has a variable bit rate")
    }
    try reader.refuse(AVEncoderAudioQualityKey, "lossless audio has no quality setting")
    compression = .appleLossless
  }

  /// The layout must match the channels: mono or stereo.
  private func readLayout(_ reader: inout SettingsReader) throws(AVError) {
    guard let tag = try reader.layoutTag() else { return }
    let known: [AudioChannelLayoutTag] =
      format.channelCount == 1
      ? [kAudioChannelLayoutTag_Mono]
      : [kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_StereoHeadphones]
    guard known.contains(tag) else {
      throw reader.wrong(
        AVChannelLayoutKey,
        "the layout does not match \(format.channelCount) channels; omit it")
    }
  }

  /// The settings as a dictionary with Apple's keys.
  public var dictionary: [String: Any] {
    var settings: [String: Any] = [
      AVSampleRateKey: Double(format.sampleRate), AVNumberOfChannelsKey: format.channelCount,
    ]
    switch compression {
    case .none:
      settings = format.settings(isBigEndian: byteOrder == .big)
      if byteOrder == nil { settings[AVLinearPCMIsBigEndianKey] = nil }
    case .aac(let bitRate):
      settings[AVFormatIDKey] = kAudioFormatMPEG4AAC
      settings[AVEncoderBitRateKey] = bitRate
    case .appleLossless:
      settings[AVFormatIDKey] = kAudioFormatAppleLossless
      settings[AVEncoderBitDepthHintKey] = format.sampleFormat.bitDepth
    }
    return settings
  }
}
