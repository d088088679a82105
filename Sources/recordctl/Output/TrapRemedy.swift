import CSignals
import Synchronization

/// The trap handler's message during work that is restarted after a crash: a part of a conversion, a
/// join. Their unfinished files are not movies to recover; the next call removes them.
enum TrapRemedy {
  private static let words = Mutex("")

  /// The words for a part.
  static func part(_ number: Int, of job: String) -> String {
    "part \(number) of \(job) is not complete; the same command completes it and removes what was left"
  }

  /// The words for a join.
  static func join(_ movie: String) -> String {
    "\(movie) is not joined; the same command joins it and removes what was left"
  }

  /// Runs `body`, and tells `remedy` where the program fails within.
  static func run<Value, Failure: Error>(
    _ remedy: String, _ body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    set(remedy)
    defer { set("") }
    return try await body()
  }

  private static func set(_ remedy: String) {
    words.withLock { words in
      words = remedy
      trap_report_set_remedy(words)
    }
  }
}
