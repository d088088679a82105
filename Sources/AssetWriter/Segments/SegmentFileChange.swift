import MediaCore
public import QuickTime

/// What another program did to a movie's file while it was written, and what was done about it.
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

  /// Describes a movie that could not replace the file it was to replace, and so keeps its own name beside it.
  static func keptName(_ name: String, after error: QuickTimeError) -> Self {
    Self(change: .moved, path: name, newPath: name, error: error)
  }

  /// Describes what a movie's file noticed, after making a folder again that was deleted with the file.
  ///
  /// - Parameters:
  ///   - change: What the file noticed.
  ///   - file: The file, which has its new name where it was moved.
  ///   - path: Its path before.
  ///   - restoreFolder: Makes the folder again.
  static func noticed(
    _ change: MovieFileChange, by file: any MovieFile, formerly path: String,
    restoreFolder: () throws(QuickTimeError) -> Void
  ) -> Self {
    var failure: QuickTimeError?
    if change == .deleted || change == .replaced {
      do throws(QuickTimeError) { try restoreFolder() } catch { failure = error }
    }
    return Self(
      change: change, path: path, newPath: change == .moved ? file.name : nil, error: failure)
  }

  /// One line for those who watch.
  public var message: String {
    switch change {
    case .moved:
      if let error { return error.message }
      return
        "\(path) was moved during recording: the take continues in \(newPath ?? "another file")"
    case .deleted, .replaced:
      let event = change == .deleted ? "was deleted" : "was replaced by another file"
      if let error {
        return "\(path) \(event) during recording and could not be restored: \(error.message)"
      }
      return "\(path) \(event) during recording: it will be restored when it is complete, and the "
        + "take continues in another file"
    case .emptied:
      return "\(path) was emptied or cut during recording: its frames are lost, and the take "
        + "continues in another file"
    }
  }
}
