import MediaCore
import QuickTime

/// A segment's movie file as the writing thread sees it.
///
/// ``MovieAssembler`` is that of ProRes and linear PCM; ``CompressedMovie`` compresses what it is given.
protocol SegmentMovie: AnyObject {
  var file: any MovieFile { get }
  /// Its first frame's address; nil without a timecode track.
  var startTimecode: Timecode? { get }
  /// What another program did to the file, as far as noticed; nil for nothing.
  var fileChange: MovieFileChange? { get }
  /// What a movie that could not be finished holds, for recovery; nil where there is nothing.
  var remainder: MovieSummary? { get }
  /// Bytes that the file would have if it were finished now.
  var projectedFileSize: Int64 { get }
  /// True where the file has the name that it was made for.
  var hasName: Bool { get }
  /// True where the file was taken away or emptied.
  var isLost: Bool { get }
  /// What is only known at the end: a change since the last look, or a file that could not be restored.
  var lastChange: SegmentFileChange? { get }
  /// What each input has in the file, complete or to be recovered; empty before the end.
  var held: [Int: HeldMedia] { get }
  /// What the movie was to have and has no place for.
  var omitted: [Segment.Extra] { get }
  /// True where the file was removed.
  var isRemoved: Bool { get }

  /// Frames of an input that were handed over and are not in the file yet.
  func pendingFrameCount(of input: Int) -> Int
  /// Copies that were given up since the last look.
  func takeLostCopies() -> [MovieFileCopy]
  /// Looks once for each fragment whether others have touched the file.
  func noticeChange() -> SegmentFileChange?

  /// Adds the tracks and writes the beginning of the file.
  func open(_ setup: MovieSetup, telling space: ReservedSpace) throws(QuickTimeError)
  /// Writes a frame for the slots that it fills.
  func write(
    _ write: WriterState.VideoWrite, input: Int, isCancelled: () -> Bool
  ) throws(QuickTimeError)
  /// Writes a run of audio, silence first, but at most `room` samples.
  ///
  /// - Returns: The samples written.
  func write(
    _ piece: AudioTrackState.Piece, input: Int, room: Int, isCancelled: () -> Bool
  ) throws(QuickTimeError) -> Int

  /// Writes facts, captions or timecode into one of the tracks for those.
  func write(_ data: DataQueue.Write) throws(QuickTimeError)

  /// Completes the file.
  ///
  /// - Parameters:
  ///   - end: The session's length, where it was ended: what lies behind it is cut off.
  ///   - facts: What comes with the end of the movie.
  func finish(end: MediaTime?, facts: MovieFacts) throws(QuickTimeError) -> MovieSummary
  /// Saves what is whole after an error. Where nothing is, the file is removed.
  ///
  /// - Parameter facts: What comes with the end of the movie, as far as there is room for it.
  /// - Returns: What the movie holds where the file is a complete one; else nil.
  func rescue(_ facts: MovieFacts) -> MovieSummary?
  /// Removes the file.
  func remove()
}

extension SegmentMovie {
  var omitted: [Segment.Extra] { [] }

  /// Leaves an incomplete movie beside the file that it was to replace.
  ///
  /// - Returns: The change of name to report; nil if the file has the name that it was made for.
  func forgoName() -> SegmentFileChange? {
    guard !file.hasName else { return nil }
    let replaced = file.name
    file.forgoName()
    let error = QuickTimeError(
      .ioFailed,
      "\(replaced) is unchanged; the new, incomplete movie is \(file.name)")
    return SegmentFileChange(change: .moved, path: file.name, newPath: file.name, error: error)
  }
}

/// What an input has in a file: samples of one of its tracks, bytes of all.
struct HeldMedia {
  var samples = 0
  var bytes: Int64 = 0
  /// Bytes of the largest frame, where it became known with the file; else 0.
  var largestFrame = 0
  /// Audio samples after the session's end that were appended but not written.
  var samplesTrimmed: Int64 = 0
}

/// What a movie was handed of an input: frames or samples.
struct HandedMedia {
  /// Those that were appended.
  private(set) var own = 0
  /// Repeated frames, and silence, which fill gaps.
  private(set) var filled = 0

  mutating func add(all: Int, filled: Int) {
    own += all - filled
    self.filled += filled
  }
}
