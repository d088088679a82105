import AssetWriter
import MediaCore
import QuickTime
import Synchronization

/// The frames of a movie's parts, in order, with the checksums that their encoders recorded.
///
/// They are read once and not verified here: the movie made from them is, in one read after it is
/// written. ``fault(ofFrame:)`` then tells whether a part or the movie is damaged.
final class PartFrames: EncodedFrameStore {
  private struct Part {
    let path: String
    let firstFrame: Int
    let frames: [UInt64]
  }

  private struct Opened {
    var part: Int
    var file: UncachedMovieFile
    var samples: SampleTable
  }

  private struct State {
    var opened: Opened?
    /// The error of a part.
    var failure: EncodeJobError?
  }

  private let parts: [Part]
  // One thread reads while another asks for the error.
  private let state = Mutex(State())

  /// - Parameter parts: The folders and records of the parts, in order.
  init(_ parts: [(folder: PartFolder, record: EncodePart)]) {
    var next = 0
    self.parts = parts.map { folder, record in
      defer { next += record.frameCount }
      return Part(path: folder.moviePath, firstFrame: next, frames: record.frameSums)
    }
  }

  /// The checksums that the encoders recorded for all frames, in order.
  var checksums: [UInt64] { parts.flatMap(\.frames) }
  /// The indices of the frames that begin parts.
  var beginnings: Set<Int> { Set(parts.map(\.firstFrame)) }

  /// The fault of the part that holds a frame; nil if the frame there is as its encoder wrote it.
  func fault(ofFrame index: Int) -> EncodeJobError? {
    state.withLock { state in
      do throws(EncodeJobError) {
        // Open it again, to see its current state.
        let opened = try open(part(of: index))
        state.opened = nil
        return try Self.fault(opened, parts[opened.part], index)
      } catch {
        return error
      }
    }
  }

  private static func fault(
    _ opened: Opened, _ part: Part, _ index: Int
  ) throws(EncodeJobError) -> EncodeJobError? {
    let frame = index - part.firstFrame
    guard let sample = opened.samples[frame] else { throw damage(opened) }
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Int(sample.size), alignment: 4096)
    defer { room.deallocate() }
    do throws(QuickTimeError) {
      let count = try opened.file.read(into: room, at: sample.offset)
      let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
      if XXHash64.digest(bytes) == part.frames[frame] { return nil }
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
    return EncodeJobError(
      .partDamaged,
      "\(opened.file.name): frame \(frame) is not what was encoded; make the part again")
  }

  /// Why a frame could not be read; nil if all could.
  var failure: EncodeJobError? { state.withLock { $0.failure } }

  func byteCount(ofFrame index: Int64) throws(AssetWriterError) -> Int {
    try access(index, nil).size
  }

  func read(
    frame index: Int64, into room: UnsafeMutableRawBufferPointer
  ) throws(AssetWriterError) -> FrameChecksum? {
    let (size, sum) = try access(index, OutputRoom(bytes: room))
    let page = 4096
    let pages = min((size + page - 1) / page * page, room.count)
    return FrameChecksum(
      sum, ofFrame: size, in: UnsafeRawBufferPointer(rebasing: room[..<pages]))
  }

  /// The caller's buffer.
  ///
  /// Unchecked because of the pointer: it is only written under ``state``'s lock, while the caller
  /// of ``read(frame:into:)`` waits.
  private struct OutputRoom: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
  }

  /// Returns a frame's size and checksum, and reads the frame itself if a buffer is given.
  private func access(
    _ index: Int64, _ room: OutputRoom?
  ) throws(AssetWriterError) -> (size: Int, checksum: UInt64) {
    let result = state.withLock { state -> Result<(size: Int, checksum: UInt64), EncodeJobError> in
      do throws(EncodeJobError) {
        let number = try part(of: Int(index))
        if state.opened?.part != number { state.opened = try open(number) }
        guard let opened = state.opened else { return .success((0, 0)) }
        let frame = Int(index) - parts[number].firstFrame
        guard let sample = opened.samples[frame] else { throw Self.damage(opened) }
        if let room { try Self.read(opened, sample, frame, into: room.bytes) }
        return .success((Int(sample.size), parts[number].frames[frame]))
      } catch {
        state.failure = state.failure ?? error
        return .failure(error)
      }
    }
    do throws(EncodeJobError) { return try result.get() } catch {
      throw AssetWriterError(.encodingFailed, from: error)
    }
  }

  private static func read(
    _ opened: Opened, _ sample: SampleTable.Sample, _ frame: Int,
    into room: UnsafeMutableRawBufferPointer
  ) throws(EncodeJobError) {
    let count: Int
    do throws(QuickTimeError) {
      count = try opened.file.read(Int(sample.size), into: room, at: sample.offset)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
    guard count == Int(sample.size) else {
      throw EncodeJobError(
        .partDamaged, "\(opened.file.name) ends within frame \(frame); make the part again")
    }
  }

  private static func damage(_ opened: Opened) -> EncodeJobError {
    EncodeJobError(
      .partDamaged,
      "\(opened.file.name) holds fewer frames than its record says; make the part again")
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
        throw QuickTimeError(.damaged, "\(parts[number].path) holds no video")
      }
      return Opened(
        part: number, file: UncachedMovieFile(file, path: parts[number].path),
        samples: track.samples)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
  }
}
