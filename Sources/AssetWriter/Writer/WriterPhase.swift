import MediaCore

/// Where a writer stands, and what belongs to it there.
enum WriterPhase {
  /// Nothing was asked for yet.
  case unknown
  /// Encoders and the first file are being made.
  case starting
  /// Frames are encoded and kept without a file. There is no thread yet that a failure could end.
  case holding(PreRoll, failure: AssetWriterError? = nil)
  /// The writing thread works toward a goal.
  case writing(Goal)
  case completed
  case failed(AssetWriterError)
  /// With nil where writing was cancelled before it started.
  case cancelled(AssetWriterError?)

  /// What the writing thread works toward.
  enum Goal {
    /// To write what comes.
    case recording
    /// To write what was appended, and complete the movie.
    case finishing
    /// To save what can be saved: an encoder failed, or the end of a segment.
    case aborting(AssetWriterError)
    /// To leave no file.
    case cancelling
  }

  /// The phase as callers see it.
  var status: AssetWriter.Status {
    switch self {
    case .unknown, .starting: .unknown
    case .holding, .writing: .writing
    case .completed: .completed
    case .failed: .failed
    case .cancelled: .cancelled
    }
  }

  /// What ended writing.
  var error: AssetWriterError? {
    switch self {
    case .failed(let error): error
    case .cancelled(let error): error
    default: nil
    }
  }

  /// How much of the past is kept; nil unless the writer holds.
  var preRoll: PreRoll? {
    if case .holding(let preRoll, _) = self { preRoll } else { nil }
  }

  /// The failure of an encoder, or of a segment's end, that will end writing.
  var failure: AssetWriterError? {
    switch self {
    case .holding(_, let failure): failure
    case .writing(.aborting(let error)): error
    default: nil
    }
  }

  /// True once nothing more is appended.
  var isFinishing: Bool {
    if case .writing(.finishing) = self { true } else { false }
  }

  /// True once the files are to go.
  var isCancelling: Bool {
    if case .writing(.cancelling) = self { true } else { false }
  }

  /// Why nothing can be done that needs a writer at work; nil where one is.
  var statusError: AssetWriterError? {
    switch self {
    case .holding, .writing: nil
    case .failed(let error): error
    case .unknown, .starting:
      AssetWriterError(.invalidStatus, "writing has not started; call start() first")
    case .completed:
      AssetWriterError(.invalidStatus, "the movie is complete; create a new writer")
    case .cancelled:
      AssetWriterError(.cancelled, "writing was cancelled; create a new writer")
    }
  }

  // MARK: Transitions

  /// Enters ``starting``, once.
  mutating func start() throws(AssetWriterError) {
    guard case .unknown = self else {
      throw statusError.flatMap { $0.code == .invalidStatus && status == .unknown ? nil : $0 }
        ?? AssetWriterError(.invalidStatus, "writing has started already")
    }
    self = .starting
  }

  /// Lets the writing thread begin. What happened while there was none becomes its goal.
  mutating func beginWriting() {
    switch self {
    case .starting, .holding(_, nil): self = .writing(.recording)
    case .holding(_, let failure?): self = .writing(.aborting(failure))
    default: break
    }
  }

  /// Asks for the end once everything is written. A failure or a cancellation goes before it.
  mutating func finish() {
    if case .writing(.recording) = self { self = .writing(.finishing) }
  }

  /// Notes a failure; the first one counts, and a cancellation goes before it.
  mutating func fail(_ error: AssetWriterError) {
    switch self {
    case .holding(let preRoll, nil): self = .holding(preRoll, failure: error)
    case .writing(.recording), .writing(.finishing): self = .writing(.aborting(error))
    default: break
    }
  }

  /// Asks for an end without files.
  ///
  /// - Returns: True where a writing thread has to end first.
  mutating func cancel() -> Bool {
    switch self {
    case .unknown, .starting:
      self = .cancelled(nil)
      return false
    case .writing:
      self = .writing(.cancelling)
      return true
    default: return false
    }
  }
}
