import MediaCore
import TestSupport
import Testing

@Suite struct TimecodeTests {
  /// Counts through a whole day like a clock, skipping the numbers that drop-frame skips (SMPTE ST
  /// 12-1), and compares each address in both directions; unless the run is extended, only in the
  /// first and last hour.
  @Test(arguments: FrameRate.standard, [false, true])
  func every_frame_of_a_day_has_its_timecode(rate: FrameRate, isDropFrame: Bool) throws {
    guard let format = TimecodeFormat(frameRate: rate, isDropFrame: isDropFrame) else {
      #expect(isDropFrame && rate != .fps29_97 && rate != .fps59_94)
      return
    }
    let nominal = rate.nominalFramesPerSecond
    let dropped = isDropFrame ? (rate == .fps29_97 ? 2 : 4) : 0
    var number: Int64 = 0
    var bad = 0
    for minute in 0..<1440 {
      let isCompared = TestRun.isExtended || minute < 61 || minute > 1379
      guard isCompared else {
        number += Int64(60 * nominal - (minute % 10 != 0 ? dropped : 0))
        continue
      }
      for second in 0..<60 {
        let first = second == 0 && minute % 10 != 0 ? dropped : 0
        // Every frame around a change of minute, and the first and last frame of all other seconds.
        let frames =
          second == 0 || second == 59
          ? Array(first..<nominal) : [0, nominal - 1]
        for frame in frames {
          let index = number + Int64(frame - first)
          let timecode = Timecode(frameNumber: index, format: format)
          let parts = timecode.components
          let again = Timecode(
            hours: minute / 60, minutes: minute % 60, seconds: second, frames: frame,
            format: format)
          if parts != (minute / 60, minute % 60, second, frame) || again?.frameNumber != index {
            bad += 1
          }
        }
        number += Int64(nominal - first)
      }
    }
    #expect(bad == 0)
    #expect(number == format.framesPerDay)
    let last = Timecode(frameNumber: number - 1, format: format)
    #expect(last.components.hours == 23 && last.components.frames == nominal - 1)
    #expect(last.advanced(by: 1).frameNumber == 0, "wraps at 24 hours")
    #expect(Timecode(frameNumber: -1, format: format) == last)
    #expect(last.distance(to: last.advanced(by: 5)) == 5)
    #expect(last.advanced(by: .max).advanced(by: -.max) == last)
  }

  @Test func drop_frame_stays_in_step_with_the_clock() throws {
    for rate in [FrameRate.fps29_97, .fps59_94] {
      let format = TimecodeFormat(standardFor: rate)
      #expect(format.isDropFrame)
      let day = rate.frameDuration * format.framesPerDay
      #expect((day.seconds - 86_400).magnitude < 0.1)
    }
  }

  @Test(arguments: [
    ("01:00:00;00", FrameRate.fps29_97, 107_892 as Int64), ("01:00:00:00", .fps29_97, 108_000),
    ("01:00:00.00", .fps29_97, 107_892), ("00:01:00;02", .fps29_97, 1800),
    ("00:10:00;00", .fps29_97, 17982), ("10:00:00;00", .fps59_94, 2_157_840),
    ("01:00:00:00", .fps25, 90000), ("01:00:00:00", .fps23_976, 86400),
    ("23:59:59:24", .fps25, 2_159_999), ("1:2:3:4", .fps25, 93079),
    ("01;00;00;00", .fps29_97, 107_892),
  ])
  func timecode_strings_are_parsed(text: String, rate: FrameRate, number: Int64) {
    let timecode = Timecode(text, frameRate: rate)
    #expect(timecode?.frameNumber == number)
    #expect(timecode.flatMap { Timecode($0.description, frameRate: rate) } == timecode)
  }

  @Test(arguments: [
    ("00:01:00;00", FrameRate.fps29_97), ("00:01:00;03", .fps59_94), ("01:00:00;00", .fps25),
    ("24:00:00:00", .fps25), ("00:60:00:00", .fps25), ("00:00:60:00", .fps25),
    ("00:00:00:25", .fps25), ("00:00:00", .fps25), ("", .fps25), ("a:b:c:d", .fps25),
    ("+1:00:00:00", .fps25), ("-1:00:00:00", .fps25), ("001:00:00:00", .fps25),
    ("01:00:00:00:00", .fps25), ("01:00::00", .fps25), ("01.00.00.00", .fps29_97),
    ("٠١:00:00:00", .fps25), ("00:00:00:9999999999999999999999", .fps25),
  ])
  func strings_that_name_no_frame_are_refused(text: String, rate: FrameRate) {
    #expect(Timecode(text, frameRate: rate) == nil)
  }
}
