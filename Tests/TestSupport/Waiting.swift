package import Foundation
package import Testing

/// A condition did not hold in time; a recorded issue says which and where.
package struct WaitedInVain: Error, CustomStringConvertible {
  package let description: String
}

/// The time that a test allows for an event, on a machine however busy: long enough that only a
/// fault exceeds it.
package let patience: Duration = .seconds(120)

/// The pause before the next check: a tenth of the time waited so far. A check may cost a process
/// or a request, and many of them slow down the awaited event.
private func pause(since begin: ContinuousClock.Instant, atLeast least: Duration) -> Duration {
  min(max((ContinuousClock.now - begin) / 10, least), .milliseconds(50))
}

/// Waits until a condition holds.
///
/// - Throws: ``WaitedInVain`` if it does not within `limit`; an issue is recorded.
package func eventually(
  _ what: Comment, within limit: Duration = patience,
  isolation: isolated (any Actor)? = #isolation, at location: SourceLocation = #_sourceLocation,
  _ isTrue: () async throws -> Bool
) async throws {
  let begin = ContinuousClock.now
  while try await !isTrue() {
    guard ContinuousClock.now < begin + limit else { throw waitedInVain(what, limit, location) }
    try await Task.sleep(for: pause(since: begin, atLeast: .milliseconds(2)))
  }
}

/// Like ``eventually(_:within:isolation:at:_:)``, for tests that are not asynchronous: blocks the
/// thread.
///
/// - Throws: ``WaitedInVain`` if it does not within `limit`; an issue is recorded.
package func waitUntil(
  _ what: Comment, within limit: Duration = patience,
  at location: SourceLocation = #_sourceLocation, _ isTrue: () throws -> Bool
) throws {
  let begin = ContinuousClock.now
  while try !isTrue() {
    guard ContinuousClock.now < begin + limit else { throw waitedInVain(what, limit, location) }
    Thread.sleep(forTimeInterval: pause(since: begin, atLeast: .milliseconds(5)) / .seconds(1))
  }
}

private func waitedInVain(
  _ what: Comment, _ limit: Duration, _ location: SourceLocation
) -> WaitedInVain {
  let issue = Comment(rawValue: "waited \(limit) in vain for \(what)")
  Issue.record(issue, sourceLocation: location)
  return WaitedInVain(description: issue.rawValue)
}

extension Process {
  /// Blocks the thread until the process ends. `waitUntilExit()` takes a third of a processor on
  /// Linux if another thread started the process, because its run loop then has nothing to wait for.
  package func waitForExit() {
    let begin = ContinuousClock.now
    while isRunning {
      Thread.sleep(forTimeInterval: pause(since: begin, atLeast: .milliseconds(1)) / .seconds(1))
    }
  }
}
