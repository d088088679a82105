import AssetWriter
import MediaCore
import QuickTime
import Synchronization

/// The frames of a movie's parts, one part after the other: read, and compared with the parts' records.
final class PartFrames: EncodedFrameStore {
  private struct Part {
    let path: String
    let firstFrame: Int
    let frames: [String]
  }

  private struct Opened {
    var part: Int
    var file: PosixMovieFile
    var samples: SampleTable
  }

  private struct State {
    var opened: Opened?
    /// What is wrong with a part, in its own words.
    var failure: EncodeJobError?
  }

  private let parts: [Part]
  // One thread reads; another one asks for what went wrong.
  private let state = Mutex(State())

  /// - Parameter parts: The folders and records of the parts, in order.
  init(_ parts: [(folder: PartFolder, record: EncodePart)]) {
    var next = 0
    self.parts = parts.map { folder, record in
      defer { next += record.frameCount }
      return Part(path: folder.moviePath, firstFrame: next, frames: record.frames)
    }
  }

  /// Why a frame could not be read; nil where all could.
  var failure: EncodeJobError? { state.withLock { $0.failure } }

  func byteCount(ofFrame index: Int64) throws(AssetWriterError) -> Int {
    try access(index, nil)
  }

  func read(frame index: Int64, into room: UnsafeMutableRawBufferPointer) throws(AssetWriterError) {
    _ = try access(index, OutputRoom(bytes: room))
  }

  /// The caller's memory, which is written while the caller waits.
  private struct OutputRoom: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
  }

  /// A frame's size, and the frame itself where there is room for it.
  private func access(_ index: Int64, _ room: OutputRoom?) throws(AssetWriterError) -> Int {
    let result = state.withLock { state -> Result<Int, EncodeJobError> in
      do throws(EncodeJobError) {
        let number = try part(of: Int(index))
        if state.opened?.part != number { state.opened = try open(number) }
        guard let opened = state.opened else { return .success(0) }
        let frame = Int(index) - parts[number].firstFrame
        guard let sample = opened.samples[frame] else { throw Self.damage(opened) }
        if let room {
          try read(opened, sample.offset, frame, parts[number].frames[frame], into: room.bytes)
        }
        return .success(Int(sample.size))
      } catch {
        state.failure = state.failure ?? error
        return .failure(error)
      }
    }
    do throws(EncodeJobError) { return try result.get() } catch {
      throw AssetWriterError(.encodingFailed, from: error)
    }
  }

  private func read(
    _ opened: Opened, _ offset: UInt64, _ frame: Int, _ wanted: String,
    into room: UnsafeMutableRawBufferPointer
  ) throws(EncodeJobError) {
    let count: Int
    do throws(QuickTimeError) { count = try opened.file.read(into: room, at: offset) } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
    let bytes = UnsafeRawBufferPointer(room)
    guard count == room.count, XXHash64.text(XXHash64.digest(bytes)) == wanted else {
      throw EncodeJobError(
        .partDamaged,
        "\(opened.file.name): frame \(frame) is not what was encoded; make the part again")
    }
  }

  private static func damage(_ opened: Opened) -> EncodeJobError {
    EncodeJobError(
      .partDamaged,
      "\(opened.file.name) holds fewer frames than its record tells; make the part again")
  }

  private func part(of frame: Int) throws(EncodeJobError) -> Int {
    guard let number = parts.lastIndex(where: { $0.firstFrame <= frame }),
      frame - parts[number].firstFrame < parts[number].frames.count
    else {
      throw EncodeJobError(.partsDiffer, "the parts hold no frame \(frame), which the movie needs")
    }
    return number
  }

  private func open(_ number: Int) throws(EncodeJobError) -> Opened {
    do throws(QuickTimeError) {
      let file = try PosixMovieFile(path: parts[number].path, mode: .read)
      guard let track = try MovieIndex(file).videoTrack else {
        throw QuickTimeError(.damaged, "\(parts[number].path) holds no pictures")
      }
      return Opened(part: number, file: file, samples: track.samples)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
  }
}
