import MediaCore

/// Pictures that wait for their time, the earliest first.
struct PictureSchedule: Sendable {
  /// What is known of a picture before it is decoded.
  struct Entry: Sendable {
    /// When it is shown; an invalid one for as soon as possible.
    var time: CMTime
    /// True for a picture that is shown at once, in place of those that wait.
    var isImmediate = false
    /// True for a picture that others need and nobody is shown.
    var isHidden = false
  }

  private var waiting: [(picture: CVPixelBuffer, time: CMTime?)] = []

  /// Pictures that wait.
  var count: Int { waiting.count }

  /// When the next one is shown; nil for none.
  var firstTime: CMTime? { waiting.first.map { $0.time ?? .negativeInfinity } }

  /// Adds a picture, behind those of the same time.
  ///
  /// - Returns: The pictures that are not shown for it.
  mutating func add(_ picture: CVPixelBuffer, _ entry: Entry) -> [CVPixelBuffer] {
    guard !entry.isImmediate, entry.time.isNumeric else {
      defer { waiting = [(picture, nil)] }
      return waiting.map(\.picture)
    }
    let place = waiting.lastIndex { ($0.time ?? .negativeInfinity) <= entry.time }
    waiting.insert((picture, entry.time), at: place.map { $0 + 1 } ?? 0)
    return []
  }

  /// Takes the last picture whose time has come; nil if it has come for none.
  ///
  /// - Returns: Also those before it, which are not shown.
  mutating func takeDue(
    at now: CMTime
  ) -> (picture: CVPixelBuffer, passedOver: [CVPixelBuffer])? {
    let due = waiting.prefix { ($0.time ?? .negativeInfinity) <= now }
    guard let last = due.last else { return nil }
    waiting.removeFirst(due.count)
    return (last.picture, due.dropLast().map(\.picture))
  }
}
