import MediaCore
import QuickTime
import TakeReports

/// What a take is called and when it began, as far as that is known.
struct TakeFacts {
  /// What the take is called.
  var label: TakeLabel
  /// The address that a mark gives a take that begins before its first frame has come.
  var markedAddress: Timecode?
  /// What set the system's clock at the beginning.
  var clock: ClockState?
  var startDate: String?
  /// The time of the first frame that came, be it one that no movie holds, on the source's clock, in
  /// seconds.
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
