import Foundation
import Synchronization

/// The thread of a stream: started once, and stopped once from anywhere, its own handler included.
final class StreamThread: Sendable {
  private let isOver = SharedFlag()
  private let finished = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  private struct State {
    var hasStarted = false
    var thread: pthread_t?
  }

  /// Starts the thread.
  ///
  /// - Parameter body: Ends soon after the closure that it is given answers true.
  /// - Throws: ``CaptureError/Code/invalidState`` where it was started or stopped before.
  func start(
    name: String, _ body: @escaping @Sendable (_ isOver: () -> Bool) -> Void
  ) throws(CaptureError) {
    let isFirst = state.withLock { state in
      guard !state.hasStarted, !isOver.isSet else { return false }
      state.hasStarted = true
      return true
    }
    guard isFirst else {
      throw CaptureError(.invalidState, "the stream was started before; open a new one")
    }
    let thread = Thread { [self] in
      state.withLock { $0.thread = pthread_self() }
      body { isOver.isSet }
      finished.signal()
    }
    thread.name = name
    thread.start()
  }

  /// Ends the thread and waits for it, unless it is this one. Twice does nothing.
  func stop() {
    isOver.set()
    let state = state.withLock { $0 }
    guard state.hasStarted else { return }
    if let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 { return }
    finished.wait()
    // For whoever stops it a second time.
    finished.signal()
  }
}

/// A flag that goes up once.
final class SharedFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
