import Glibc
import MediaCore

extension MovieWriter {
  /// When what was written must be on the disk.
  public enum SyncPolicy: String, Sendable, Hashable, CaseIterable {
    /// After each fragment: a power cut loses no more than a fragment.
    case eachFragment
    /// After each video frame, each in a fragment of its own.
    case eachFrame
    /// Only when the movie is finished: the kernel decides. A killed process still loses no more
    /// than a fragment; a power cut may take half a minute.
    case off
  }

  /// How a movie is written.
  public struct Configuration: Sendable {
    /// How much a fragment holds at most, in seconds, greater than 0. It is the most that a kill or
    /// a power cut takes; a single frame that is longer makes a fragment of its own.
    public var fragmentInterval: Double = 0.5
    /// The most bytes of media in a fragment, 1 to 1 GiB; a larger frame makes a fragment of its
    /// own.
    public var fragmentByteLimit: Int = 32 << 20
    /// A frame of at least so many bytes is written at once, from the caller's memory, at a multiple
    /// of 4096 in the file: without a copy and, where the file system takes it, past the page cache.
    /// Smaller ones are copied and wait for their fragment, so that no space is lost between them.
    /// The first frame of a fragment decides for all of it. From 1.
    public var placedFrameSize: Int = 512 << 10
    /// When what was written must be on the disk.
    public var syncPolicy: SyncPolicy = .eachFragment
    /// Bytes of disk space reserved at a time, ahead of what is written; 0 for none.
    public var preallocation: Int = 128 << 20
    /// Bytes of the reserved space that are kept for the index, so that a full disk still leaves a
    /// finished movie.
    public var ballast: Int = 16 << 20
    /// Bytes that the file may have at most where it lies; nil for no limit. Space beyond is not
    /// reserved.
    public var fileSizeLimit: UInt64?
    /// The account of reserved disk space that the movies of a take share; nil for none.
    public var reservedSpace: ReservedSpace?
    /// True to take checksums of the file, of each frame and of the audio while they are written:
    /// ``MovieSummary/checksums``.
    public var takesChecksums = false
    /// Units a second of the movie; nil for the least common multiple of the tracks' time scales.
    public var movieTimescale: Int32?
    /// How fast players play the movie, within ``preferredRates``, to 1/65536: 1 is as it was
    /// recorded.
    public var preferredRate: Float = 1
    /// How loud players play the movie, within ``preferredVolumes``, to 1/256: 1 is as it was
    /// recorded.
    public var preferredVolume: Float = 1
    /// Facts about the movie.
    public var metadata = MovieMetadata()
    /// When the movie was made, in seconds since 1970 UTC.
    public var creationTime: Int64

    /// Rates that a movie can say.
    public static let preferredRates: Range<Float> = -32_768..<32_768
    /// Volumes that a movie can say.
    public static let preferredVolumes: Range<Float> = -128..<128

    /// Half a second or 32 MiB a fragment, synced each; made now.
    public init() { creationTime = Int64(time(nil)) }

    /// The checks behind the ranges above.
    func validate() throws(QuickTimeError) {
      guard fragmentInterval > 0, fragmentInterval.isFinite else {
        throw QuickTimeError(
          .invalidArgument,
          "fragment interval \(fragmentInterval) s: must be greater than 0; 0.5 is usual")
      }
      guard (1...(1 << 30)).contains(fragmentByteLimit) else {
        throw QuickTimeError(
          .invalidArgument,
          "fragment limit \(fragmentByteLimit) bytes: must be from 1 to 1 GiB; 32 MiB is usual")
      }
      guard placedFrameSize > 0 else {
        throw QuickTimeError(
          .invalidArgument, "placed frames from \(placedFrameSize) bytes: must be from 1")
      }
      guard preallocation >= 0, ballast >= 0, movieTimescale.map({ $0 > 0 }) ?? true else {
        throw QuickTimeError(
          .invalidArgument, "preallocation, ballast and movie time scale must not be negative")
      }
      guard Self.preferredRates.contains(preferredRate) else {
        throw QuickTimeError(
          .invalidArgument,
          "preferred rate \(preferredRate): must be from -32768 to below 32768; 1 is usual")
      }
      guard Self.preferredVolumes.contains(preferredVolume) else {
        throw QuickTimeError(
          .invalidArgument,
          "preferred volume \(preferredVolume): must be from -128 to below 128; 1 is usual")
      }
    }
  }
}
