import Synchronization

/// Ends the hooks of takes that were complete when a signal came. Each take is saved all the same, and
/// those that become complete later have their hooks until the next signal.
final class HookInterruption: Sendable {
  private struct State {
    /// Signals so far.
    var count = 0
    /// Ends the hooks that run.
    var cancel: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The signals so far: for ``run(since:_:)``, of a take that is complete now.
  var count: Int { state.withLock { $0.count } }

  /// Ends the hooks that run, and keeps those from running that wait.
  func interrupt() {
    let cancel = state.withLock { state in
      state.count += 1
      return state.cancel
    }
    cancel?()
  }

  /// Runs a save in a task that a signal cancels; at once where one came since `count`.
  func run<Success: Sendable, Failure: Error>(
    since count: Int, _ work: @escaping @Sendable () async -> Result<Success, Failure>
  ) async -> Result<Success, Failure> {
    let task = Task(operation: work)
    let isLate = state.withLock { state in
      state.cancel = { task.cancel() }
      return state.count > count
    }
    if isLate { task.cancel() }
    defer { state.withLock { $0.cancel = nil } }
    return await task.value
  }
}
