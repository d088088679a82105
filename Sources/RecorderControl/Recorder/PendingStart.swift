/// A scheduled start, until its take has begun. It is kept while the source is away.
struct PendingStart {
  /// The progress of a scheduled start.
  enum Phase {
    /// Its moment is awaited.
    case waiting(Task<Void, Never>)
    /// The session was told to begin and has not answered: the take may already have begun.
    case beginning
  }

  /// Distinguishes it from later scheduled starts.
  let number: Int
  /// The start as it is reported to clients.
  let armed: RecorderStatus.Armed
  var phase: Phase
}
