extension Interruption {
  /// Runs work that is left to do in a task that the next signal cancels.
  func cancelling<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
  ) async -> Result<Success, any Error> {
    let task = Task(operation: work)
    renew { task.cancel() }
    return await task.result
  }

  /// Runs work in a task that the first SIGINT, SIGTERM or SIGHUP cancels.
  static func cancelling<Success: Sendable>(
    _ work: @escaping @Sendable () async throws -> Success
  ) async -> Result<Success, any Error> {
    let task = Task(operation: work)
    let interruption = Interruption { task.cancel() }
    let result = await task.result
    withExtendedLifetime(interruption) {}
    return result
  }
}
