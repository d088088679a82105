import MediaCore

/// Frames waiting for their display time, earliest first.
struct FrameSchedule: Sendable {
  /// The display information of a frame, known before it is decoded.
  struct Entry: Sendable {
    /// The display time; invalid for as soon as possible.
    var time: CMTime
    /// True for a frame that is shown immediately and replaces all waiting ones.
    var isImmediate = false
    /// True for a frame that is only decoded as a reference.
    var isHidden = false
  }

  private var waiting: [(frame: CVPixelBuffer, time: CMTime?)] = []

  /// The number of waiting frames.
  var count: Int { waiting.count }

  /// The display time of the next frame; nil if there is none.
  var firstTime: CMTime? { waiting.first.map { $0.time ?? .negativeInfinity } }

  /// Adds a frame after those with the same time.
  ///
  /// - Returns: The frames that it replaces.
  mutating func add(_ frame: CVPixelBuffer, _ entry: Entry) -> [CVPixelBuffer] {
    guard !entry.isImmediate, entry.time.isNumeric else {
      defer { waiting = [(frame, nil)] }
      return waiting.map(\.frame)
    }
    let place = waiting.lastIndex { ($0.time ?? .negativeInfinity) <= entry.time }
    waiting.insert((frame, entry.time), at: place.map { $0 + 1 } ?? 0)
    return []
  }

  /// Removes all due frames and returns the last; nil if none is due.
  ///
  /// - Returns: The frame to show, and the earlier due frames, which are skipped.
  mutating func takeDue(
    at now: CMTime
  ) -> (frame: CVPixelBuffer, passedOver: [CVPixelBuffer])? {
    let due = waiting.prefix { ($0.time ?? .negativeInfinity) <= now }
    guard let last = due.last else { return nil }
    waiting.removeFirst(due.count)
    return (last.frame, due.dropLast().map(\.frame))
  }
}
