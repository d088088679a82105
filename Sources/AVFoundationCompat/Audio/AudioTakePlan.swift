import AssetWriter
import Foundation
import MediaCore

/// The file that an audio recorder creates.
struct AudioTakePlan: Sendable {
  /// The file type; nil for `/dev/null`.
  let type: AVFileType?
  let settings: AudioOutputSettings
  /// How the file differs from the program's settings, one line each.
  let notes: [String]
  private let url: URL

  /// - Throws: ``AVError/Code/fileFormatNotRecognized`` for any other extension,
  ///   ``AVError/Code/unsupportedOutputSettings`` with the key and the reason, or for a codec that the file type does
  ///   not support.
  init(_ url: URL, _ given: [String: Any]) throws(AVError) {
    self.url = url
    type = url.path == "/dev/null" ? nil : try Self.type(of: url)
    var given = given
    if given[AVFormatIDKey] == nil {
      given[AVFormatIDKey] = type == .m4a ? kAudioFormatMPEG4AAC : kAudioFormatLinearPCM
    }
    let notes = [try Self.leaveOut(&given), AudioFileWriter.makeWhole(&given)]
    self.notes = notes.compactMap(\.self)
    let source = AudioFormat(sampleRate: 44_100, channelCount: 2, sampleFormat: .int16)
    settings = try AudioOutputSettings(dictionary: given, source: source)
    if let native = type?.native { try Self.check(settings, in: native, url) }
  }

  /// Checks before recording, with a writer that creates no file, whether the file type supports the settings.
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
        "\(url.lastPathComponent): audio cannot be recorded into this file type; use .m4a, .wav, .aiff, .caf or .mov"
      )
    }
    return type
  }

  /// Removes keys that do not concern the format: programs use one set of keys for all formats, and Apple's recorder
  /// reads only those of the chosen format.
  ///
  /// - Returns: A note with the removed keys; nil if there are none.
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
      : "\(idle.joined(separator: ", ")) do not concern the file's format and have no effect"
  }

  /// True if a regular file exists, not a folder or device.
  var isFileThere: Bool {
    let kind = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    return kind as? FileAttributeType == .typeRegular
  }

  /// Checks that the recording can replace what is at its URL.
  ///
  /// - Throws: ``AVError/Code/fileAlreadyExists`` for a folder or device.
  func checkPlace() throws(AVError) {
    guard !FileManager.default.fileExists(atPath: url.path) || isFileThere else {
      throw AVError(
        .fileAlreadyExists, "\(url.path) cannot be overwritten; record into another file")
    }
  }
}
