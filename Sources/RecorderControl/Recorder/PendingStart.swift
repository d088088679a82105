/// A start that is set, until its take has begun. It stands while the source is away, too.
struct PendingStart {
  /// How far it has come.
  enum Phase {
    /// Its moment is awaited.
    case waiting(Task<Void, Never>)
    /// The session has been told to begin and has not answered: the take may be on its way.
    case beginning
  }

  /// Tells it from one that is set later.
  let number: Int
  /// As clients are told of it.
  let armed: RecorderStatus.Armed
  var phase: Phase
}
