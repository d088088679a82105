import MediaCore
import Synchronization

/// What a writer of media segments shares with its threads: segment boundaries, and the receiver.
final class MediaSegmentOutput: Sendable {
  /// Told of each segment, on the writing thread.
  let handler: @Sendable (MediaSegment) -> Void
  /// What libavformat writes into.
  let stream = MediaSegmentStream()
  private let state = Mutex(State())

  private struct State {
    var segmentation = MediaSegmentation()
    /// The first boundary, from the session's start.
    var start = MediaTime.zero
    /// Boundaries that were asked for and not met, from the session's start, in order.
    var marks: [MediaTime] = []
    /// Boundaries that were asked for and met.
    var metCount = 0
  }

  init(_ handler: @escaping @Sendable (MediaSegment) -> Void) { self.handler = handler }

  /// How segments are made.
  var segmentation: MediaSegmentation {
    get { state.withLock { $0.segmentation } }
    set { state.withLock { $0.segmentation = newValue } }
  }

  /// Why a take cannot be given away as it is set up; nil where it can.
  func refusal(
    _ configuration: AssetWriter.Configuration, trackCount: Int
  ) -> AssetWriterError? {
    if let refusal = segmentation.refusal { return refusal }
    guard segmentation.profile != .cmaf || trackCount <= 1 else {
      return AssetWriterError(
        .invalidSettings, "CMAF segments hold one track; create a writer for each")
    }
    guard configuration.segments == SegmentPolicy(), configuration.secondFolder == nil else {
      return AssetWriterError(
        .invalidSettings,
        "media segments are of one movie, and of no file; leave cuts and folders out")
    }
    return nil
  }

  // MARK: Boundaries

  /// Counts boundaries for a session from here on.
  func begin(sessionStart: MediaTime) {
    state.withLock { state in
      let first = state.segmentation.startTime
      state.start = first.isNumeric ? first - sessionStart : .zero
    }
  }

  /// Ends a segment before what is appended at a time, counted from the session's start.
  func endSegment(before time: MediaTime) {
    state.withLock { state in
      if state.marks.last.map({ $0 < time }) ?? true { state.marks.append(time) }
    }
  }

  /// How many boundaries there are up to a time, counted from the session's start: samples with one number belong
  /// together.
  func number(at time: MediaTime) -> Int64 {
    // What a decoder begins with belongs to the session's first sample.
    let time = max(time, .zero)
    return state.withLock { state in
      let asked = Int64(state.metCount + state.marks.count { $0 <= time })
      let interval = state.segmentation.interval
      let distance = time - state.start
      guard interval.isNumeric, distance >= .zero else { return asked }
      // From a start that is too far away no boundary can be counted.
      let whole = distance.isNumeric ? distance.wholeMultiples(of: interval) : .max
      return asked.addingSaturating(whole).addingSaturating(1)
    }
  }

  /// A segment ended at a time: boundaries up to there stay behind.
  func didEnd(at time: MediaTime) {
    state.withLock { state in
      let met = state.marks.prefix { $0 <= time }.count
      state.marks.removeFirst(met)
      state.metCount += met
    }
  }
}

extension MediaSegmentOutput: Equatable {
  static func == (lhs: MediaSegmentOutput, rhs: MediaSegmentOutput) -> Bool { lhs === rhs }
}

extension MediaTime {
  /// How often an interval above 0 fits into this time, exactly; both are numeric.
  fileprivate func wholeMultiples(of interval: MediaTime) -> Int64 {
    let (whole, part) = (
      Int128(value) * Int128(interval.timescale), Int128(interval.value) * Int128(timescale)
    )
    return Int64(clamping: whole / part)
  }
}
