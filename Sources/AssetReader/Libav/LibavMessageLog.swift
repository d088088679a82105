import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What libav said while it worked for one reader. Bounded.
final class LibavMessageLog: Sendable {
  private struct State {
    var errors: [String] = []
    var errorCount = 0
    var last: String?
    var threads: [pthread_t: ThreadErrors] = [:]
  }

  /// Errors that came of one thread's calls, and not of a decoder's threads at the same time.
  struct ThreadErrors {
    var count = 0
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
      state.threads[pthread_self(), default: ThreadErrors()].count += 1
      state.threads[pthread_self()]?.last = text
      if state.errors.count < Self.limit { state.errors.append(text) }
    }
  }

  /// The newest message, errors and warnings alike.
  var lastMessage: String? { state.withLock { $0.last } }

  /// Errors so far.
  var errorCount: Int { state.withLock { $0.errorCount } }

  /// Errors of this thread's calls so far.
  var ownErrors: ThreadErrors {
    state.withLock { $0.threads[pthread_self()] ?? ThreadErrors() }
  }

  /// The errors since the last call of this, at most sixteen.
  func popErrors() -> [String] {
    state.withLock { state in
      defer { state.errors = [] }
      return state.errors
    }
  }
}
