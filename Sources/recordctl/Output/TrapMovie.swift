import CSignals
import Foundation
import Synchronization

/// The movie that is being written, as the trap handler tells it with the remedy.
enum TrapMovie {
  private struct State {
    var path: String?
    /// Movies that were begun so far.
    var count = 0

    mutating func tell(_ next: String?) {
      guard next != path else { return }
      path = next
      // Absolute: who reads it may be in another folder.
      trap_report_set_movie(next.map { URL(filePath: $0).path(percentEncoded: false) })
    }
  }

  private static let state = Mutex(State())

  /// A movie is begun, of which nothing is in its file yet.
  static func begin(_ path: String) {
    state.withLock { state in
      state.count += 1
      state.tell(path)
    }
  }

  /// Looks which movie is being written, which takes locks of its own; nil for none. What was found before
  /// another movie was begun counts for nothing.
  static func look(_ path: () -> String?) {
    let before = state.withLock { $0.count }
    let present = path()
    state.withLock { state in
      if state.count == before { state.tell(present) }
    }
  }
}
