import AssetReader
import MediaCore
public import MovieExport
import QuickTime

/// The record of a part: `part.json` next to its movie.
public struct EncodePart: Sendable, Hashable, Codable {
  /// Captions that came with a source frame.
  struct Caption: Sendable, Hashable, Codable {
    var picture: Int
    var firstField: [UInt8]
    var secondField: [UInt8]
  }

  /// The part's number, from 0.
  public var part: Int
  /// The xxHash64 of the plan that it belongs to.
  public var plan: String
  /// The versions that made it.
  public var versions: EncodeJobPlan.Versions
  /// The number of frames.
  public var frameCount: Int
  /// The size of its movie in bytes.
  public var fileSize: Int64
  /// The xxHash64 of its movie.
  public var xxHash64: String
  /// The xxHash64 of each frame, in order.
  public var frames: [String]
  /// The xxHash64 of its first decoded frame.
  public var firstPicture: String
  /// The xxHash64 of the next part's first frame, as decoded for this part; nil at the end.
  public var nextPicture: String?
  /// What happened to its frames; nil in parts of versions that did not record it.
  public var pictures: FrameAccount?
  /// Captions, with their source frames.
  var captions: [Caption]
  /// Where and how fast it was made.
  public var work: Work

  /// Where and how fast a part was made.
  public struct Work: Sendable, Hashable, Codable {
    /// The host name.
    public var host: String
    /// The number of encoder threads.
    public var threads: Int
    /// The time from reading the first frame until the part was complete, in seconds.
    public var seconds: Double
    /// The implementation of the encoder's kernels.
    public var kernels: String
  }

  /// ``frames`` as numbers; empty if any is invalid.
  var frameSums: [UInt64] {
    let sums = frames.compactMap { UInt64($0, radix: 16) }
    return sums.count == frames.count ? sums : []
  }

  static let movieName = "frames.mov"
  static let recordName = "part.json"
}
