import Testing

@testable import RecorderControl

/// Which frames are checked for alarms: a check costs time in the process that records.
@Suite struct AlarmWatchTests {
  /// The number of checks in ten seconds at 60 fps, with every `every`th frame shown.
  private func looks(showing every: Int?) -> (ofShown: Int, ofOthers: Int) {
    var watch = AlarmWatch()
    var looks = (ofShown: 0, ofOthers: 0)
    for frame in 0..<600 {
      let isShown = every.map { frame % $0 == 0 } ?? false
      let now = Int64(frame) * 1_000_000_000 / 60
      guard watch.takesFrame(at: now, isMadeAnyway: isShown) else { continue }
      if isShown { looks.ofShown += 1 } else { looks.ofOthers += 1 }
    }
    return looks
  }

  @Test func two_frames_a_second_are_checked_if_none_is_shown() {
    #expect(looks(showing: nil) == (0, 20))
  }

  @Test func only_some_shown_frames_are_checked_and_no_others_are_made() {
    // Fifteen shown per second: every fourth of them is checked, that is every 267 ms.
    #expect(looks(showing: 4) == (38, 0))
    #expect(looks(showing: 1) == (40, 0))
    #expect(looks(showing: 30) == (20, 0))
  }

  @Test func extra_frames_are_checked_between_rarely_shown_ones() {
    let looks = looks(showing: 120)
    #expect(looks.ofShown == 5 && looks.ofOthers == 15)
  }

  @Test func a_first_check_is_due_immediately() {
    var watch = AlarmWatch()
    #expect(watch.frameDue == .min)
    #expect(watch.takesFrame(at: 7, isMadeAnyway: false) && watch.frameDue == 500_000_007)
  }
}
