import Dispatch
import Synchronization

/// Reports, once, that a library or list is locked by another change, if waiting takes longer than
/// a moment.
final class LockWait: Sendable {
  private struct State: Sendable {
    var handler: (@Sendable (String) -> Void)?
    var hasReported = false
  }

  private let state = Mutex(State())
  private let afterMoment: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Runs work after a second.
  static let second: @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { work() }
  }

  /// - Parameter afterMoment: Runs work after a moment.
  init(afterMoment: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = second) {
    self.afterMoment = afterMoment
  }

  /// Sets the handler; nil for none.
  func setHandler(_ handler: (@Sendable (String) -> Void)?) {
    state.withLock { $0.handler = handler }
  }

  /// One wait.
  private final class Turn: Sendable {
    private let isOver = Atomic(false)

    func end() { isOver.store(true, ordering: .relaxed) }
    var continues: Bool { !isOver.load(ordering: .relaxed) }
  }

  /// Takes the lock of a library, waiting if somebody else has it.
  ///
  /// - Parameter kind: The kind of thing that is locked, for the message.
  func take(
    _ lock: borrowing OpenFile, of root: String, kind: String = "library"
  ) throws(MediaLibraryError) {
    guard try !lock.lock(waits: false) else { return }
    let turn = Turn()
    defer { turn.end() }
    afterMoment { [self] in if turn.continues { tell(of: root, kind) } }
    _ = try lock.lock()
  }

  private func tell(of root: String, _ kind: String) {
    let handler = state.withLock { state in
      defer { if state.handler != nil { state.hasReported = true } }
      return state.hasReported ? nil : state.handler
    }
    handler?("\(root): another change of this \(kind) is in progress; waiting until it is complete")
  }
}
