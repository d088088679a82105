import MediaCore

/// The slots of a source that a movie is made of, and which of the source's pictures are shown in them:
/// those that lie there, and the one before them that is shown on into the first.
struct SlotWindow<Picture> {
  /// A picture of the movie.
  struct Shown {
    var picture: Picture
    /// The slot that it is shown in first.
    var slot: Int64
    /// True for one that lies before the window and is shown on into it.
    var isHeld = false
  }

  /// The first slot.
  let first: Int64
  /// The first slot behind it; nil for the source's end.
  let end: Int64?
  /// The last picture before the window.
  private var held: Picture?
  private var hasBegun = false
  /// The first slot that the last picture does not fill by its own duration.
  private var reach = Int64.min
  /// True once a picture lies behind it: no more are shown.
  private(set) var isOver = false

  init(first: Int64, end: Int64?) { (self.first, self.end) = (first, end) }

  /// True where pictures fill it to its end.
  var isFilled: Bool { isOver || end.map { reach >= $0 } ?? false }

  /// Takes the source's next picture.
  ///
  /// - Parameters:
  ///   - slot: Its slot, which is behind that of the picture before.
  ///   - next: The first slot behind it by its own duration.
  /// - Returns: What is shown of the one before, and of it.
  mutating func take(
    _ picture: Picture, in slot: Int64, until next: Int64
  ) -> (held: Shown?, own: Shown?) {
    guard !isOver else { return (nil, nil) }
    reach = max(next, slot.addingSaturating(1))
    guard slot >= first else {
      held = picture
      return (nil, nil)
    }
    let held = begin(before: slot)
    isOver = end.map { slot >= $0 } ?? false
    return (held, isOver ? nil : Shown(picture: picture, slot: slot))
  }

  /// The source has no more pictures.
  ///
  /// - Returns: The last one, where it lasts into a window that nothing else lies in.
  mutating func finish() -> Shown? { reach > first ? begin(before: reach) : nil }

  /// Shows the picture before the window, where the next one comes in a later slot than the first.
  private mutating func begin(before slot: Int64) -> Shown? {
    defer { (held, hasBegun) = (nil, true) }
    guard !hasBegun, slot > first, let held else { return nil }
    return Shown(picture: held, slot: first, isHeld: true)
  }
}
