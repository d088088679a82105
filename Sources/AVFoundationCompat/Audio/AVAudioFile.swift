public import Foundation
import MediaCore
import Synchronization

/// A file of sound that is read or written in buffers of linear PCM.
///
/// What is read is every container and codec of libavformat and libavcodec, and of a movie its first track of sound;
/// what is written are the files of an asset writer, by the extension of their name: `.wav`, `.aiff`, `.caf`,
/// `.m4a` and `.mov`.
///
/// ```swift
/// let file = try AVAudioFile(forWriting: url, settings: input.outputFormat(forBus: 0).settings)
/// input.installTap(onBus: 0, bufferSize: 4096, format: nil) { buffer, _ in try? file.write(from: buffer) }
/// …
/// file.close()
/// ```
///
/// A file that is written is complete once it is closed, or nobody holds it any more. Calls from several threads come
/// one after the other.
public final class AVAudioFile: Sendable {
  private enum Side: Sendable {
    case reading(SoundFileReader)
    case writing(SoundFileWriter)
  }

  private struct State: Sendable {
    var side: Side
    var isOpen = true
    var error: AVError?
  }

  /// The file.
  public let url: URL
  /// The sound of the file. Of compressed sound, whose formats have no form here, what it is decoded to.
  public let fileFormat: AVAudioFormat
  /// The form of the buffers that are read and written.
  public let processingFormat: AVAudioFormat
  private let state: Mutex<State>

  // MARK: Opening

  /// A file to read as floats of 32 bits, each channel in memory of its own.
  ///
  /// - Throws: As ``init(forReading:commonFormat:interleaved:)``.
  public convenience init(forReading fileURL: URL) throws {
    try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// A file to read.
  ///
  /// - Throws: ``AVError``: the file cannot be read, has no sound, or does not say how long it is;
  ///   ``AVError/Code/formatUnsupported`` for a form of buffers that there is not.
  public init(
    forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool
  ) throws {
    var reader = try SoundFileReader(fileURL)
    url = fileURL
    fileFormat = AVAudioFormat(reader.stored, isInterleaved: true)
    processingFormat = try Self.buffers(of: reader.stored, format, interleaved)
    reader.give(processingFormat.format.sampleFormat)
    state = Mutex(State(side: .reading(reader)))
  }

  /// A file to write from buffers of floats of 32 bits, each channel in memory of its own.
  ///
  /// - Throws: As ``init(forWriting:settings:commonFormat:interleaved:)``.
  public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try self.init(
      forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
  }

  /// A file to write. A file that is there is not overwritten.
  ///
  /// - Parameters:
  ///   - fileURL: The file, whose extension says its kind.
  ///   - settings: The sound of the file, by the keys of an asset writer's input. Floats become whole numbers of
  ///     24 bits, which ``notes`` says.
  ///   - format: The form of the buffers, with the rate and the channels that the settings have.
  ///   - interleaved: True where channels take turns in the buffers.
  /// - Throws: ``AVError``: ``AVError/Code/fileAlreadyExists``, ``AVError/Code/fileFormatNotRecognized`` for another
  ///   extension, ``AVError/Code/unsupportedOutputSettings`` with the key and what is wrong with it,
  ///   ``AVError/Code/formatUnsupported`` for a form of buffers that there is not.
  public init(
    forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat,
    interleaved: Bool
  ) throws {
    guard format.sampleFormat != nil else { throw Self.noSuchBuffers(format) }
    let writer = try SoundFileWriter(fileURL, settings)
    url = fileURL
    fileFormat = AVAudioFormat(writer.format, isInterleaved: true)
    processingFormat = try Self.buffers(of: writer.format, format, interleaved)
    state = Mutex(State(side: .writing(writer)))
  }

  deinit { close() }

  private static func buffers(
    of sound: AudioFormat, _ format: AVAudioCommonFormat, _ isInterleaved: Bool
  ) throws(AVError) -> AVAudioFormat {
    guard
      let buffers = AVAudioFormat(
        commonFormat: format, sampleRate: Double(sound.sampleRate),
        channels: AVAudioChannelCount(clamping: sound.channelCount), interleaved: isInterleaved)
    else { throw noSuchBuffers(format) }
    return buffers
  }

  private static func noSuchBuffers(_ format: AVAudioCommonFormat) -> AVError {
    AVError(
      .formatUnsupported,
      "\(format) is not supported; use pcmFormatFloat32, pcmFormatInt16 or pcmFormatInt32")
  }

  // MARK: Where it stands

  /// False once the file was closed.
  public var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Frames of the file: of one that is written those that it was given.
  public var length: AVAudioFramePosition {
    state.withLock { state in
      switch state.side {
      case .reading(let reader): reader.length
      case .writing(let writer): writer.length
      }
    }
  }

  /// The frame that is read next, from 0: set to one before the first or behind the last, it is that. A file is
  /// written from its beginning to its end: there setting it changes nothing.
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

  /// What the file holds otherwise than it was asked for and given, in one line each: floats as whole numbers, and
  /// samples that were clipped. Apple's has no such property.
  public var notes: [String] {
    state.withLock { if case .writing(let writer) = $0.side { writer.notes } else { [] } }
  }

  /// Why the file could not be completed, once it was closed; nil where it was. Apple's has no such property.
  public var error: (any Error)? { state.withLock { $0.error } }

  // MARK: Reading and writing

  /// Reads frames until the buffer is full or the file has no more. At the end of the file the buffer has none.
  ///
  /// - Throws: As ``read(into:frameCount:)``.
  public func read(into buffer: AVAudioPCMBuffer) throws {
    try read(into: buffer, frameCount: buffer.frameCapacity)
  }

  /// Reads so many frames, or as many as the file has, or the buffer room for.
  ///
  /// - Throws: ``AVError``: the file cannot be read, ends before its length, was closed, or is one to write;
  ///   ``AVError/Code/operationNotAllowed`` for a buffer of another form than ``processingFormat``.
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

  /// Writes the buffer's sound behind what was written, and waits while the disk is slower.
  ///
  /// - Throws: ``AVError``: the file cannot be written, was closed, or is one to read;
  ///   ``AVError/Code/operationNotAllowed`` for a buffer of another form than ``processingFormat``.
  public func write(from buffer: AVAudioPCMBuffer) throws {
    try check(buffer)
    let sound = buffer.interleaved()
    try state.withLock { state throws(AVError) in
      guard state.isOpen, case .writing(var writer) = state.side else {
        throw Self.misuse(state, "written")
      }
      guard let sound else { return }
      defer { state.side = .writing(writer) }
      try writer.write(sound)
    }
  }

  /// Closes the file: one that was written is complete after that, or ``error`` says why not. Nothing is read and
  /// written any more.
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
        ? "the file was not opened to be \(verb)" : "a file that was closed is not \(verb)")
  }
}
