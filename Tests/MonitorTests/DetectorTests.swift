import MediaCore
import TestSupport
import Testing

@testable import Monitor

@Suite struct DetectorTests {
  private static func frame(_ luma: UInt16, spot: (index: Int, code: UInt16)? = nil) throws
    -> PreviewFrame
  {
    var codes = [UInt16](repeating: luma, count: 64 * 36)
    if let spot { for index in 0..<8 { codes[spot.index + index] = spot.code } }
    let chroma = [UInt16](repeating: 512, count: 32 * 36)
    return try PreviewFrame(
      width: 64, height: 36, color: .bt709, luma: codes, cb: chroma, cr: chroma)
  }

  @Test func a_condition_is_reported_once_after_its_minimum_duration() {
    var condition = SustainedCondition.absent
    #expect(condition.update(true, at: 10, least: 5) == nil)
    #expect(condition == .suspected(since: 10))
    #expect(condition.update(true, at: 14.9, least: 5) == nil)
    #expect(condition.update(false, at: 15, least: 5) == nil)
    #expect(condition.update(true, at: 16, least: 5) == nil)
    #expect(condition.update(true, at: 21, least: 5) == true && condition == .present(since: 16))
    #expect(condition.update(true, at: 30, least: 5) == nil && condition.isPresent)
    #expect(condition.update(false, at: 31, least: 5) == false && condition == .absent)
    #expect(condition.update(true, at: 32, least: 0) == true, "immediately with no minimum")
  }

  @Test func black_is_detected_despite_noise_and_dark_frames_are_not_black() throws {
    var detector = BlackDetector()
    #expect(detector.isBlack(try Self.frame(64)))
    #expect(detector.isBlack(try Self.frame(90)))
    #expect(!detector.isBlack(try Self.frame(120)))
    #expect(detector.isBlack(try Self.frame(64, spot: (500, 940))), "a few bright samples")
    #expect(detector.observe(try Self.frame(64), at: 0) == nil)
    #expect(detector.observe(try Self.frame(64), at: 5) == true)
    #expect(detector.observe(try Self.frame(500), at: 6) == false)
  }

  @Test func a_freeze_is_detected_despite_noise_but_not_with_small_movement() throws {
    var detector = FreezeDetector()
    detector.least = 1
    for second in 0..<2 {
      #expect(detector.observe(try Self.frame(300), at: Double(second)) == nil)
    }
    // Noise of one or two codes is not movement.
    #expect(detector.observe(try Self.frame(302), at: 2) == true)
    #expect(detector.observe(try Self.frame(300, spot: (700, 900)), at: 3) == false)
    for second in 4..<9 {
      let moved = try Self.frame(300, spot: (700 + 8 * second, 900))
      #expect(detector.observe(moved, at: Double(second)) == nil, "\(second)")
    }
    #expect(!detector.condition.isPresent)
  }

  /// Codes on both sides of the limits, compared with counts taken code by code.
  @Test func code_counts_match_a_plain_count() {
    var random = SeededGenerator(seed: 4)
    // Counts beyond 16 bits, and lengths that do not fill a vector.
    for count in [0, 1, 15, 63, 16_384, 16_391, 140_003] {
      let codes = (0..<2).map { _ in
        (0..<count).map { _ in UInt16(truncatingIfNeeded: 96 + (random.next() as UInt64) % 9) }
      }
      let white = [UInt16](repeating: 1019, count: count)
      let (black, freeze) = (BlackDetector(), FreezeDetector())
      let changes = zip(codes[0], codes[1]).count { abs(Int($0) - Int($1)) > 4 }
      #expect(freeze.changeCount(from: codes[0], to: codes[1]) == changes)
      #expect(freeze.changeCount(from: codes[0], to: white) == count)
      #expect(black.darkCount(codes[0]) == codes[0].count { $0 <= 100 })
      #expect(black.darkCount(white) == 0)
    }
  }

  @Test func silence_is_reported_only_if_all_channels_are_silent() {
    var detector = SilenceDetector()
    let silent = LevelMeter.Level(peak: -70)
    let none = LevelMeter.Level(peak: nil)
    #expect(detector.observe([], at: 0) == nil && detector.observe([], at: 100) == nil)
    #expect(detector.observe([silent, none], at: 0) == nil)
    #expect(detector.observe([silent, .init(peak: -30)], at: 5) == nil)
    #expect(detector.observe([silent, none], at: 6) == nil)
    #expect(detector.observe([none, none], at: 16) == true)
    #expect(detector.observe([.init(peak: -59), none], at: 17) == false)
  }
}
