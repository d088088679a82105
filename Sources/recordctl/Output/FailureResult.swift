import MediaCore

/// What a verb with `--json` prints in place of a result.
struct FailureResult: Encodable {
  let error: ErrorSummary
  let exitStatus: Int32

  /// - Parameters:
  ///   - error: What ended the verb.
  ///   - message: The line that standard error has.
  ///   - status: How the command ends.
  init(_ error: any Error, _ message: String, _ status: ExitStatus) {
    self.error = ErrorSummary(
      code: (error as? any CodedError)?.codeName ?? "badUsage", message: message)
    exitStatus = status.rawValue
  }
}

extension CodedError {
  /// The code's name, whichever module the error is of.
  fileprivate var codeName: String { code.name }
}
