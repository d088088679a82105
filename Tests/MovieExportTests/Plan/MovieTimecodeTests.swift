import MediaCore
import TestSupport
import Testing

@testable import MovieExport

/// A source's timecode, converted to the movie's frame rate.
@Suite struct MovieTimecodeTests {
  @Test(arguments: [
    ("10:01:00:00", FrameRate.fps25, FrameRate.fps29_97, "10:01:00;02"),
    ("23:59:00:00", .fps25, .fps59_94, "23:59:00;04"),
    ("10:10:00:00", .fps25, .fps29_97, "10:10:00;00"),
    ("10:01:00:01", .fps24, .fps29_97, "10:01:00;02"),
    ("10:01:00:02", .fps24, .fps29_97, "10:01:00;02"),
    ("10:01:00:24", .fps25, .fps29_97, "10:01:00;28"),
    ("10:01:01:00", .fps25, .fps29_97, "10:01:01;00"),
    ("10:01:00:23", .fps24, .fps50, "10:01:00:47"), ("10:01:00:49", .fps50, .fps25, "10:01:00:24"),
  ])
  func timecode_maps_to_the_same_moment_or_the_next_valid_address(
    text: String, source: FrameRate, rate: FrameRate, wanted: String
  ) throws {
    let address = try #require(Timecode(text, frameRate: source))
    #expect(address.atMovieRate(rate)?.description == wanted)
  }

  @Test(arguments: [
    ("20:01:00:00", FrameRate.fps23_976, FrameRate.fps59_94, "20:01:00:00"),
    ("10:01:00:00", .fps29_97, .fps59_94, "10:01:00:00"),
    ("10:01:00:59", .fps59_94, .fps29_97, "10:01:00:29"),
    ("10:01:00;02", .fps29_97, .fps59_94, "10:01:00;04"),
    ("10:01:00;05", .fps59_94, .fps29_97, "10:01:00;02"),
    ("10:01:00;02", .fps29_97, .fps23_976, "10:01:00:01"),
    ("10:01:00;02", .fps29_97, .fps25, "10:01:00:01"),
    ("10:01:00:00", .fps29_97, .fps25, "10:01:00:00"),
    ("10:01:00:00", .fps29_97, .fps29_97, "10:01:00:00"),
  ])
  func rates_of_the_1001_family_keep_the_sources_counting_mode(
    text: String, source: FrameRate, rate: FrameRate, wanted: String
  ) throws {
    let address = try #require(Timecode(text, frameRate: source))
    #expect(address.atMovieRate(rate)?.description == wanted)
  }

  /// Only the labels stay, not the frame numbers: those of drop-frame and non-drop-frame differ by
  /// minutes a day.
  @Test func hours_minutes_and_seconds_are_preserved_at_every_rate() throws {
    var numbers = SeededGenerator(seed: 11)
    for source in FrameRate.standard {
      for rate in FrameRate.standard {
        for isDropFrame in [false, true] {
          guard let format = TimecodeFormat(frameRate: source, isDropFrame: isDropFrame) else {
            continue
          }
          for _ in 0..<50 {
            let minute =
              Int64.random(in: 0..<1440, using: &numbers) * Int64(format.framesPerSecond * 60)
            let address = Timecode(
              frameNumber: minute + .random(in: -3...3, using: &numbers), format: format)
            let moved = try #require(address.atMovieRate(rate))
            let (old, new) = (address.components, moved.components)
            #expect(
              old.hours == new.hours && old.minutes == new.minutes && old.seconds == new.seconds)
            let frames = old.frames * moved.format.framesPerSecond / format.framesPerSecond
            let isSkipped =
              frames < moved.format.droppedPerMinute && old.seconds == 0 && old.minutes % 10 != 0
            #expect(new.frames == (isSkipped ? moved.format.droppedPerMinute : frames))
          }
        }
      }
    }
  }
}
