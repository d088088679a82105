import AssetReader
import MediaCore
public import MovieExport
import QuickTime

/// What a part came to: `part.json` beside its movie.
public struct EncodePart: Sendable, Hashable, Codable {
  /// Captions that came with a picture of the source.
  struct Caption: Sendable, Hashable, Codable {
    var picture: Int
    var firstField: [UInt8]
    var secondField: [UInt8]
  }

  /// The part's number, from 0.
  public var part: Int
  /// The xxHash64 of the plan that it was made by.
  public var plan: String
  /// What it was made with.
  public var versions: EncodeJobPlan.Versions
  /// Frames in it.
  public var frameCount: Int
  /// Bytes of its movie.
  public var fileSize: Int64
  /// The xxHash64 of its movie.
  public var xxHash64: String
  /// The xxHash64 of each frame, in order.
  public var frames: [String]
  /// The xxHash64 of its first picture, as it was decoded.
  public var firstPicture: String
  /// The xxHash64 of the next part's first picture, as this one's decoder gave it; missing at the end.
  public var nextPicture: String?
  /// What happened to its pictures; nil for a part whose maker did not note it.
  public var pictures: PictureAccount?
  /// Captions, by pictures of the source.
  var captions: [Caption]
  /// Who made it, and how fast.
  public var work: Work

  /// Who made a part.
  public struct Work: Sendable, Hashable, Codable {
    /// The machine.
    public var host: String
    /// Threads that encoded.
    public var threads: Int
    /// From the first frame read to the part's being complete.
    public var seconds: Double
    /// The hot loops' implementation.
    public var kernels: String
  }

  /// ``frames`` as numbers; empty where they are none.
  var frameSums: [UInt64] {
    let sums = frames.compactMap { UInt64($0, radix: 16) }
    return sums.count == frames.count ? sums : []
  }

  static let movieName = "frames.mov"
  static let recordName = "part.json"
}
