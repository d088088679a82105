import Foundation
import MediaCore

/// Linear PCM requested from a reader or a data output. Omitted values are those of the source.
struct PlainAudioSettings {
  var sampleRate: Int?
  var channelCount: Int?
  var sampleFormat: AudioFormat.SampleFormat?

  /// Reads a dictionary with Apple's keys.
  ///
  /// - Parameter giver: The name of the source in messages.
  /// - Throws: ``AVError/Code/unsupportedOutputSettings``, with the key and what is wrong with it.
  init(_ dictionary: [String: Any], of giver: String) throws(AVError) {
    var reader = SettingsReader(dictionary, "audio settings")
    guard let format = try reader.integer(AVFormatIDKey) else {
      throw reader.missing(AVFormatIDKey)
    }
    guard UInt32(exactly: format) == kAudioFormatLinearPCM else {
      throw reader.wrong(
        AVFormatIDKey,
        "\(giver) delivers linear PCM; request kAudioFormatLinearPCM, and let a writer compress it")
    }
    sampleRate = try reader.integer(AVSampleRateKey)
    if let rate = sampleRate, !(8000...192_000).contains(rate) {
      throw reader.wrong(AVSampleRateKey, "\(rate) Hz is not possible; use 8000 to 192000")
    }
    channelCount = try reader.integer(AVNumberOfChannelsKey)
    if let count = channelCount, !(1...64).contains(count) {
      throw reader.wrong(AVNumberOfChannelsKey, "\(count) channels are not possible; use 1 to 64")
    }
    sampleFormat = try Self.sampleFormat(&reader)
    try reader.expect(AVLinearPCMIsBigEndianKey, false, "samples are little-endian")
    // A single channel is both interleaved and not.
    if try reader.flag(AVLinearPCMIsNonInterleaved) == true, channelCount != 1 {
      throw reader.wrong(
        AVLinearPCMIsNonInterleaved,
        "samples of several channels are interleaved; omit it, or request one channel")
    }
    try checkLayout(&reader)
    // There is only one algorithm and quality.
    reader.ignore([AVSampleRateConverterAudioQualityKey, AVSampleRateConverterAlgorithmKey])
    try reader.finish()
  }

  private static func sampleFormat(
    _ reader: inout SettingsReader
  ) throws(AVError) -> AudioFormat.SampleFormat? {
    let depth = try reader.integer(AVLinearPCMBitDepthKey)
    if try reader.flag(AVLinearPCMIsFloatKey) == true {
      guard depth ?? 32 == 32 else {
        throw reader.wrong(AVLinearPCMBitDepthKey, "floats must have 32 bits, not \(depth ?? 0)")
      }
      return .float32
    }
    guard let depth else { return nil }
    guard let found = AudioFormat.SampleFormat(integerBits: depth) else {
      throw reader.wrong(
        AVLinearPCMBitDepthKey, "integers must have 16, 24 or 32 bits, not \(depth)")
    }
    return found
  }

  private func checkLayout(_ reader: inout SettingsReader) throws(AVError) {
    guard let tag = try reader.layoutTag() else { return }
    let count = AudioChannelLayoutTag_GetNumberOfChannels(tag)
    guard let channelCount, count == 0 || Int(count) == channelCount else {
      throw reader.wrong(
        AVChannelLayoutKey, "the layout does not match AVNumberOfChannelsKey; omit it")
    }
  }

  /// The output format for audio of a format.
  func format(of source: AudioFormat) -> AudioFormat {
    AudioFormat(
      sampleRate: sampleRate ?? source.sampleRate,
      channelCount: channelCount ?? source.channelCount,
      sampleFormat: sampleFormat ?? source.sampleFormat)
  }
}

extension AudioFormat.SampleFormat {
  /// Integers of a bit depth; nil if not supported.
  init?(integerBits: Int) {
    switch integerBits {
    case 16: self = .int16
    case 24: self = .int24
    case 32: self = .int32
    default: return nil
    }
  }
}

extension AudioFormat {
  /// The format as a dictionary with Apple's keys.
  func settings(isInterleaved: Bool = true, isBigEndian: Bool = false) -> [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double(sampleRate),
      AVNumberOfChannelsKey: channelCount, AVLinearPCMBitDepthKey: sampleFormat.bitDepth,
      AVLinearPCMIsFloatKey: sampleFormat == .float32, AVLinearPCMIsBigEndianKey: isBigEndian,
      AVLinearPCMIsNonInterleaved: !isInterleaved,
    ]
  }
}

extension SettingsReader {
  /// The tag at the start of a layout's bytes.
  mutating func layoutTag() throws(AVError) -> AudioChannelLayoutTag? {
    guard let data = try data(AVChannelLayoutKey) else { return nil }
    guard data.count >= 4 else {
      throw wrong(AVChannelLayoutKey, "\(data.count) bytes are not a channel layout; omit it")
    }
    return data.prefix(4).enumerated().reduce(UInt32(0)) {
      $0 | UInt32($1.element) << UInt32(8 * $1.offset)
    }
  }
}
