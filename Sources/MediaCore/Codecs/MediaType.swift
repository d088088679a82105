/// What a track, a port or a connection carries.
public enum MediaType: String, Sendable, Hashable, CaseIterable {
  /// Pictures.
  case video = "vide"
  case audio = "soun"
  case timecode = "tmcd"
  /// Timed metadata.
  case metadata = "meta"
  /// Chapters, and texts besides.
  case text
  case subtitle = "sbtl"
  /// CEA-608 and 708.
  case closedCaption = "clcp"
  /// Pictures and sound in one stream.
  case muxed = "muxx"
  case depthData = "dpth"
  /// Things seen in pictures: faces, codes.
  case metadataObject = "mobj"
}

/// A container that a movie can be written to.
public enum FileType: String, Sendable, Hashable, CaseIterable {
  /// A QuickTime movie.
  case mov = "com.apple.quicktime-movie"
  /// An MPEG-4 movie.
  case mp4 = "public.mpeg-4"
  /// Apple's form of an MPEG-4 movie.
  case m4v = "com.apple.m4v-video"
  /// Sound alone in an MPEG-4 file.
  case m4a = "com.apple.m4a-audio"

  /// The usual file-name extension, without the dot.
  public var pathExtension: String {
    switch self {
    case .mov: "mov"
    case .mp4: "mp4"
    case .m4v: "m4v"
    case .m4a: "m4a"
    }
  }
}
