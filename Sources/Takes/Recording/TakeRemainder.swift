import AssetWriter
import MediaCore
import QuickTime
import TakeReports

/// What is left to record of a take whose source went away. All of its movies so far count, without their
/// pre-roll; the time without the source does not.
struct TakeRemainder {
  /// The request for its next movie: the same take, with the length that is left.
  let request: RecordingRequest
  /// A movie in the folder that its next one goes into: the take's own, or, of two, the one that is left.
  let neighbor: String
  /// The instant at which the source is not awaited any more, in nanoseconds; nil for never.
  let deadline: Int64?

  /// Bytes of a movie that is worth beginning, at Apple's target: a second of it.
  private static let leastSeconds = 1.0

  /// The remainder; nil if nothing is left.
  ///
  /// - Parameters:
  ///   - request: The take's request.
  ///   - reports: The reports of its movies so far, in order.
  ///   - began: When it would have begun without pauses and interruptions, in nanoseconds of the monotonic
  ///     clock.
  ///   - rate: Frames a second.
  ///   - byteRate: Bytes a second of the movie.
  init?(
    of request: RecordingRequest, after reports: [RecordingReport], since began: Int64,
    rate: Double, byteRate: Double
  ) {
    var next = request
    neighbor = reports.last?.movie.path ?? ""
    // Half of it is lost: it goes on where it is whole.
    if reports.contains(where: \.hasLostPlace) {
      (next.secondFolder, next.preset.secondFolder) = (nil, nil)
    }
    if let first = reports.first {
      next.deviceID = first.source.deviceID
      next.names.reel = first.label?.reel ?? request.names.reel
      next.names.scene = first.label?.scene ?? request.names.scene
      next.names.take = first.label?.take ?? request.names.take
    }
    let frames = reports.reduce(0) { $0 + $1.slotsOfTake(at: rate) }
    var end: Int64?
    switch request.duration {
    case nil: break
    case .frames(let count)?:
      let left = count - Int(clamping: frames)
      guard left > 0 else { return nil }
      next.duration = .frames(left)
      end = began.addingSaturating(Int64(saturating: Double(count) / rate * 1e9))
    case .seconds(let seconds)?:
      let left = seconds - Double(frames) / rate
      // Less than half a frame is none.
      guard left * rate > 0.5 else { return nil }
      next.duration = .seconds(left)
      end = began.addingSaturating(Int64(saturating: seconds * 1e9))
    }
    if let limit = request.preset.limits.maximumSeconds {
      let left = limit - Double(frames) / rate
      guard left > 0 else { return nil }
      next.preset.limits.maximumSeconds = left
    }
    if let limit = request.preset.limits.maximumByteCount {
      let left = reports.reduce(limit) { $0 - $1.movie.fileSize }
      guard Double(left) > byteRate * Self.leastSeconds else { return nil }
      next.preset.limits.maximumByteCount = left
    }
    (self.request, deadline) = (next, end)
  }
}

extension RecordingReport {
  /// Slots of the movie's timeline, without its pre-roll: frames, and those that are missing between them.
  fileprivate func slotsOfTake(at rate: Double) -> Int64 {
    let slots = Int64(saturating: (movie.duration * rate).rounded())
    return max(slots, movie.frameCount) - (movie.preRollFrames ?? 0)
  }

  /// True where a take in two places ended in one.
  fileprivate var hasLostPlace: Bool {
    segments.last?.copies?.contains { !$0.isWhole } ?? false
  }
}
