import AssetWriter
import MediaCore
import QuickTime
import TestSupport
import Testing

/// An audio file of one track whose every sample is known.
struct KnownAudioFile: Sendable, CustomTestStringConvertible {
  var fileType = FileType.wav
  var format = AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int24)
  var compression = AudioCompression.none
  /// Sample frames of each buffer, in order.
  var buffers = [4800, 4801]
  /// Sample frames from the session's start to the first buffer.
  var delay = 0
  /// Sample frames of silence before the last buffer.
  var gap = 0

  var testDescription: String {
    let kind = compression == .none ? "linear PCM" : "Apple Lossless"
    return ".\(fileType.pathExtension), \(kind), \(format.channelCount) x \(format.sampleFormat)"
  }

  /// Every file type at every bit depth, with several channel counts.
  static let all: [KnownAudioFile] = {
    var notes: [KnownAudioFile] = []
    for fileType in [FileType.wav, .aiff, .caf] {
      for depth in [AudioFormat.SampleFormat.int16, .int24, .int32] {
        for channels in [1, 2, 6] {
          notes.append(KnownAudioFile(fileType, depth, channels))
        }
      }
    }
    for (depth, channels) in [(AudioFormat.SampleFormat.int16, 1), (.int16, 2), (.int24, 2)] {
      notes.append(KnownAudioFile(.caf, depth, channels, .appleLossless))
    }
    return notes
  }()

  init(
    _ fileType: FileType, _ depth: AudioFormat.SampleFormat = .int24, _ channels: Int = 2,
    _ compression: AudioCompression = .none
  ) {
    self.fileType = fileType
    self.compression = compression
    format = AudioFormat(sampleRate: 48_000, channelCount: channels, sampleFormat: depth)
  }

  var settings: AudioOutputSettings {
    var settings = AudioOutputSettings(format: format)
    settings.compression = compression
    return settings
  }

  /// Sample frames in the file.
  var frameCount: Int { delay + gap + buffers.reduce(0, +) }

  /// A buffer's interleaved 32-bit words, without the bits that the bit depth does not keep.
  private func words(ofBuffer index: Int) -> [Int32] {
    var generator = SeededGenerator(seed: UInt64(index) &+ 1)
    let mask = UInt32.max << UInt32(32 - format.sampleFormat.bitDepth)
    let count = buffers[index] * format.channelCount
    return [Int32](unsafeUninitializedCapacity: count) { words, filled in
      while filled < count {
        words[filled] = Int32(bitPattern: UInt32(truncatingIfNeeded: generator.next()) & mask)
        filled += 1
      }
    }
  }

  /// The file's expected content, in 32-bit words.
  var words: [Int32] {
    func silence(_ frames: Int) -> [Int32] {
      [Int32](repeating: 0, count: frames * format.channelCount)
    }
    var words = silence(delay)
    for index in buffers.indices {
      if index == buffers.count - 1 { words += silence(gap) }
      words += self.words(ofBuffer: index)
    }
    return words
  }

  func append(_ index: Int, to receiver: AssetWriterInput.SampleBufferReceiver) async throws {
    let width = format.sampleFormat.byteCount
    let words = words(ofBuffer: index)
    let bytes = [UInt8](unsafeUninitializedCapacity: words.count * width) { bytes, filled in
      for word in words {
        let value = UInt32(bitPattern: word) >> UInt32(32 - 8 * width)
        var byte = 0
        while byte < width {
          bytes[filled] = UInt8(truncatingIfNeeded: value >> UInt32(8 * byte))
          filled += 1
          byte += 1
        }
      }
    }
    let isLast = index == buffers.count - 1
    let first = delay + (isLast ? gap : 0) + buffers[..<index].reduce(0, +)
    try await receiver.append(
      SampleBuffer(
        .audio(try AudioBuffer(format: format, bytes: bytes)),
        presentationTimeStamp: Self.start
          + MediaTime(value: Int64(first), timescale: Int32(format.sampleRate))))
  }

  /// The session's start.
  static let start = MediaTime(value: 7, timescale: 1)

  @discardableResult
  func write(
    to path: String, prepare: (AssetWriter) -> Void = { _ in }
  ) async throws -> AssetWriter.Report {
    let writer = try AssetWriter(path: path, fileType: fileType)
    prepare(writer)
    return try await write(with: writer)
  }

  /// Writes the file with a writer that was not started.
  @discardableResult
  func write(with writer: AssetWriter) async throws -> AssetWriter.Report {
    let receiver = try writer.inputReceiver(for: AssetWriterInput(outputSettings: settings))
    try writer.start()
    try writer.startSession(atSourceTime: Self.start)
    for index in buffers.indices { try await append(index, to: receiver) }
    try receiver.finish()
    return try await writer.finishWriting()
  }
}
