import MediaCore
import Monitor
import Testing

@testable import RecorderControl

/// Levels are written without a JSON encoder; the result must be equivalent.
@Suite struct LevelsLineTests {
  private static func event(
    _ levels: [LevelMeter.Level]?, _ loudness: Loudness? = nil
  ) -> RecorderEvent {
    var event = RecorderEvent(.levels)
    (event.levels, event.loudness) = (levels, loudness)
    return event
  }

  private static var loudness: Loudness {
    var loudness = Loudness(channels: 2, seconds: 0.1)
    loudness.momentary = -22.700000000000003
    loudness.shortTerm = -23
    loudness.integrated = -23.456
    loudness.range = 1e-7
    loudness.truePeak = -0.0
    (loudness.take, loudness.lostFrames) = (3, 48)
    return loudness
  }

  private static let levels = [
    LevelMeter.Level(peak: 0, rms: -3.0102999566398125, held: -1e-5, clips: 12),
    LevelMeter.Level(), LevelMeter.Level(peak: -90.30899869919435, clips: 0),
  ]

  @Test(arguments: [
    event(levels, loudness), event(levels), event([]), event([LevelMeter.Level()], loudness),
    event(levels, Loudness(channels: 1, seconds: 12_345_678.25)),
  ])
  func a_levels_line_equals_the_encoders(_ event: RecorderEvent) throws {
    #expect(LevelsLine.bytes(event) == (try MessageLine.bytes(.recorderEvent, event)))
  }

  @Test func unsupported_levels_events_are_left_to_the_encoder() {
    var other = Self.event(Self.levels)
    other.message = "more"
    #expect(LevelsLine.bytes(other) == nil)
    #expect(LevelsLine.bytes(Self.event(nil)) == nil)
    #expect(LevelsLine.bytes(RecorderEvent(.state)) == nil)
    #expect(LevelsLine.bytes(Self.event([LevelMeter.Level(peak: .infinity)])) == nil)
  }
}
