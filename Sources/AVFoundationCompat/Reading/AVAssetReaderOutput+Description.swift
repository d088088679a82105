extension AVAssetReaderOutput: CustomStringConvertible {
  /// The class and the tracks, for example `AVAssetReaderTrackOutput of track 1 (vide)`.
  public var description: String {
    let numbers = trackNumbers.map(String.init).joined(separator: ", ")
    let kind = trackNumbers.count == 1 ? "track" : "tracks"
    return "\(type(of: self)) of \(kind) \(numbers) (\(mediaType.rawValue))"
  }
}
