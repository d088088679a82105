import MediaCore
import Testing

@testable import AssetWriter

/// The slot of each frame.
@Suite struct SlotSequenceTests {
  private func time(_ milliseconds: Int64) -> MediaTime {
    MediaTime(value: milliseconds, timescale: 1000)
  }

  @Test func a_frame_takes_the_slot_nearest_to_its_time() throws {
    var slots = SlotSequence(rate: .fps25)
    #expect(try slots.place(time(1081), start: time(1000), maximumGap: 60) == 2)
    #expect(try slots.place(time(1139), start: time(1000), maximumGap: 60) == 3)
    #expect(slots.first == 2 && slots.last == 3 && slots.end == 4)
  }

  @Test func a_frame_before_the_session_takes_no_slot() throws {
    var slots = SlotSequence(rate: .fps25)
    #expect(try slots.place(time(900), start: time(1000), maximumGap: 60) < 0)
    #expect(slots.first == nil && slots.end == 0)
    #expect(throws: AssetWriterError.self) {
      try slots.place(time(900), start: time(1000), maximumGap: 60)
    }
  }

  @Test func taken_or_distant_slots_are_refused_without_effect() throws {
    var slots = SlotSequence(rate: .fps25)
    try slots.place(slot: 5, maximumGap: 60)
    for slot in [Int64(5), 4, 0] {
      let error = #expect(throws: AssetWriterError.self) {
        try slots.place(slot: slot, maximumGap: 60)
      }
      #expect(error?.code == .timeNotIncreasing)
    }
    for slot in [Int64(2000), .max, 1 << 50] {
      let error = #expect(throws: AssetWriterError.self) {
        try slots.place(slot: slot, maximumGap: 60)
      }
      #expect(error?.code == .invalidTime)
    }
    #expect(slots.first == 5 && slots.end == 6)
    try slots.place(slot: 6, maximumGap: 60)
  }

  @Test func a_refusal_names_the_time_or_the_slot_of_the_frame() throws {
    var slots = SlotSequence(rate: .fps25)
    #expect(try slots.place(time(1000), start: time(1000), maximumGap: 60) == 0)
    for (late, words) in [
      (time(1010), "in the same"), (time(900_000), "leaves a gap"), (time(1000), "not later"),
    ] {
      let error = #expect(throws: AssetWriterError.self) {
        try slots.place(late, start: time(1000), maximumGap: 60)
      }
      #expect(error?.message.contains("a frame at \(late)") == true)
      #expect(error?.message.contains(words) == true)
    }
    let error = #expect(throws: AssetWriterError.self) { try slots.place(slot: 0, maximumGap: 60) }
    #expect(error?.message.contains("a frame at slot 0 is in the same") == true)
  }

  @Test func slots_held_by_the_last_frame_are_taken() throws {
    var slots = SlotSequence(rate: .fps25)
    slots.hold(until: 9)
    #expect(slots.end == 0)
    try slots.place(slot: 0, maximumGap: 60)
    slots.hold(until: 10)
    slots.hold(until: 4)
    #expect(slots.heldEnd == 10 && slots.end == 10)
    #expect(throws: AssetWriterError.self) { try slots.place(slot: 9, maximumGap: 60) }
    try slots.place(slot: 10, maximumGap: 60)
  }

  @Test func audio_and_other_rates_are_split_at_the_first_tracks_frames() {
    let samples = TrackScale(unit: .samples(rate: 48_000), leadRate: .fps29_97)
    // 1601.6 samples a frame.
    #expect((0...5).map(samples.place) == [0, 1602, 3203, 4805, 6406, 8008])
    #expect(samples.slot(ofPlace: 1601) == 0 && samples.slot(ofPlace: 1602) == 1)
    #expect(samples.firstSlot(behind: 1602) == 1 && samples.firstSlot(behind: 1603) == 2)
    let slots = TrackScale(unit: .slots(.fps50), leadRate: .fps25)
    #expect(slots.place(ofSlot: 3) == 6 && slots.slot(ofPlace: 7) == 3)
    let lead = TrackScale(unit: .lead, leadRate: nil)
    #expect(lead.place(ofSlot: 7) == 7 && lead.slot(ofPlace: 7) == 7)
    #expect(TrackScale(unit: .unknown, leadRate: .fps25).slot(ofPlace: 0) == nil)
  }
}
