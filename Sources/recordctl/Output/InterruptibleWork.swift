import EncodeJobs

/// Work on a conversion in parts that a signal cancels.
enum InterruptibleWork {
  /// Runs `body` to its end. It begins once signals are handled, because an earlier signal would kill the program
  /// and leave unfinished work.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws(EncodeJobError) -> Value
  ) async throws(EncodeJobError) -> Value {
    let start = AsyncStream<Never>.makeStream()
    let task = Task { () async -> Result<Value, EncodeJobError> in
      for await _ in start.stream {}
      do throws(EncodeJobError) { return .success(try await body()) } catch {
        return .failure(error)
      }
    }
    let interruption = Interruption { task.cancel() }
    defer { _ = interruption }
    start.continuation.finish()
    return try await task.value.get()
  }
}
