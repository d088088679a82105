import Dispatch
import Synchronization

/// Work in a task that cancels itself.
final class SelfCancelled<Value: Sendable>: Sendable {
  private let task = Mutex<Task<Value, any Error>?>(nil)
  private let known = DispatchSemaphore(value: 0)

  func value(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = Task(operation: work)
    self.task.withLock { $0 = task }
    known.signal()
    return try await task.value
  }

  /// Cancels the task once it exists.
  func cancel() {
    known.wait()
    task.withLock { $0?.cancel() }
  }
}
