import MediaCore
import TestSupport
import Testing

@testable import MovieExport

/// Which frames of a constant rate are shown at another rate.
@Suite struct RateConversionTests {
  private typealias Shown = RateConversion<Int>.Shown

  /// The source frame of each output frame; the rates are given as text.
  private func shown(
    _ images: some Sequence<Int>, at source: String, in rate: String
  ) throws -> [Int] {
    try shown(images, at: #require(FrameRate(source)), in: #require(FrameRate(rate)))
  }

  private func shown(
    _ images: some Sequence<Int>, at source: FrameRate, in rate: FrameRate
  ) -> [Int] {
    var conversion = RateConversion<Int>(from: source, to: rate)
    var frames: [Shown] = []
    for image in images {
      frames += conversion.take(image, at: source.time(ofFrame: Int64(image)))
    }
    frames += conversion.finish()
    #expect(frames.map(\.frame) == Array(0..<Int64(frames.count)), "each frame once, in order")
    #expect(conversion.finish().isEmpty, "the end is reported once")
    return frames.map(\.image)
  }

  @Test(arguments: [
    ("25", "1", [0, 25, 50, 75]), ("25", "5", [0, 5, 10, 15]),
    ("25", "10", [0, 2, 5, 7, 10, 12]), ("60", "24", [0, 2, 5, 7, 10, 12]),
    ("59.94", "25", [0, 2, 5, 7, 10, 12, 14, 17]),
    ("29.97", "23.976", [0, 1, 2, 4, 5, 6, 7, 9, 10]), ("50", "25", [0, 2, 4, 6]),
    ("25", "25", [0, 1, 2, 3]),
  ])
  func a_lower_rate_shows_the_nearest_frame(
    source: String, rate: String, first: [Int]
  ) throws {
    #expect(try shown(0..<100, at: source, in: rate).prefix(first.count) == first[...])
  }

  @Test(arguments: [
    ("24", "60", [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]),
    ("25", "29.97", [0, 1, 2, 2, 3, 4, 5, 6, 7, 7]), ("25", "50", [0, 0, 1, 1, 2, 2]),
    ("24", "25", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 12, 13]),
  ])
  func at_a_higher_rate_source_frames_start_at_the_nearest_slot(
    source: String, rate: String, first: [Int]
  ) throws {
    #expect(try shown(0..<100, at: source, in: rate).prefix(first.count) == first[...])
  }

  @Test(arguments: [
    ("24", "60", 24, 36, 0), ("60", "24", 60, 0, 36), ("25", "29.97", 25, 5, 0),
    ("25", "25", 25, 0, 0), ("50", "1", 20, 0, 19),
  ])
  func repeated_and_dropped_frames_are_counted(
    source: String, rate: String, count: Int, repeated: Int, dropped: Int
  ) throws {
    let (source, rate) = (
      try #require(FrameRate(source)), try #require(FrameRate(rate))
    )
    var conversion = RateConversion<Int>(from: source, to: rate)
    for number in 0..<count {
      _ = conversion.take(number, at: source.time(ofFrame: Int64(number)))
    }
    _ = conversion.finish()
    #expect(conversion.tally.repeated == repeated && conversion.tally.dropped == dropped)
  }

  @Test func a_conversion_is_reported_with_its_numbers() {
    func words(_ repeated: Int, _ dropped: Int, isInterlaced: Bool = false) -> String {
      RateNote(
        source: .fps30, movie: .fps25, repeated: repeated, dropped: dropped,
        isInterlaced: isInterlaced
      ).note.message
    }
    let start = "30 frames per second converted to 25: "
    #expect(words(0, 0, isInterlaced: true) == start + "each frame shown once")
    #expect(words(1, 2) == start + "1 frame repeated and 2 frames dropped")
    #expect(
      words(5, 0, isInterlaced: true) == start
        + "5 frames repeated, both fields together: the field order stays, but motion steps back by a field at each "
        + "repeated frame; to avoid that, deinterlace to fields")
    #expect(words(0, 2, isInterlaced: true).contains("but motion is uneven"))
    #expect(
      RateNote(source: .fps25, movie: .fps30, repeated: 0, dropped: 20, isOfFields: true)
        .note.message
        == "25 frames per second converted to 30 with a frame of each field: 20 frames dropped")
  }

  @Test func duration_is_rounded_to_the_nearest_frame_and_never_zero() throws {
    #expect(try shown(0..<1, at: "25", in: "1") == [0])
    #expect(try shown(0..<37, at: "25", in: "1") == [0])
    // Halves are rounded up.
    #expect(try shown(0..<50, at: "25", in: "1") == [0, 25])
    #expect(try shown(0..<75, at: "50", in: "1") == [0, 50])
    #expect(try shown(0..<1, at: "24", in: "60") == [0, 0, 0])
    #expect(try shown([], at: "25", in: "50").isEmpty)
  }

  @Test func a_frame_is_shown_until_the_next_one() throws {
    #expect(try shown([0, 3, 4], at: "25", in: "50") == [0, 0, 0, 0, 0, 0, 3, 3, 4, 4])
    #expect(try shown([0, 60], at: "25", in: "1") == [0, 0])
    #expect(try shown([0, 50, 74], at: "25", in: "1") == [0, 0, 50])
  }

  /// A missing frame is replaced by the previous one; otherwise the result is that of the complete
  /// source.
  @Test func missing_source_frames_repeat_the_previous_one_only() throws {
    var numbers = SeededGenerator(seed: 3)
    for _ in 0..<200 {
      let source = try #require(FrameRate.standard.randomElement(using: &numbers))
      let rate = try #require(FrameRate.standard.randomElement(using: &numbers))
      let count = Int.random(in: 1...80, using: &numbers)
      // The last frame determines the source's duration.
      let kept = (0..<count).filter {
        $0 == 0 || $0 == count - 1 || Bool.random(using: &numbers)
      }
      let whole = shown(0..<count, at: source, in: rate).map { image in
        kept.last { $0 <= image } ?? 0
      }
      #expect(shown(kept, at: source, in: rate) == whole)
    }
  }

  /// Compared in integers, as frame numbers times both rates, without times.
  @Test func every_shown_frame_is_the_nearest_at_any_rates() throws {
    var numbers = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let source = try #require(FrameRate(.random(in: 1...120, using: &numbers), 1))
      let rate = try #require(
        Bool.random(using: &numbers)
          ? FrameRate(.random(in: 1...source.numerator, using: &numbers))
          : FrameRate(.random(in: 1...source.numerator, using: &numbers) * 1000, 1001))
      let count = Int.random(in: 1...300, using: &numbers)
      let frames = shown(0..<count, at: source, in: rate)
      let (fine, coarse) = (
        Int(source.numerator) * Int(rate.denominator), Int(rate.numerator)
      )
      #expect(frames.count == max((2 * count * coarse + fine) / (2 * fine), 1))
      for (frame, image) in frames.enumerated() {
        func distance(_ other: Int) -> Int { abs(other * coarse - frame * fine) }
        #expect(image + 1 >= count || distance(image + 1) >= distance(image))
        // If two frames are equally near, the earlier one.
        #expect(image == 0 || distance(image - 1) > distance(image))
      }
    }
  }
}
