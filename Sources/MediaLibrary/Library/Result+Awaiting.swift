extension Result {
  /// The result of work that waits.
  static func awaiting(
    _ work: () async throws(Failure) -> Success
  ) async -> Self {
    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
  }
}
