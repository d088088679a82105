import Synchronization

/// What libav said while it worked for one reader. Bounded.
final class LibavMessageLog: Sendable {
  private struct State {
    var errors: [String] = []
    var errorCount = 0
    var last: String?
  }

  private static let limit = 16
  private let state = Mutex(State())

  /// Keeps a message.
  func note(_ text: String, isError: Bool) {
    state.withLock { state in
      state.last = text
      guard isError else { return }
      state.errorCount += 1
      if state.errors.count < Self.limit { state.errors.append(text) }
    }
  }

  /// The newest message, errors and warnings alike.
  var lastMessage: String? { state.withLock { $0.last } }

  /// Errors so far.
  var errorCount: Int { state.withLock { $0.errorCount } }

  /// The errors since the last call of this, at most sixteen.
  func popErrors() -> [String] {
    state.withLock { state in
      defer { state.errors = [] }
      return state.errors
    }
  }
}
