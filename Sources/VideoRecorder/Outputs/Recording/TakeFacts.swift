import MediaCore
import QuickTime
import TakeReports

/// A take's label and its start, as far as known.
struct TakeFacts {
  /// What the take is called.
  var label: TakeLabel
  /// The timecode that a mark sets for a take which begins before its first frame has arrived.
  var markedAddress: Timecode?
  /// What set the system's clock at the beginning.
  var clock: ClockState?
  var startDate: String?
  /// The time of the first frame that arrived, even if it is in no movie, in seconds on the source's
  /// clock.
  var startTime: Double?
  /// The time of the movie's first frame on the source's clock, in seconds.
  var firstFrameTime: Double?
  /// The first frame at or behind the start, on the source's clock, in seconds: with a pre-roll that is
  /// not the movie's first one.
  var startFrameTime: Double?
  /// Frames of the movie before that one.
  var preRollFrames: Int64 = 0
  /// The timecode of that frame.
  var startFrameTimecode: Timecode?
  /// The same as the source said it; invalid until then.
  var startPTS = MediaTime.invalid

  /// Notes when the take began, in seconds since 1970 UTC.
  mutating func begin(unixTime: Double) {
    startDate = JSONDocument.date(unixTime: Int64(saturating: unixTime.rounded(.down)))
  }
}
