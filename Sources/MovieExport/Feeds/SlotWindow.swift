import MediaCore

/// The range of source slots that makes up a movie, and the source frames shown in it: those in the
/// range, and the one before it if it lasts into the first slot.
struct SlotWindow<Frame> {
  /// A frame of the movie.
  struct Shown {
    var frame: Frame
    /// The first slot that shows it.
    var slot: Int64
    /// True if it begins before the window and lasts into it.
    var isHeld = false
  }

  /// The first slot.
  let first: Int64
  /// The first slot after the window; nil for the end of the source.
  let end: Int64?
  /// The last frame before the window.
  private var held: Frame?
  private var hasBegun = false
  /// The first slot after the last frame's duration.
  private var reach = Int64.min
  /// True once a frame lies after the window: no more are shown.
  private(set) var isOver = false

  init(first: Int64, end: Int64?) { (self.first, self.end) = (first, end) }

  /// True if frames fill the window to its end.
  var isFilled: Bool { isOver || end.map { reach >= $0 } ?? false }

  /// Takes the source's next frame.
  ///
  /// - Parameters:
  ///   - slot: Its slot, after that of the previous frame.
  ///   - next: The first slot after its duration.
  /// - Returns: How the held frame and this one are shown.
  mutating func take(
    _ frame: Frame, in slot: Int64, until next: Int64
  ) -> (held: Shown?, own: Shown?) {
    guard !isOver else { return (nil, nil) }
    reach = max(next, slot.addingSaturating(1))
    guard slot >= first else {
      held = frame
      return (nil, nil)
    }
    let held = begin(before: slot)
    isOver = end.map { slot >= $0 } ?? false
    return (held, isOver ? nil : Shown(frame: frame, slot: slot))
  }

  /// Ends the source.
  ///
  /// - Returns: The last frame, if it lasts into a window without other frames.
  mutating func finish() -> Shown? { reach > first ? begin(before: reach) : nil }

  /// Shows the frame before the window if the next one comes after the first slot.
  private mutating func begin(before slot: Int64) -> Shown? {
    defer { (held, hasBegun) = (nil, true) }
    guard !hasBegun, slot > first, let held else { return nil }
    return Shown(frame: held, slot: first, isHeld: true)
  }
}
