import Dispatch

/// Work on a thread of its own, for whose outcome somebody waits.
package struct BackgroundJob<Output: Sendable, Failure: Error>: Sendable {
  private let result = WaitableMutex<Result<Output, Failure>?>(nil)

  /// Begins.
  ///
  /// - Parameter label: Names the thread's queue in debuggers.
  package init(
    label: String, _ work: @escaping @Sendable () throws(Failure) -> Output
  ) {
    DispatchQueue(label: label).async { [result] in
      let outcome = Result { () throws(Failure) -> Output in try work() }
      result.update { $0 = outcome }
    }
  }

  /// Blocks until the work has ended. May be asked again.
  package func outcome() throws(Failure) -> Output {
    try result.wait { $0 }.get()
  }
}
