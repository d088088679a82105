/// What a track, a port or a connection carries.
public enum MediaType: String, Sendable, Hashable, CaseIterable {
  /// Pictures.
  case video = "vide"
  case audio = "soun"
  case timecode = "tmcd"
  /// Timed metadata.
  case metadata = "meta"
}

/// A container that a movie can be written to.
public enum FileType: String, Sendable, Hashable, CaseIterable {
  /// A QuickTime movie.
  case mov = "com.apple.quicktime-movie"

  /// The usual file-name extension, without the dot.
  public var pathExtension: String { "mov" }
}
