public import Foundation
import MediaCore
import Synchronization

/// An audio file that is read or written in buffers of linear PCM.
///
/// Reads every container and codec that libavformat and libavcodec support, and the first audio track of a movie.
/// Writes the files of an asset writer, chosen by file name extension: `.wav`, `.aiff`, `.caf`, `.m4a` and `.mov`.
///
/// ```swift
/// let file = try AVAudioFile(forWriting: url, settings: input.outputFormat(forBus: 0).settings)
/// input.installTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, _ in try? file.write(from: buffer) }
/// …
/// file.close()
/// ```
///
/// A written file is complete when it is closed or its last reference is released. Calls from several threads are
/// serialized.
public final class AVAudioFile: Sendable {
  private enum Side: Sendable {
    case reading(AudioFileReader)
    case writing(AudioFileWriter)
  }

  private struct State: Sendable {
    var side: Side
    var isOpen = true
    var error: AVError?
  }

  /// The file.
  public let url: URL
  /// The audio format of the file. For compressed audio, which has no format here, the decoded format.
  public let fileFormat: AVAudioFormat
  /// The format of the buffers that are read and written.
  public let processingFormat: AVAudioFormat
  private let state: Mutex<State>

  // MARK: Opening

  /// Opens a file for reading as 32-bit floats, each channel in its own memory.
  ///
  /// - Throws: As ``init(forReading:commonFormat:interleaved:)``.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Opens a file for reading.
  ///
  /// - Throws: ``AVError``: the file cannot be read, has no audio, or does not give its duration;
  ///   ``AVError/Code/formatUnsupported`` for an unsupported buffer format.
  public init(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    var reader = try AudioFileReader(fileURL)
    url = fileURL
    fileFormat = AVAudioFormat(reader.stored, isInterleaved: true)
    processingFormat = try Self.buffers(of: reader.stored, format, interleaved)
    reader.give(processingFormat.format.sampleFormat)
    state = Mutex(State(side: .reading(reader)))
  }

  /// Creates a file for writing from buffers of 32-bit floats, each channel in its own memory.
  ///
  /// - Throws: As ``init(forWriting:settings:commonFormat:interleaved:)``.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// Creates a file for writing. An existing file is not overwritten.
  ///
  /// - Parameters:
  ///   - fileURL: The file; its extension selects the file type.
  ///   - settings: The audio of the file, with the keys of an asset writer's input. Floats become 24-bit integers, as
  ///     ``notes`` reports.
  ///   - format: The sample format of the buffers; sample rate and channel count come from the settings.
  ///   - interleaved: True if the channels are interleaved in the buffers.
  /// - Throws: ``AVError``: ``AVError/Code/fileAlreadyExists``, ``AVError/Code/fileFormatNotRecognized`` for any other
  ///   extension, ``AVError/Code/unsupportedOutputSettings`` with the key and the reason,
  ///   ``AVError/Code/formatUnsupported`` for an unsupported buffer format.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    guard format.sampleFormat != nil else { throw Self.noSuchBuffers(format) }
    let writer = try AudioFileWriter(fileURL, settings)
    url = fileURL
    fileFormat = AVAudioFormat(writer.format, isInterleaved: true)
    processingFormat = try Self.buffers(of: writer.format, format, interleaved)
    state = Mutex(State(side: .writing(writer)))
  }

  deinit { close() }

  private static func buffers(
    of audio: AudioFormat, _ format: AVAudioCommonFormat, _ isInterleaved: Bool
  ) throws(AVError) -> AVAudioFormat {
    guard
      let buffers = AVAudioFormat(
        commonFormat: format, sampleRate: Double(audio.sampleRate),
        channels: AVAudioChannelCount(clamping: audio.channelCount), interleaved: isInterleaved)
    else { throw noSuchBuffers(format) }
    return buffers
  }

  private static func noSuchBuffers(_ format: AVAudioCommonFormat) -> AVError {
    AVError(
      .formatUnsupported,
      "\(format) is not supported; use pcmFormatFloat32, pcmFormatInt16 or pcmFormatInt32")
  }

  // MARK: State

  /// False once the file is closed.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Frames in the file; when writing, the frames written so far.
  public var length: AVAudioFramePosition {
    state.withLock { state in
      switch state.side {
      case .reading(let reader): reader.length
      case .writing(let writer): writer.length
      }
    }
  }

  /// The next frame to read, from 0. Setting it clamps to the file's range. A file is written from beginning to end, so
  /// setting it has no effect then.
  public var framePosition: AVAudioFramePosition {
    get {
      state.withLock { state in
        switch state.side {
        case .reading(let reader): reader.position
        case .writing(let writer): writer.length
        }
      }
    }
    set {
      state.withLock { state in
        guard case .reading(var reader) = state.side else { return }
        reader.seek(to: newValue)
        state.side = .reading(reader)
      }
    }
  }

  /// How the file differs from the settings and the input, one line each: floats as integers, and clipped samples. Not
  /// in AVFoundation.
  public var notes: [String] {
    state.withLock { if case .writing(let writer) = $0.side { writer.notes } else { [] } }
  }

  /// Why closing the file could not complete it; nil if it did. Not in AVFoundation.
  public var error: (any Error)? { state.withLock { $0.error } }

  // MARK: Reading and writing

  /// Reads frames until the buffer is full or the file ends. At the end of the file the buffer is empty.
  ///
  /// - Throws: As ``read(into:frameCount:)``.
  public func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads up to `frames` frames, limited by the rest of the file and the buffer's capacity.
  ///
  /// - Throws: ``AVError``: the file cannot be read, ends before its length, is closed, or was opened for writing;
  ///   ``AVError/Code/operationNotAllowed`` for a buffer in a format other than ``processingFormat``.
  public func read(into buffer: AVAudioPCMBuffer, frameCount frames: AVAudioFrameCount) throws {
    try check(buffer)
    let count = Int(min(frames, buffer.frameCapacity))
    let bytes = try state.withLock { state throws(AVError) in
      guard state.isOpen, case .reading(var reader) = state.side else {
        throw Self.misuse(state, "read")
      }
      defer { state.side = .reading(reader) }
      return try reader.read(count)
    }
    buffer.fill(bytes[...])
  }

  /// Appends the buffer's audio, and blocks while the disk is slower.
  ///
  /// - Throws: ``AVError``: the file cannot be written, is closed, or was opened for reading;
  ///   ``AVError/Code/operationNotAllowed`` for a buffer in a format other than ``processingFormat``.
  public func write(from buffer: AVAudioPCMBuffer) throws {
    try check(buffer)
    let audio = buffer.interleaved()
    try state.withLock { state throws(AVError) in
      guard state.isOpen, case .writing(var writer) = state.side else {
        throw Self.misuse(state, "written")
      }
      guard let audio else { return }
      defer { state.side = .writing(writer) }
      try writer.write(audio)
    }
  }

  /// Closes the file. A written file is then complete, or ``error`` gives the reason. Later reads and writes fail.
  public func close() {
    state.withLock { state in
      guard state.isOpen else { return }
      state.isOpen = false
      if case .writing(let writer) = state.side { state.error = writer.finish() }
    }
  }

  private func check(_ buffer: AVAudioPCMBuffer) throws(AVError) {
    guard buffer.format == processingFormat else {
      throw AVError(
        .operationNotAllowed, "the buffer's format is not the file's processingFormat")
    }
  }

  private static func misuse(_ state: State, _ verb: String) -> AVError {
    AVError(
      .operationNotAllowed,
      state.isOpen
        ? "the file was not opened to be \(verb)" : "a closed file cannot be \(verb)")
  }
}
