import Synchronization

/// Messages that libav logged while it worked for one reader. Bounded.
final class LibavMessageLog: Sendable {
  private struct State {
    var errors: [String] = []
    var errorCount = 0
    var last: String?
  }

  private static let limit = 16
  private let state = Mutex(State())

  /// Records a message.
  func note(_ text: String, isError: Bool) {
    state.withLock { state in
      state.last = text
      guard isError else { return }
      state.errorCount += 1
      if state.errors.count < Self.limit { state.errors.append(text) }
    }
  }

  /// The latest message, error or warning.
  var lastMessage: String? { state.withLock { $0.last } }

  /// The number of errors so far.
  var errorCount: Int { state.withLock { $0.errorCount } }

  /// Removes and returns the errors since the last call, at most sixteen.
  func popErrors() -> [String] {
    state.withLock { state in
      defer { state.errors = [] }
      return state.errors
    }
  }
}
