import MediaCore

/// Corrects the times of frames made from fields.
///
/// `bwdif` puts a frame's second field midway between the frame and the next one, or, for the last
/// frame, as far after it as after the frame before. For a single frame it knows neither.
struct FieldTimes {
  /// The field rate: twice the frame rate.
  let rate: FrameRate?
  private let half: MediaTime
  private var last: MediaTime?

  /// - Parameter frames: The rate of the frames.
  init(of frames: FrameRate) {
    half = frames.frameDuration.multiplied(by: 1, over: 2)
    let (doubled, isTooFast) = frames.numerator.multipliedReportingOverflow(by: 2)
    rate = isTooFast ? nil : FrameRate(doubled, frames.denominator)
  }

  /// The time of the next frame: the filter's, or half a frame after the previous one if the
  /// filter's is not later than that.
  mutating func time(_ time: MediaTime) -> MediaTime {
    let mended = last.map { time > $0 ? time : $0 + half } ?? time
    last = mended
    return mended
  }
}
