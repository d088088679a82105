import FoundationEssentials
import MediaCore
public import VideoRecorder

extension StartMark {
  /// A mark at a moment of the wall clock, as that goes now.
  public init(_ moment: StartTime.Moment) {
    let ahead = moment.unixTime - Date().timeIntervalSince1970
    let instant = MonotonicClock.now + Int64((ahead * 1e9).rounded())
    self.init(
      instant: MediaTime(value: instant, timescale: 1_000_000_000), timecode: moment.timecode)
  }
}
