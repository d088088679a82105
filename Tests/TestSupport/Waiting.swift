import Foundation
package import Testing

/// Something did not come true in time; an issue tells what and where.
package struct WaitedInVain: Error, CustomStringConvertible {
  package let description: String
}

/// The time that a test gives to what has to happen, on a machine however busy: long enough that only
/// a fault exceeds it.
package let patience: Duration = .seconds(120)

/// How long to wait until something is looked at again: a tenth of what was waited so far, for to look may
/// cost a process or a request, and many of them slow down what is waited for.
private func pause(since begin: ContinuousClock.Instant, atLeast least: Duration) -> Duration {
  min(max((ContinuousClock.now - begin) / 10, least), .milliseconds(50))
}

/// Waits until a condition holds.
///
/// - Throws: ``WaitedInVain`` where it does not within `limit`; an issue is recorded.
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

/// As ``eventually(_:within:isolation:at:_:)`` for tests that are not asynchronous: blocks the thread.
///
/// - Throws: ``WaitedInVain`` where it does not within `limit`; an issue is recorded.
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
