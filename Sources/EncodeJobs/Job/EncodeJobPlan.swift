import AssetReader
import MediaCore
public import MovieExport
import QuickTime

/// The plan of an export in parts: `plan.json` in the job's folder. It and the indices next to it
/// record everything that the movies depend on.
public struct EncodeJobPlan: Sendable, Hashable, Codable {
  /// Versions that must be the same wherever parts are made.
  public struct Versions: Sendable, Hashable, Codable {
    /// The version of this program.
    public var recordctl: String
    /// The version of the decoding library.
    public var libavcodec: String

    /// The versions of this process.
    static var current: Self {
      Self(recordctl: PackageVersion.current, libavcodec: LibavVersion.libavcodec)
    }
  }

  /// A source, and how to tell whether it is unchanged.
  public struct Source: Sendable, Hashable, Codable {
    /// The source as users write it, with an absolute path.
    public var input: String
    /// The size of the file in bytes.
    public var fileSize: Int64
    /// The modification time, in nanoseconds since 1970.
    public var modifiedNanoseconds: Int64
    /// The xxHash64 of its first and last MiB.
    public var edges: String
    /// The xxHash64 of samples read in between; nil in plans of versions that did not record it.
    public var samples: String?
    /// The codec of the movie, by its short name.
    public var codec: String
    /// The exact frame rate: `25`, `30000/1001`.
    public var frameRate: String
    /// The number of frames in the source.
    public var pictureCount: Int
    /// The number of frames to encode.
    public var frameCount: Int
    /// The number of frames between restarts of the encoder.
    public var restartInterval: Int
    /// The movie's path, relative to the job's folder.
    public var movie: String
    /// The movie's creation time if the source has none, in seconds since 1970.
    public var creationUnixTime: Int64
    /// The index's path, relative to the job's folder.
    public var index: String
    /// The xxHash64 of the index.
    public var indexChecksum: String
    /// What happened to frames, as far as is known before they are decoded: frames lost before the
    /// first one, and gaps in the container's data; nil in plans of versions that did not record
    /// it.
    public var pictures: FrameAccount?
    /// What the movie drops, changes or assumes, as far as is known.
    public var notes: [ExportNote]
  }

  /// A part: a range of frames of one source.
  public struct Part: Sendable, Hashable, Codable {
    /// The source's index in the plan, from 0.
    public var source: Int
    /// The part's first frame, from 0.
    public var firstFrame: Int
    /// The number of frames.
    public var frameCount: Int
  }

  /// The options for all sources.
  public var options: EncodeJobOptions
  /// The versions that made the plan.
  public var versions: Versions
  /// The sources.
  public var sources: [Source]
  /// The parts. A part's index is its number.
  public var parts: [Part]

  /// The numbers of a source's parts.
  func parts(of source: Int) -> [Int] { parts.indices.filter { parts[$0].source == source } }

  /// True if the values read from a file are consistent.
  var isConsistent: Bool {
    guard !sources.isEmpty, sources.allSatisfy({ $0.restartInterval > 0 && $0.frameCount > 0 })
    else { return false }
    var ends = [Int](repeating: 0, count: sources.count)
    for part in parts {
      guard sources.indices.contains(part.source), part.firstFrame == ends[part.source],
        part.frameCount > 0, part.frameCount <= sources[part.source].frameCount - part.firstFrame,
        part.firstFrame % sources[part.source].restartInterval == 0
      else { return false }
      ends[part.source] += part.frameCount
    }
    return ends == sources.map(\.frameCount)
      && sources.allSatisfy { source in
        [source.movie, source.index].allSatisfy { path in
          !path.isAbsolutePath && !path.pathParts().contains("..")
        }
      }
  }
}
