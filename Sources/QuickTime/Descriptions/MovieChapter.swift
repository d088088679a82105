public import MediaCore

/// A chapter of a movie.
public struct MovieChapter: Sendable, Hashable {
  /// Its name; empty for none.
  public var title: String
  /// Where it begins, from the movie's start.
  public var start: MediaTime

  /// A chapter by its name and its start.
  public init(title: String, start: MediaTime) {
    self.title = title
    self.start = start
  }
}
