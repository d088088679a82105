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
