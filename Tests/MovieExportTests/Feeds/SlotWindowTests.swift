import Testing

@testable import MovieExport

/// Which frames of a source are shown between an in point and an out point.
@Suite struct SlotWindowTests {
  /// A frame, its slot, and the number of slots that its own duration fills.
  private typealias Source = (name: String, slot: Int64, length: Int64)

  /// Frames of a source with a variable rate: at 0, 9 and 13 s, in slots of 25 fps.
  private static let recording: [Source] = [("a", 0, 225), ("b", 225, 100), ("c", 325, 1)]

  private func shown(
    _ frames: [Source], in first: Int64, out end: Int64? = nil
  ) -> (names: [String], isFilled: Bool) {
    var window = SlotWindow<String>(first: first, end: end)
    var shown: [SlotWindow<String>.Shown] = []
    for frame in frames {
      let (held, own) = window.take(
        frame.name, in: frame.slot, until: frame.slot + frame.length)
      shown += [held, own].compactMap(\.self)
    }
    if let last = window.finish() { shown.append(last) }
    #expect(window.finish() == nil, "the end is reported once")
    return (
      shown.map { "\($0.frame)\($0.slot)\($0.isHeld ? " held" : "")" }, window.isFilled
    )
  }

  @Test func only_frames_between_in_and_out_points_are_shown() {
    let frames = (0..<10).map { Source("\($0):", Int64($0), 1) }
    let result = shown(frames, in: 3, out: 6)
    #expect(result.names == ["3:3", "4:4", "5:5"] && result.isFilled)
    #expect(shown(frames, in: 0).names.count == 10)
    // An out point after the last frame.
    #expect(shown(frames, in: 8, out: 10).isFilled)
    #expect(!shown(frames, in: 8, out: 11).isFilled)
  }

  @Test func a_frame_before_the_in_point_is_held_until_the_next() {
    #expect(shown(Self.recording, in: 100).names == ["a100 held", "b225", "c325"])
    #expect(shown(Self.recording, in: 225).names == ["b225", "c325"])
  }

  @Test func a_frame_spanning_both_points_is_held_between_them() {
    let result = shown(Self.recording, in: 250, out: 300)
    #expect(result.names == ["b250 held"] && result.isFilled)
  }

  @Test func the_last_frame_is_shown_for_its_duration() {
    let recording = Array(Self.recording.dropLast())
    let result = shown(recording, in: 250, out: 300)
    #expect(result.names == ["b250 held"] && result.isFilled)
    #expect(shown(recording, in: 250).names == ["b250 held"])
    #expect(shown(recording, in: 100, out: 300).isFilled)
    #expect(!shown(recording, in: 100, out: 326).isFilled)
    // Nothing follows the last frame.
    #expect(shown(recording, in: 325).names.isEmpty)
    #expect(shown([("a", 0, .max)], in: 5).names == ["a5 held"])
  }

  @Test func nothing_is_shown_after_the_window() {
    var window = SlotWindow<String>(first: 0, end: 1)
    #expect(window.take("a", in: 0, until: 1).own != nil && !window.isOver)
    for (frame, slot) in [("b", Int64(1)), ("c", 2)] {
      let (held, own) = window.take(frame, in: slot, until: slot + 1)
      #expect(held == nil && own == nil && window.isOver)
    }
  }
}
