import MediaCore
import Synchronization

/// The thread of a stream: started once, and stopped once from anywhere, its own handler included.
final class StreamThread: Sendable {
  private let isOver = SharedFlag()
  private let state = Mutex(State())

  private struct State {
    var hasStarted = false
    var thread: MediaThread?
  }

  /// Starts the thread.
  ///
  /// - Parameter body: Ends soon after the closure that it is given answers true.
  /// - Throws: ``CaptureError/Code/invalidState`` where it was started or stopped before,
  ///   ``CaptureError/Code/deviceFailed`` where the system gives no thread.
  func start(
    name: String, options: ThreadOptions, _ body: @escaping @Sendable (_ isOver: () -> Bool) -> Void
  ) throws(CaptureError) {
    try state.withLock { state throws(CaptureError) in
      guard !state.hasStarted, !isOver.isSet else {
        throw CaptureError(.invalidState, "the stream was started before; open a new one")
      }
      state.hasStarted = true
      state.thread = try .capture(name: name, options: options) { [isOver] in body { isOver.isSet }
      }
    }
  }

  /// Ends the thread and waits for it, unless it is this one. Twice does nothing.
  func stop() {
    isOver.set()
    state.withLock { $0.thread }?.join()
  }
}

extension ThreadOptions {
  /// The options of a source's thread: one that waits for its consumer is not urgent.
  func forSource(isRealTime: Bool) -> ThreadOptions {
    ThreadOptions(isRaised: isRaised && isRealTime, processors: processors)
  }
}

extension MediaThread {
  /// A thread that takes samples from a device.
  ///
  /// - Throws: ``CaptureError/Code/deviceFailed`` where the system gives none.
  static func capture(
    name: String, options: ThreadOptions, _ body: @escaping @Sendable () -> Void
  ) throws(CaptureError) -> MediaThread {
    do throws(MediaCoreError) {
      return try MediaThread(name: name, role: .capture, options: options, body)
    } catch {
      throw CaptureError(.deviceFailed, error.message)
    }
  }
}

/// A flag that goes up once.
final class SharedFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
