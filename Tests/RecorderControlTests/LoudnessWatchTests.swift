import Foundation
import MediaCore
import Monitor
import Testing

@testable import RecorderControl

/// Which audio counts toward which take.
@Suite(
  .enabled(if: LoudnessMeter.failure == nil, Comment(rawValue: LoudnessMeter.failure ?? ""))
) struct LoudnessWatchTests {
  /// A tenth of a second of 1 kHz in both channels.
  private static func audio(_ decibels: Double) throws -> AudioBuffer {
    let peak = 32_767 * pow(10, decibels / 20)
    let bytes = (0..<4800).flatMap { index in
      let sample = Int16((peak * sin(2 * .pi * Double(index) / 48)).rounded())
      let pair = [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      return pair + pair
    }
    return try AudioBuffer(
      format: AudioFormat(sampleRate: 48_000, channelCount: 2, sampleFormat: .int16), bytes: bytes)
  }

  private static func isNear(_ value: Double?, _ wanted: Double) -> Bool {
    value.map { abs($0 - wanted) < 0.15 } ?? false
  }

  @Test func take_loudness_excludes_audio_before_and_after_the_take() throws {
    var watch = LoudnessWatch()
    var reading: Loudness?
    let (loud, soft) = (try Self.audio(-10), try Self.audio(-30))
    for _ in 0..<20 { watch.measure(loud) }
    reading = watch.reading
    #expect(Self.isNear(reading?.integrated, -10) && reading?.take == nil)
    watch.record(take: 1, isPaused: false)
    for _ in 0..<20 { watch.measure(soft) }
    reading = watch.reading
    #expect(Self.isNear(reading?.integrated, -30) && reading?.take == 1)
    watch.record(take: 1, isPaused: true)
    for _ in 0..<10 { watch.measure(loud) }
    reading = watch.reading
    #expect(Self.isNear(reading?.integrated, -30))
    #expect(
      Self.isNear(reading?.momentary, -10), "momentary loudness is shown during a pause, too")
    watch.record(take: 1, isPaused: false)
    for _ in 0..<10 { watch.measure(soft) }
    // The recorder reports the end only when the movie is complete.
    for _ in 0..<5 { watch.measure(loud) }
    let take = watch.finish(take: 1, duration: 3.05)
    #expect(Self.isNear(take?.integrated, -30) && take?.take == 1 && take?.seconds == 3)
    #expect(take?.momentary == nil)
    for _ in 0..<10 { watch.measure(loud) }
    reading = watch.reading
    #expect(Self.isNear(reading?.integrated, -10) && reading?.take == nil)
    let again = watch.finish(take: 1, duration: 3)
    #expect(again == nil, "it is reported once")
  }

  @Test func take_loudness_excludes_audio_while_the_take_is_finishing() throws {
    var watch = LoudnessWatch()
    watch.record(take: 1, isPaused: false)
    for _ in 0..<10 { watch.measure(try Self.audio(-30)) }
    watch.endTake()
    for _ in 0..<10 { watch.measure(try Self.audio(-10)) }
    let take = watch.finish(take: 1, duration: 9)
    #expect(Self.isNear(take?.integrated, -30))
  }

  @Test func overlapping_takes_keep_separate_loudness() throws {
    var watch = LoudnessWatch()
    watch.record(take: 1, isPaused: false)
    for _ in 0..<10 { watch.measure(try Self.audio(-30)) }
    watch.record(take: 2, isPaused: false)
    for _ in 0..<10 { watch.measure(try Self.audio(-10)) }
    let first = watch.finish(take: 1, duration: 1)
    let isOfTake = watch.isOfTake
    #expect(first?.take == 1 && Self.isNear(first?.integrated, -30) && isOfTake)
    watch.measure(try Self.audio(-10))
    let second = watch.finish(take: 2, duration: 1.1)
    #expect(second?.take == 2 && Self.isNear(second?.integrated, -10) && second?.seconds == 1.1)
  }
}
