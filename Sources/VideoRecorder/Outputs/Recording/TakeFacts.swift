import MediaCore
import QuickTime
import TakeReports

/// What a take is called and when it began, as far as that is known.
struct TakeFacts {
  /// What the take is called.
  var label: TakeLabel
  /// The address that a mark gives a take that begins before its first frame has come.
  var markedAddress: Timecode?
  var startDate: String?
  /// The first frame's time on the source's clock, in seconds.
  var startTime: Double?
  /// The same as the source said it; invalid until then.
  var startPTS = MediaTime.invalid

  /// Notes when the take began, in seconds since 1970 UTC.
  mutating func begin(unixTime: Double) {
    startDate = JSONDocument.date(unixTime: Int64(saturating: unixTime.rounded(.down)))
  }
}
