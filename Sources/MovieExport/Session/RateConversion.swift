import MediaCore

/// Which pictures of a constant rate are shown at another, where the length stays.
///
/// At a lower rate each frame shows the picture nearest to its time, of two that are as near the earlier
/// one. At a higher rate each picture is shown from the frame nearest to its own time, halves up. The
/// first picture is the first frame either way. There are as many frames as the pictures last for, to the
/// nearest, and never none.
struct RateConversion<Picture> {
  /// A picture of the movie, shown for one frame.
  struct Shown {
    var picture: Picture
    /// The frame, from 0.
    var frame: Int64
  }

  private let rate: FrameRate
  /// How long a picture lasts.
  private let length: MediaTime
  /// How far behind the time of a frame a picture may begin that is shown in it: half of the shorter of
  /// a picture and a frame.
  private let reach: MediaTime
  /// The picture that is shown until the next one comes.
  private var last: Picture?
  /// When it ends, from the first picture.
  private var end = MediaTime.zero
  /// The first frame that has no picture yet.
  private var next: Int64 = 0
  /// Frames of which it is not known yet whether the movie lasts as long.
  private var waiting: [Shown] = []

  /// - Parameters:
  ///   - source: The rate of the pictures that come, of which some may be missing.
  ///   - rate: The movie's.
  init(from source: FrameRate, to rate: FrameRate) {
    self.rate = rate
    length = source.frameDuration
    reach = max(source, rate).frameDuration.multiplied(by: 1, over: 2)
  }

  /// Takes the next picture.
  ///
  /// - Parameter time: When it begins, from the first one.
  /// - Returns: Frames that are certain.
  mutating func take(_ picture: Picture, at time: MediaTime) -> [Shown] {
    if let last {
      while rate.time(ofFrame: next) + reach <= time { show(last) }
    }
    last = picture
    end = time + length
    return certain()
  }

  /// No more pictures come.
  ///
  /// - Returns: The frames that are left.
  mutating func finish() -> [Shown] {
    guard let last else { return [] }
    while next < count { show(last) }
    defer { (self.last, waiting) = (nil, []) }
    return certain()
  }

  /// Frames in the time that the pictures fill so far.
  private var count: Int64 { max(rate.frameIndex(nearest: end) ?? 0, 1) }

  private mutating func show(_ picture: Picture) {
    waiting.append(Shown(picture: picture, frame: next))
    next += 1
  }

  private mutating func certain() -> [Shown] {
    let count = count
    let shown = waiting.prefix { $0.frame < count }
    waiting.removeFirst(shown.count)
    return Array(shown)
  }
}
