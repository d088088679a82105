import AssetWriter
public import FoundationEssentials

extension RecordingReport {
  /// The movies that are complete, of this recording and of those that continued it: what a library
  /// is given.
  public var finishedMovies: [URL] {
    let own =
      segments.isEmpty
      ? (isValid ? [movie.path] : []) : segments.filter(\.isValid).map(\.path)
    return own.map { URL(filePath: $0) } + continuations.flatMap(\.finishedMovies)
  }
}
