import MediaCore
public import VideoRecorder

extension StartMark {
  /// A mark at a moment of the wall clock, as that goes now.
  public init(_ moment: StartTime.Moment) { self.init(moment, by: StartClock.system.read()) }

  /// A mark at a moment of the wall clock, by what the clocks show.
  package init(_ moment: StartTime.Moment, by reading: StartClock.Reading) {
    let ahead = ((moment.unixTime - reading.unixTime) * 1e9).rounded()
    self.init(
      instant: MediaTime(
        value: reading.instant.addingSaturating(Int64(saturating: ahead)), timescale: 1_000_000_000),
      timecode: moment.timecode)
  }
}
