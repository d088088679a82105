import MediaCore

/// Times of pictures that were made of fields.
///
/// `bwdif` takes a frame's second field to lie midway between the frame and the next one, or behind the last
/// one as far as behind the frame before. Where a frame is the only one, it knows neither.
struct FieldTimes {
  /// The fields' rate: twice that of the frames.
  let rate: FrameRate?
  private let half: MediaTime
  private var last: MediaTime?

  /// - Parameter frames: The rate of the frames.
  init(of frames: FrameRate) {
    half = frames.frameDuration.multiplied(by: 1, over: 2)
    let (doubled, isTooFast) = frames.numerator.multipliedReportingOverflow(by: 2)
    rate = isTooFast ? nil : FrameRate(doubled, frames.denominator)
  }

  /// The time of the next picture: the filter's, or half a frame behind that of the one before where it is
  /// not later.
  mutating func time(_ time: MediaTime) -> MediaTime {
    let mended = last.map { time > $0 ? time : $0 + half } ?? time
    last = mended
    return mended
  }
}
