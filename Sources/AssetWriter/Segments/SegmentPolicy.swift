public import FoundationEssentials
public import MediaCore
public import QuickTime

/// Where a take is cut into several movies, and what those are called.
///
/// A cut lies between two frames of the first video track. No frame is lost or repeated there, audio is cut at
/// the same instant to the sample, and timecode continues. Encoding is not interrupted: rate control and frames in
/// flight carry over. Each segment is a complete movie.
public struct SegmentPolicy: Hashable, Sendable {
  /// Frames of a segment; nil for no limit. Met exactly.
  public var maximumFrameCount: Int?
  /// The length of a segment, to the nearest frame; `MediaTime.invalid` for no limit.
  public var maximumDuration = MediaTime.invalid
  /// Bytes of a segment's finished file; nil for no limit. A segment is cut before the frame that
  /// would exceed it. A single frame that does makes a segment of its own.
  public var maximumByteCount: Int64?
  /// Bytes that a file may have where it lies: of the file system, or of the process; nil for no
  /// limit. Treated as ``maximumByteCount``, and told apart in the report.
  public var fileSizeLimit: Int64?
  /// Samples of a track of linear PCM that a segment holds at most: what `stsz` counts in 32 bits, a day
  /// at 48 kHz. ISO/IEC 14496-12, 8.7.3.
  package var maximumSampleCount = Int64(UInt32.max)
  /// True where the first file, too, has a number in its name: `take-001.mov`, `take-002.mov`. Else
  /// it has the name that was given, and the next is `take-002.mov`.
  public var numbersFirstFile = false

  /// One movie, unless a cut is asked for.
  public init() {}

  /// The number of frames that a segment has at most; nil for no limit.
  ///
  /// - Parameter audioRate: The highest sample rate of its linear PCM; nil for none.
  func frameLimit(at rate: FrameRate, audioRate: Int?) -> Int64? {
    let byTime =
      maximumDuration.isNumeric ? rate.frameIndex(nearest: maximumDuration).map { max($0, 1) } : nil
    // One frame less: audio is cut at the sample nearest to a frame.
    let byAudio = audioRate.map { audioRate in
      let seconds = Double(maximumSampleCount) / Double(max(audioRate, 1))
      return max(Int64(saturating: seconds * rate.framesPerSecond) - 1, 1)
    }
    // A limit beyond any take's length counts as none.
    return [maximumFrameCount.map { Int64(max($0, 1)) }, byTime, byAudio].compactMap { $0 }.min()
      .flatMap { $0 < 1 << 50 ? $0 : nil }
  }

  /// The number of bytes that a segment has at most; nil for no limit.
  var byteLimit: Int64? { [maximumByteCount, fileSizeLimit].compactMap { $0 }.min() }

  /// The name of a segment's file, from 1: that of the take with a number before the extension.
  public func url(ofSegment number: Int, of take: URL) -> URL {
    guard number > 1 || numbersFirstFile else { return take }
    let digits = String(max(number, 0))
    let padded = String(repeating: "0", count: max(3 - digits.count, 0)) + digits
    let name = take.deletingPathExtension().lastPathComponent
    let suffix = take.pathExtension.isEmpty ? "" : ".\(take.pathExtension)"
    return take.deletingLastPathComponent().appending(path: "\(name)-\(padded)\(suffix)")
  }
}

/// One movie of a take, as it came to be.
public struct Segment: Hashable, Sendable, Codable {
  private enum CodingKeys: String, CodingKey {
    case number, path, firstFrame, startTimecode, frameCount, duration, fileSize, end, isValid
    case checksum = "xxHash64"
    case fileChange, copies
    case omitted = "leftOut"
  }

  /// Why a segment ended.
  public enum End: String, Hashable, Sendable, Codable, CaseIterable {
    /// It is as long as a segment may be.
    case durationReached
    /// The next frame would have made its file larger than a segment may be.
    case sizeReached
    /// The next frame would have made its file larger than the file system or the process allows.
    case fileSizeLimitReached
    /// A new segment was asked for.
    case requested
    case takeEnded
    case writingFailed
  }

  /// What a movie may have besides video and audio.
  public enum Extra: String, Hashable, Sendable, Codable, CaseIterable {
    case chapters
    case captions
    /// A timecode that does not come with the video.
    case timecode
  }

  /// Its number, from 1.
  public var number: Int
  /// The file.
  public var path: String
  /// The place of its first frame in the take, from 0.
  public var firstFrame: Int64
  /// Its first frame's timecode; nil without a timecode track.
  public var startTimecode: String?
  /// Frames in it, repeats among them. Of a file that is no complete movie (``isValid``): those that
  /// recovery would find in it.
  public var frameCount: Int64
  /// Seconds from the first frame to the end of the last one.
  public var duration: Double
  /// Bytes of the file.
  public var fileSize: Int64
  /// Why it ended.
  public var end: End
  /// True where the file is a complete movie.
  public var isValid: Bool
  /// The xxHash64 of the file, as `xxhsum` prints it, where checksums were taken.
  public var checksum: String?
  /// What another program did to the file while it was written; nil for nothing. If the file was deleted and the
  /// segment is valid, it was restored from what was written.
  public var fileChange: MovieFileChange?
  /// The other files that got the same bytes; nil where it was written in one place. Where the first
  /// place was lost, ``path`` is that of the file that is left, and the lost one is here.
  public var copies: [MovieFileCopy]?
  /// What the segment should have had, but its file type cannot hold; nil for nothing.
  public var omitted: [Extra]?
}
