import MediaCore
import Synchronization

/// Gives out a number of frames, once each.
final class FrameSource: Sendable {
  private let count: Int
  private let state = Mutex(State())

  private struct State {
    var given = 0
    var isFinished = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  init(count: Int) { self.count = count }

  func next() -> SampleBuffer? {
    state.withLock { state in
      guard state.given < count else { return nil }
      state.given += 1
      return try? TestMedia.video(state.given - 1)
    }
  }

  func finish() {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      state.isFinished = true
      return state.waiter
    }
    waiter?.resume()
  }

  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      let isFinished = state.withLock { state in
        if !state.isFinished { state.waiter = continuation }
        return state.isFinished
      }
      if isFinished { continuation.resume() }
    }
  }
}
