import MediaCore
import Testing

@testable import VideoRecorder

/// The slots of a recording.
@Suite struct RecordingTimelineTests {
  private func time(_ frame: Double) -> MediaTime {
    MediaTime(seconds: 100 + frame / 25, preferredTimescale: 1_000_000_000)
  }

  private func timeline(
    _ extent: RecordingTimeline.Extent = .take(origin: 0, limit: nil), frames: Int = 0
  ) -> RecordingTimeline {
    var timeline = RecordingTimeline(rate: .fps25, extent: extent)
    for frame in 0..<frames {
      if case .slot(let slot, _) = timeline.place(time: time(Double(frame)), sequence: nil) {
        timeline.didAppend(slot)
      }
    }
    return timeline
  }

  @Test func a_reported_loss_explains_as_many_empty_slots() {
    var timeline = timeline(frames: 3)
    #expect(timeline.announceLoss(1) == 3)
    #expect(timeline.announceLoss(1) == 4)
    #expect(timeline.place(time: time(6), sequence: nil) == .slot(6, unexplained: 1))
    #expect(timeline.place(time: time(9), sequence: nil) == .slot(9, unexplained: 2))
  }

  @Test func slots_of_a_loss_stay_empty_at_a_time_jump() {
    var timeline = timeline(frames: 3)
    #expect(timeline.announceLoss(4) == 3)
    #expect(timeline.place(time: time(100_000), sequence: nil) == .restarted(7))
    #expect(timeline.place(time: time(100_001), sequence: nil) == .slot(8, unexplained: 0))
  }

  @Test func slots_passed_in_silence_are_empty() {
    var timeline = timeline(frames: 3)
    let placed = timeline.place(time: time(400), sequence: nil, silence: 15.9)
    #expect(placed == .slot(400, unexplained: 397))
  }

  @Test func an_implausible_loss_at_a_time_jump_is_ignored() {
    var timeline = timeline(frames: 3)
    _ = timeline.announceLoss(2_000_000)
    #expect(timeline.place(time: time(100_000), sequence: nil) == .restarted(3))
  }

  @Test func a_loss_during_an_interruption_moves_no_frame_at_a_time_jump() {
    var timeline = timeline(frames: 3)
    timeline.fill(to: 20)
    _ = timeline.announceLoss(4)
    #expect(timeline.place(time: time(100_000), sequence: nil) == .restarted(20))
    #expect(timeline.endFill(at: 20) == 3..<20)
  }

  @Test func standby_has_no_slots_and_a_take_counts_from_its_origin() {
    var timeline = timeline(.standingBy, frames: 10)
    #expect(timeline.isStandingBy && timeline.slots == 0 && timeline.nextSlot == 10)
    timeline.beginTake(origin: 4, limit: 12)
    #expect(!timeline.isStandingBy && timeline.slots == 6)
    #expect(!timeline.isBehindTake(11) && timeline.isBehindTake(12))
  }

  @Test func restarting_standby_discards_its_frames() {
    var timeline = timeline(.standingBy, frames: 10)
    _ = timeline.announceLoss(3)
    timeline.restart(at: 12)
    #expect(!timeline.hasBegun && timeline.firstSlot == 12 && timeline.nextSlot == 12)
    #expect(timeline.source == nil)
    timeline.beginTake(origin: 12, limit: nil)
    #expect(timeline.slots == 0 && timeline.tail == nil)
    #expect(timeline.place(time: time(5000), sequence: 7) == .slot(12, unexplained: 0))
    timeline.didAppend(12)
    #expect(timeline.hasBegun && timeline.slots == 1)
  }

  @Test func a_take_has_no_slots_before_its_first_frame() {
    let timeline = timeline()
    #expect(!timeline.hasBegun && timeline.slots == 0 && timeline.tail == nil)
    #expect(timeline.fillEnd(at: time(1000), delay: 0) == nil)
  }

  @Test func a_frame_past_the_limit_leaves_the_take_at_its_limit() {
    var timeline = timeline(.take(origin: 0, limit: 5), frames: 3)
    #expect(timeline.place(time: time(8), sequence: nil) == .slot(8, unexplained: 5))
    timeline.endAtLimit()
    #expect(timeline.nextSlot == 5)
    #expect(timeline.tail == 3..<5)
  }

  @Test func slots_are_filled_up_to_the_present_and_reported_once() throws {
    var timeline = timeline(.take(origin: 0, limit: 60), frames: 3)
    #expect(timeline.fillEnd(at: time(14), delay: 0.5) == nil)
    let end = try #require(timeline.fillEnd(at: time(30.5), delay: 0.2))
    #expect(end == 25)
    timeline.fill(to: end)
    #expect(timeline.fillEnd(at: time(1000), delay: 0.2) == 60)
    #expect(timeline.nextSlot == 25 && timeline.lastSlot == 24)
    // The next frame comes two slots later; those need no explanation.
    #expect(timeline.place(time: time(27), sequence: nil) == .slot(27, unexplained: 0))
    #expect(timeline.endFill(at: 27) == 3..<27)
    #expect(timeline.endFill(at: 28) == nil)
  }

  @Test func a_pause_leaves_no_empty_slot() {
    var timeline = timeline(frames: 3)
    timeline.rebase()
    #expect(timeline.place(time: time(200), sequence: nil) == .slot(3, unexplained: 0))
  }
}
