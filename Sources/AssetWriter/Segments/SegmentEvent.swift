public import QuickTime

/// What becomes of a take's movies while it is written.
public enum SegmentEvent: Sendable {
  /// A movie was begun: its file is there under its name, and will be recovered after a sudden end. A
  /// movie that replaces another one has the name once its first fragment is on the disk.
  case began(number: Int, path: String)
  /// A movie ended, complete or as complete as it will be; with its checksums, where they were wanted
  /// and are known.
  case ended(Segment, MovieChecksums?)
  /// A movie was removed after it was begun: nothing in it could be saved, it began after the session's end, or
  /// writing was cancelled.
  case removed(path: String)
  /// Others have moved, replaced, deleted or emptied a movie's file while it was written.
  case changed(number: Int, SegmentFileChange)
  /// One of the two files of a movie is given up; the movie goes on in the other.
  case copyLost(number: Int, MovieFileCopy)
}
