import AssetReader
import AssetWriter
import Dispatch
import Foundation
import MediaCore

/// Writes audio to a file, each buffer directly after the last.
struct AudioFileWriter: Sendable {
  /// Frames written so far.
  private(set) var length: Int64 = 0
  /// The file's audio format.
  let format: AudioFormat
  private let writer: AssetWriter
  private let receiver: AssetWriterInput.SampleBufferReceiver
  /// How the file differs from the settings, in one line; nil if it does not.
  private let change: String?
  /// Samples outside the integer range.
  private var excess = AudioExcess()

  /// Creates the file; its name's extension selects the type.
  ///
  /// - Throws: The writer's error; ``AVError/Code/fileFormatNotRecognized`` for an extension that is not supported.
  init(_ url: URL, _ settings: [String: Any]) throws(AVError) {
    guard let type = FileType(pathExtension: url.pathExtension) else {
      throw AVError(
        .fileFormatNotRecognized,
        "\(url.lastPathComponent): unsupported file name extension; use .wav, .caf, "
          + ".aiff, .m4a or .mov")
    }
    var settings = settings
    change = Self.makeWhole(&settings)
    var wanted = try AudioOutputSettings(dictionary: settings)
    // Buffers are placed exactly, to the sample.
    wanted.gapTolerance = 0
    format = wanted.format
    do throws(AssetWriterError) {
      writer = try AssetWriter(outputURL: url, fileType: type)
      // Fragments do not record how much of their last packet is audio.
      if type == .m4a { writer.configuration.movieFragmentInterval = .invalid }
      receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: wanted))
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
    } catch { throw AVError(error) }
  }

  /// Changes buffer settings to file settings: interleaved channels and integer samples.
  ///
  /// - Returns: The change, in words; nil if there is none.
  static func makeWhole(_ settings: inout [String: Any]) -> String? {
    settings[AVLinearPCMIsNonInterleaved] = nil
    guard settings[AVLinearPCMIsFloatKey] as? Bool == true else { return nil }
    settings[AVLinearPCMIsFloatKey] = false
    settings[AVLinearPCMBitDepthKey] = 24
    return "floats are written as 24-bit integers"
  }

  /// How the file differs from the settings and the input.
  var notes: [String] {
    let clipped =
      excess.sampleCount == 0
      ? nil
      : "\(excess.sampleCount) samples above full scale, up to \(excess.peak) times, are clipped"
    return [change, clipped].compactMap { $0 }
  }

  /// Appends audio; blocks while the disk is slower.
  mutating func write(_ audio: MediaCore.AudioBuffer) throws(AVError) {
    receiver.blockUntilReady { false }
    let time = CMTime(value: length, timescale: Int32(clamping: format.sampleRate))
    let sample = CMSampleBuffer(
      .audio(audio), presentationTimeStamp: time, duration: audio.duration)
    do throws(AssetWriterError) {
      guard try receiver.appendImmediately(sample) else {
        throw AssetWriterError(
          .notReady, "\(writer.outputURL.lastPathComponent) accepts no more audio")
      }
    } catch { throw AVError(error) }
    length += Int64(audio.frameCount)
    if audio.format.sampleFormat == .float32 { note(audio.bytes) }
  }

  private mutating func note(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      for place in stride(from: 0, to: bytes.count - 3, by: 4) {
        let level = bytes.loadUnaligned(fromByteOffset: place, as: Float.self).magnitude
        if level > 1 { excess.add(level: Double(level)) }
      }
    }
  }

  /// Completes the file, and blocks until it is complete.
  ///
  /// - Returns: Why the file could not be completed; nil if it was.
  func finish() -> AVError? {
    let isDone = DispatchSemaphore(value: 0)
    writer.finishWriting { isDone.signal() }
    isDone.wait()
    guard writer.status != .completed else { return nil }
    return writer.error.map { AVError($0) } ?? AVError(.unknown, "the file could not be completed")
  }
}
