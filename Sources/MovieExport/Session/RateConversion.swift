import MediaCore

/// Chooses the frames to show at another constant frame rate, with the same total duration.
///
/// At a lower rate, each output frame shows the input frame nearest in time, the earlier one if two
/// are equally near. At a higher rate, each input frame is shown from the output frame nearest to
/// its time, rounding halves up. The first frame stays first either way. The number of output
/// frames is the total duration, rounded to the nearest frame, and at least one.
struct RateConversion<Image> {
  /// An output frame.
  struct Shown {
    var image: Image
    /// The frame number, from 0.
    var frame: Int64
    /// True if the output frame before shows the same input frame.
    fileprivate(set) var isRepeat = false
  }

  /// What became of the input frames.
  struct Tally: Hashable {
    /// Output frames that repeat the one before.
    var repeated = 0
    /// Input frames that are not shown.
    var dropped = 0
  }

  private let rate: FrameRate
  /// The duration of an input frame.
  private let length: MediaTime
  /// How long after an output frame's time an input frame may begin and still be shown in it: half
  /// the shorter of both frame durations.
  private let reach: MediaTime
  /// The input frame that is shown until the next one.
  private var last: Image?
  /// True once it is shown.
  private var isLastShown = false
  /// Its end, from the first frame.
  private var end = MediaTime.zero
  /// The first output frame not yet decided.
  private var next: Int64 = 0
  /// Output frames that may turn out to lie beyond the end.
  private var waiting: [Shown] = []
  private var inputCount = 0
  private var outputCount = 0
  private var repeatCount = 0

  /// - Parameters:
  ///   - source: The input frame rate. Some frames may be missing.
  ///   - rate: The output frame rate.
  init(from source: FrameRate, to rate: FrameRate) {
    self.rate = rate
    length = source.frameDuration
    reach = max(source, rate).frameDuration.multiplied(by: 1, over: 2)
  }

  /// Takes the next input frame.
  ///
  /// - Parameter time: Its time, from the first one.
  /// - Returns: Output frames that are certain.
  mutating func take(_ image: Image, at time: MediaTime) -> [Shown] {
    if let last {
      while rate.time(ofFrame: next) + reach <= time { show(last) }
    }
    (last, isLastShown) = (image, false)
    inputCount += 1
    end = time + length
    return certain()
  }

  /// Ends the input.
  ///
  /// - Returns: The remaining output frames.
  mutating func finish() -> [Shown] {
    guard let last else { return [] }
    while next < count { show(last) }
    defer { (self.last, waiting) = (nil, []) }
    return certain()
  }

  /// What became of the input frames; complete after ``finish()``.
  var tally: Tally {
    Tally(repeated: repeatCount, dropped: inputCount - (outputCount - repeatCount))
  }

  /// The number of output frames in the duration so far.
  private var count: Int64 { max(rate.frameIndex(nearest: end) ?? 0, 1) }

  private mutating func show(_ image: Image) {
    waiting.append(Shown(image: image, frame: next, isRepeat: isLastShown))
    isLastShown = true
    next += 1
  }

  private mutating func certain() -> [Shown] {
    let count = count
    let shown = waiting.prefix { $0.frame < count }
    waiting.removeFirst(shown.count)
    outputCount += shown.count
    repeatCount += shown.count(where: \.isRepeat)
    return Array(shown)
  }
}
