public import FoundationEssentials
public import MediaCore

/// A piece of a take that is given away while it is written; see ``MediaSegmentation``.
public struct MediaSegment: Hashable, Sendable {
  /// What a segment is for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// What a player needs before any other: the tracks, and no media.
    case initialization
    /// Media, which need the initialization segment alone.
    case media
  }

  /// What a track has in a segment.
  public struct Track: Hashable, Sendable {
    /// The track's number in the initialization segment, from 1.
    public var id: Int32
    /// Video or audio.
    public var mediaType: MediaType
    /// The source time at which the first of its samples is presented; invalid in an initialization segment. With
    /// compressed audio this is up to a packet before the session's start.
    public var earliestPresentationTime: MediaTime
    /// From there to the end of the last sample; invalid in an initialization segment.
    public var duration: MediaTime
    /// Where the first frame lies in the segment; nil for audio, and if unknown.
    public var firstFrame: Frame?
  }

  /// A frame in a segment.
  public struct Frame: Hashable, Sendable {
    /// The source time at which it is presented.
    public var presentationTime: MediaTime
    /// Its first byte in the segment.
    public var offset: Int
    /// Bytes of it.
    public var byteCount: Int
    /// True where it needs none before it.
    public var isSync: Bool
  }

  /// What the segment is for.
  public var kind: Kind
  /// The segment.
  public var data: Data
  /// The tracks that have something in it; of an initialization segment all.
  public var tracks: [Track]
}
