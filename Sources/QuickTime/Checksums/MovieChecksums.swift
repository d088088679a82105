/// Checksums of a movie: xxHash64 with seed 0, of what was handed to the disk.
public struct MovieChecksums: Sendable, Hashable {
  /// A stretch of the file.
  public struct Region: Sendable, Hashable {
    /// Offset of the first byte in the file.
    public var offset: UInt64
    public var byteCount: UInt64
    /// The xxHash64, seed 0.
    public var value: UInt64

    /// A region with its checksum.
    public init(offset: UInt64, byteCount: UInt64, value: UInt64) {
      self.offset = offset
      self.byteCount = byteCount
      self.value = value
    }
  }

  /// Consecutive audio samples.
  public struct Run: Sendable, Hashable {
    /// Samples of each channel.
    public var sampleCount: Int
    /// The checksum of their bytes.
    public var value: UInt64

    /// A run with its checksum.
    public init(sampleCount: Int, value: UInt64) {
      self.sampleCount = sampleCount
      self.value = value
    }
  }

  /// A video or audio track.
  public struct Track: Sendable, Hashable {
    public var id: TrackID
    /// One of each frame, in order; empty for audio.
    public var frames: [UInt64] = []
    /// Audio from its first sample to its last; empty for video.
    public var runs: [Run] = []

    /// A track without samples.
    public init(id: TrackID) { self.id = id }
  }

  /// The whole file: what `xxhsum` prints of it.
  public var file: UInt64
  /// From the file's beginning to the first frame's fragment.
  public var head: Region
  /// The index: the `moov` atom that ends the file.
  public var index: Region
  /// What lies between both and is neither video nor audio, in the order of the file: headers of
  /// fragments, padding, timecodes.
  public var rest: UInt64
  /// The video and audio tracks, in the order of the file.
  public var tracks: [Track]

  /// Checksums that were taken.
  public init(file: UInt64, head: Region, index: Region, rest: UInt64, tracks: [Track]) {
    self.file = file
    self.head = head
    self.index = index
    self.rest = rest
    self.tracks = tracks
  }
}
