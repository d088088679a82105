import AssetWriter
public import FoundationEssentials

extension RecordingReport {
  /// The complete movies of this recording and of its continuations, for adding to a library.
  public var finishedMovies: [URL] {
    let own =
      segments.isEmpty
      ? (isValid ? [movie.path] : []) : segments.filter(\.isValid).map(\.path)
    return own.map { URL(filePath: $0) } + continuations.flatMap(\.finishedMovies)
  }
}
