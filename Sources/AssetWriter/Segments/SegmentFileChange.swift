import MediaCore
public import QuickTime

/// What others did to the file of a movie while it was written, and what was done about it.
public struct SegmentFileChange: Hashable, Sendable {
  /// What happened.
  public var change: MovieFileChange
  /// The file's path before.
  public var path: String
  /// The path of a file that was moved; nil where it has none.
  public var newPath: String?
  /// Why nothing can be done about it, or why a movie that was to replace another one could not; nil
  /// where all that can be done is.
  public var error: QuickTimeError?

  /// One line for those who watch.
  public var message: String {
    switch change {
    case .moved:
      if let error { return error.message }
      return "\(path) was moved while it is recorded: it goes on as \(newPath ?? "another file")"
    case .deleted, .replaced:
      let event = change == .deleted ? "was deleted" : "was replaced by another file"
      if let error {
        return "\(path) \(event) while it was recorded and could not be restored: \(error.message)"
      }
      return "\(path) \(event) while it is recorded: it is restored when it is complete, and the "
        + "take goes on in another file"
    case .emptied:
      return "\(path) was emptied or cut while it is recorded: its frames are lost, and the take "
        + "goes on in another file"
    }
  }
}
