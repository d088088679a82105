public import MediaCore

extension AssetWriter {
  /// What a writer does with a file that exists.
  public enum OverwritePolicy: String, Hashable, Sendable, Codable {
    /// Refuses to start.
    case refuse
    case replace
  }

  /// What can be set about a writer beyond its tracks.
  public struct Configuration: Hashable, Sendable {
    /// What happens to a file that exists.
    public var overwritePolicy: OverwritePolicy = .refuse
    /// How much of the movie a sudden end can cost: a fragment is complete in the file after each
    /// such span. Half a second unless told otherwise.
    public var movieFragmentInterval = MediaTime(value: 1, timescale: 2)
    /// True where each fragment is brought to the disk, so that it survives a power cut; false
    /// where surviving the program is enough.
    public var synchronizesFragments = true
    /// How far one track of a source that is not live may run ahead of the slowest one, in seconds,
    /// before an append is refused; greater than 0.
    public var interleavingLimit = 10.0
    /// How much of a track waits in memory for the others, in seconds, so that they can be
    /// interleaved; greater than 0.
    public var interleavingWindow = 0.5
    /// The longest gap that is filled, in seconds; a sample that leaves a longer one is refused.
    public var maximumGap = 60.0
    /// The address of the first frame of the first video track, at that track's rate; nil for the
    /// one that comes with the frame, if one at that rate does. Above 255 frames a second a movie has none.
    public var startTimecode: Timecode?
    /// What is asked of the system for the threads that encode and write. A priority is raised only
    /// where an input expects its media in real time.
    public var threads = ThreadOptions()
    /// False for a movie without timecode, even where frames come with one.
    public var writesTimecode = true
    /// Where the take is cut into several movies.
    public var segments = SegmentPolicy()
    /// True to take checksums of each movie while it is written; see
    /// ``AssetWriter/segmentHandler``.
    public var takesChecksums = false
    /// The path of a folder that gets each movie as well, byte for byte; nil for none. The take goes on in
    /// the files that are left where a disk is lost, is full, or falls behind the other by 512 MiB.
    public var secondFolder: String?
    /// The reel's name in the timecode track; empty for none.
    public var reelName = ""

    /// The defaults.
    public init() {}
  }
}
