import Testing

@testable import recordctl

/// Detecting that the process was stopped, from late beats and SIGCONT.
@Suite struct StopDetectorTests {
  private let start = ContinuousClock.now
  private var detector: StopDetector

  init() { detector = StopDetector(at: start) }

  private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  @Test mutating func a_stop_is_reported_once_in_either_order() {
    #expect(detector.beat(at: at(100)) == nil)
    #expect(detector.wasContinued(at: at(2000)) == nil)
    #expect(detector.beat(at: at(2100)) == .seconds(2))
    #expect(detector.beat(at: at(2200)) == nil)
    #expect(detector.beat(at: at(4200)) == nil)
    #expect(detector.wasContinued(at: at(4300)) == .seconds(2))
    #expect(detector.beat(at: at(4400)) == nil)
  }

  /// On a busy machine, the signal may be delivered later than the first beats after the stop.
  @Test mutating func a_late_signal_is_matched_with_its_stop() {
    #expect(detector.beat(at: at(2000)) == nil)
    for beat in 1...20 { #expect(detector.beat(at: at(2000 + 100 * beat)) == nil) }
    #expect(detector.wasContinued(at: at(4100)) == .seconds(2))
  }

  @Test mutating func a_late_beat_or_a_signal_alone_is_not_a_stop() {
    #expect(detector.wasContinued(at: at(100)) == nil)
    for beat in 1...40 { #expect(detector.beat(at: at(100 * beat)) == nil) }
    #expect(detector.beat(at: at(6000)) == nil)
    for beat in 1...40 { #expect(detector.beat(at: at(6000 + 100 * beat)) == nil) }
    #expect(detector.wasContinued(at: at(10100)) == nil)
  }
}
