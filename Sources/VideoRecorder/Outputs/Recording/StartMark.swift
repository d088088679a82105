public import MediaCore

/// The instant at which a take begins that an output stands by for.
///
/// The frame at the mark is the first one whose exposure does not begin before it, by the time stamps
/// of the device; with a pre-roll the movie begins as much earlier. What happens between the mark and
/// the call that begins the recording costs no frame, as long as that is less than ``margin``.
public struct StartMark: Sendable, Hashable {
  /// Seconds that a call may come after its mark.
  public static let margin = 1.0

  /// The instant, on CLOCK_MONOTONIC.
  public var instant: MediaTime
  /// The address of the frame at the mark; nil for what the output's source of timecode says.
  ///
  /// Where the device tells the time of day itself, the frame at the mark is the one that the device
  /// gives this address.
  public var timecode: Timecode?

  /// A mark at an instant of CLOCK_MONOTONIC.
  public init(instant: MediaTime, timecode: Timecode? = nil) {
    self.instant = instant
    self.timecode = timecode
  }

  /// A mark at this moment.
  public static var now: StartMark {
    StartMark(instant: MediaTime(value: MonotonicClock.now, timescale: 1_000_000_000))
  }
}
