import FoundationEssentials
import MediaCore
import QuickTime
import Synchronization

/// In the place of a movie's file: what libavformat writes is collected until somebody takes it.
final class MediaSegmentStream: MovieFile, Sendable {
  let name = "the media segments"
  private let state = Mutex(State())

  private struct State {
    var bytes = Data()
    /// Bytes that were taken.
    var taken: UInt64 = 0
  }

  /// Returns what was written since the last call.
  func take() -> Data {
    state.withLock { state in
      defer { state.bytes = Data() }
      state.taken += UInt64(state.bytes.count)
      return state.bytes
    }
  }

  func write(_ buffers: [UnsafeRawBufferPointer], at offset: UInt64) throws(QuickTimeError) {
    let isNext = state.withLock { state in
      guard offset == state.taken + UInt64(state.bytes.count) else { return false }
      for buffer in buffers { state.bytes.append(contentsOf: buffer) }
      return true
    }
    guard isNext else {
      throw QuickTimeError(.ioFailed, "\(name): data already delivered cannot be rewritten")
    }
  }

  func size() throws(QuickTimeError) -> UInt64 {
    state.withLock { $0.taken + UInt64($0.bytes.count) }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int { 0 }

  func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool { false }
  func truncate(to size: UInt64) throws(QuickTimeError) {}
  func synchronize() throws(QuickTimeError) {}
  func synchronizeParentDirectory() throws(QuickTimeError) {}
  func close() throws(QuickTimeError) {}
  func remove() throws(QuickTimeError) { _ = take() }
}
