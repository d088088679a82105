import AssetReader
import AssetWriter
import Dispatch
import Foundation
import MediaCore

/// Sound on its way into a file, a run right behind the other.
struct SoundFileWriter: Sendable {
  /// Frames that were handed over.
  private(set) var length: Int64 = 0
  /// What the file holds.
  let format: AudioFormat
  private let writer: AssetWriter
  private let receiver: AssetWriterInput.SampleBufferReceiver
  /// What of the settings is met otherwise, in one line; nil for nothing.
  private let change: String?
  /// Samples that whole numbers cannot hold.
  private var excess = SoundExcess()

  /// Makes the file, of the kind that its name's extension says.
  ///
  /// - Throws: What the writer says; ``AVError/Code/fileFormatNotRecognized`` for another extension than those of
  ///   files that are written here.
  init(_ url: URL, _ settings: [String: Any]) throws(AVError) {
    guard let type = FileType(pathExtension: url.pathExtension) else {
      throw AVError(
        .fileFormatNotRecognized,
        "\(url.lastPathComponent): the name's extension is that of no file that is written here; use .wav, .caf, "
          + ".aiff, .m4a or .mov")
    }
    var settings = settings
    change = Self.makeWhole(&settings)
    var wanted = try AudioOutputSettings(dictionary: settings)
    // Runs lie where they are put: to the sample.
    wanted.gapTolerance = 0
    format = wanted.format
    do throws(AssetWriterError) {
      writer = try AssetWriter(outputURL: url, fileType: type)
      // Fragments do not say how much of their last packet is sound.
      if type == .m4a { writer.configuration.movieFragmentInterval = .invalid }
      receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: wanted))
      try writer.start()
      try writer.startSession(atSourceTime: .zero)
    } catch { throw AVError(error) }
  }

  /// Has settings that are a buffer's become a file's: channels take turns there, and samples are whole numbers.
  ///
  /// - Returns: What is met otherwise; nil for nothing.
  static func makeWhole(_ settings: inout [String: Any]) -> String? {
    settings[AVLinearPCMIsNonInterleaved] = nil
    guard settings[AVLinearPCMIsFloatKey] as? Bool == true else { return nil }
    settings[AVLinearPCMIsFloatKey] = false
    settings[AVLinearPCMBitDepthKey] = 24
    return "floats are written as whole numbers of 24 bits"
  }

  /// What the file holds otherwise than it was given.
  var notes: [String] {
    let clipped =
      excess.sampleCount == 0
      ? nil
      : "\(excess.sampleCount) samples above full scale, up to \(excess.peak) times, are clipped"
    return [change, clipped].compactMap { $0 }
  }

  /// Hands sound over; waits while the disk is slower.
  mutating func write(_ sound: MediaCore.AudioBuffer) throws(AVError) {
    receiver.blockUntilReady { false }
    let time = CMTime(value: length, timescale: Int32(clamping: format.sampleRate))
    let sample = CMSampleBuffer(
      .audio(sound), presentationTimeStamp: time, duration: sound.duration)
    do throws(AssetWriterError) {
      guard try receiver.appendImmediately(sample) else {
        throw AssetWriterError(
          .notReady, "\(writer.outputURL.lastPathComponent) takes no more sound")
      }
    } catch { throw AVError(error) }
    length += Int64(sound.frameCount)
    if sound.format.sampleFormat == .float32 { note(sound.bytes) }
  }

  private mutating func note(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      for place in stride(from: 0, to: bytes.count - 3, by: 4) {
        let level = bytes.loadUnaligned(fromByteOffset: place, as: Float.self).magnitude
        if level > 1 { excess.add(level: Double(level)) }
      }
    }
  }

  /// Completes the file, and waits for that.
  ///
  /// - Returns: Why that could not be; nil where it was.
  func finish() -> AVError? {
    let isDone = DispatchSemaphore(value: 0)
    writer.finishWriting { isDone.signal() }
    isDone.wait()
    guard writer.status != .completed else { return nil }
    return writer.error.map { AVError($0) } ?? AVError(.unknown, "the file could not be completed")
  }
}
