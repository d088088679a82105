import AssetReader
import MediaCore
public import MovieExport
import QuickTime

/// What a conversion in parts is to do: `plan.json` in the job's folder. All that its movies depend on
/// is written down in it and in the indices beside it.
public struct EncodeJobPlan: Sendable, Hashable, Codable {
  /// What must be the same wherever parts are made.
  public struct Versions: Sendable, Hashable, Codable {
    /// Of this program.
    public var recordctl: String
    /// Of the library that decodes.
    public var libavcodec: String

    /// Those of this process.
    static var current: Self {
      Self(recordctl: PackageVersion.current, libavcodec: LibavVersion.libavcodec)
    }
  }

  /// A source and what tells whether it is still the same.
  public struct Source: Sendable, Hashable, Codable {
    /// As users name it, with an absolute path.
    public var input: String
    /// Bytes of the file.
    public var fileSize: Int64
    /// When it was changed last, in nanoseconds since 1970.
    public var modifiedNanoseconds: Int64
    /// The xxHash64 of its first and its last MiB.
    public var edges: String
    /// The xxHash64 of what was read at places between; nil for a plan whose maker did not note it.
    public var samples: String?
    /// The codec of its pictures.
    public var codec: String
    /// Its pictures, exact: `25`, `30000/1001`.
    public var frameRate: String
    /// Pictures of the source.
    public var pictureCount: Int
    /// Pictures that are encoded.
    public var frameCount: Int
    /// Frames from one at which the encoder begins afresh to the next such.
    public var restartInterval: Int
    /// The movie's path, relative to the job's folder.
    public var movie: String
    /// The movie's creation time where the source has none, in seconds since 1970.
    public var creationUnixTime: Int64
    /// The index's path, relative to the job's folder.
    public var index: String
    /// The xxHash64 of the index.
    public var indexChecksum: String
    /// What happened to pictures, as far as it is known before they are decoded: those before the first
    /// one, and gaps in the container's data; nil for a plan whose maker did not note it.
    public var pictures: PictureAccount?
    /// What the movie lacks, changes or assumes, as far as it is known.
    public var notes: [ExportNote]
  }

  /// A part: frames of one source.
  public struct Part: Sendable, Hashable, Codable {
    /// The source's place in the plan, from 0.
    public var source: Int
    /// The part's first frame, from 0.
    public var firstFrame: Int
    /// Frames of the part.
    public var frameCount: Int
  }

  /// What is done to all sources.
  public var options: EncodeJobOptions
  /// What the job was planned with.
  public var versions: Versions
  /// The sources.
  public var sources: [Source]
  /// The parts, whose places are their numbers.
  public var parts: [Part]

  /// The parts of a source, by their numbers.
  func parts(of source: Int) -> [Int] { parts.indices.filter { parts[$0].source == source } }

  /// True where numbers that come from a file make sense.
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
