import MediaCore

/// The part of the source's time that the movie shows.
enum WriterSession {
  case none
  case running(start: MediaTime)
  case ended(start: MediaTime, end: MediaTime)

  /// The source time of the movie's beginning.
  var start: MediaTime? {
    switch self {
    case .none: nil
    case .running(let start), .ended(let start, _): start
    }
  }

  /// How long the movie is; nil while that is open.
  var length: MediaTime? {
    if case .ended(let start, let end) = self { end - start } else { nil }
  }

  /// - Throws: ``AssetWriterError/Code/invalidStatus`` for a second session,
  ///   ``AssetWriterError/Code/invalidTime``.
  mutating func start(at time: MediaTime) throws(AssetWriterError) {
    guard case .none = self else {
      throw AssetWriterError(.invalidStatus, "a session was started already; a movie has one")
    }
    guard time.isNumeric else {
      throw AssetWriterError(.invalidTime, "the session cannot start at \(time)")
    }
    self = .running(start: time)
  }

  /// - Throws: ``AssetWriterError/Code/sessionNotStarted``, ``AssetWriterError/Code/invalidTime``.
  mutating func end(at time: MediaTime) throws(AssetWriterError) {
    guard case .running(let start) = self else {
      throw AssetWriterError(.sessionNotStarted, "no session is running")
    }
    guard time.isNumeric, time > start else {
      throw AssetWriterError(
        .invalidTime, "the session, started at \(start), cannot end at \(time)")
    }
    self = .ended(start: start, end: time)
  }
}
