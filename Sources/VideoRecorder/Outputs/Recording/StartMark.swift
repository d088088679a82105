public import MediaCore

/// The instant at which a take begins, for an output that stands by.
///
/// The frame at the mark is the first one whose exposure, by the device's time stamps, does not begin before it;
/// a pre-roll lies before that frame. The call that begins the recording may come up to ``margin`` seconds after the
/// mark without losing a frame.
public struct StartMark: Sendable, Hashable {
  /// Seconds that a call may come after its mark.
  public static let margin = 1.0

  /// The instant, on CLOCK_MONOTONIC.
  public var instant: MediaTime
  /// The timecode of the frame at the mark; nil for that of the output's timecode source.
  ///
  /// If the device's own timecode is the time of day, the frame at the mark is the one with this
  /// timecode.
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
