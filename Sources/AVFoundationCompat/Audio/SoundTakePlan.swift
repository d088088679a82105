import AssetWriter
import Foundation
import MediaCore

/// The file that a sound recorder makes.
struct SoundTakePlan: Sendable {
  /// Its kind; nil for `/dev/null`, where there is none.
  let type: AVFileType?
  let settings: AudioOutputSettings
  /// What of a program's settings is met otherwise, in one line each.
  let notes: [String]
  private let url: URL

  /// - Throws: ``AVError/Code/fileFormatNotRecognized`` for the extension of another file,
  ///   ``AVError/Code/unsupportedOutputSettings`` with the key and what is wrong with it, or for a codec that such
  ///   files do not have.
  init(_ url: URL, _ given: [String: Any]) throws(AVError) {
    self.url = url
    type = url.path == "/dev/null" ? nil : try Self.type(of: url)
    var given = given
    if given[AVFormatIDKey] == nil {
      given[AVFormatIDKey] = type == .m4a ? kAudioFormatMPEG4AAC : kAudioFormatLinearPCM
    }
    let notes = [try Self.leaveOut(&given), SoundFileWriter.makeWhole(&given)]
    self.notes = notes.compactMap(\.self)
    let source = AudioFormat(sampleRate: 44_100, channelCount: 2, sampleFormat: .int16)
    settings = try AudioOutputSettings(dictionary: given, source: source)
    if let native = type?.native { try Self.check(settings, in: native, url) }
  }

  /// Has a writer that makes no file say whether such a file can have such sound, before anything is recorded.
  private static func check(
    _ settings: AudioOutputSettings, in type: FileType, _ url: URL
  ) throws(AVError) {
    do throws(AssetWriterError) {
      let writer = try AssetWriter(outputURL: url, fileType: type)
      try writer.add(AssetWriterInput(outputSettings: settings))
    } catch { throw AVError(error) }
  }

  private static func type(of url: URL) throws(AVError) -> AVFileType {
    let type = FileType(pathExtension: url.pathExtension).map { AVFileType($0.rawValue) }
    guard let type, AVCaptureAudioFileOutput.availableOutputFileTypes().contains(type) else {
      throw AVError(
        .fileFormatNotRecognized,
        "\(url.lastPathComponent): sound is not recorded into such a file; use .m4a, .wav, .aiff, .caf or .mov"
      )
    }
    return type
  }

  /// Takes out keys that say nothing about the format: programs give one set of them for all formats, and Apple's
  /// recorder looks at those of the format alone.
  ///
  /// - Returns: Which those were; nil for none.
  private static func leaveOut(_ settings: inout [String: Any]) throws(AVError) -> String? {
    var reader = SettingsReader(settings, "audio settings")
    let code = try reader.integer(AVFormatIDKey).flatMap { UInt32(exactly: $0) }
    let plain = [
      AVLinearPCMBitDepthKey, AVLinearPCMIsFloatKey, AVLinearPCMIsBigEndianKey,
      AVLinearPCMIsNonInterleaved,
    ]
    let rates = [
      AVEncoderAudioQualityKey, AVEncoderBitRateKey, AVEncoderBitRatePerChannelKey,
      AVEncoderBitRateStrategyKey,
    ]
    let others =
      switch code {
      case kAudioFormatLinearPCM?: rates + [AVEncoderBitDepthHintKey]
      case kAudioFormatMPEG4AAC?: plain + [AVEncoderBitDepthHintKey]
      default: plain + rates
      }
    let converters = [AVSampleRateConverterAudioQualityKey, AVSampleRateConverterAlgorithmKey]
    let idle = (others + converters).filter { settings.removeValue(forKey: $0) != nil }
    return idle.isEmpty
      ? nil
      : "\(idle.joined(separator: ", ")) do not concern the format of the file, and change nothing"
  }

  /// True where there is a file, and no folder or device.
  var isFileThere: Bool {
    let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    return kind as? FileAttributeType == .typeRegular
  }

  /// Looks at what the recording is to replace.
  ///
  /// - Throws: ``AVError/Code/fileAlreadyExists`` for a folder or device.
  func checkPlace() throws(AVError) {
    guard !FileManager.default.fileExists(atPath: url.path) || isFileThere else {
      throw AVError(
        .fileAlreadyExists, "\(url.path) cannot be overwritten; record into another file")
    }
  }
}
