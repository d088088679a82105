import Foundation
import MediaCore
import Testing

@testable import CaptureDevices
@testable import Takes
@testable import VideoRecorder

@Suite struct StartTimeTests {
  /// Around noon; times of day are local.
  private let now = 1_763_700_000.25

  @Test(arguments: FrameRate.standard)
  func a_start_time_resolves_to_the_first_instant_of_its_timecode(rate: FrameRate) throws {
    for text in ["00:00", "09:31:00", "12:34:56", "17:20:00", "23:59:59"] {
      for frame in [nil, 4, 11, rate.nominalFramesPerSecond - 1] {
        let full = frame.map { text.count == 5 ? "\(text):00:\($0)" : "\(text):\($0)" } ?? text
        let time = try #require(StartTime(full))
        let moment = try time.next(after: now, rate: rate)
        #expect(moment.unixTime > now && moment.unixTime <= now + 90_000)
        #expect(
          moment.timecode == Timecode(timeOfDay: moment.unixTime, rate: rate), "\(full) \(rate)")
        // A hundredth of a frame earlier the timecode differs; the second's last address is cut short.
        let before = Timecode(timeOfDay: moment.unixTime - 0.01 / rate.framesPerSecond, rate: rate)
        #expect(before != moment.timecode, "\(full) \(rate)")
      }
    }
  }

  @Test func a_time_without_frames_is_the_first_timecode_of_its_second() throws {
    #expect("\(try #require(StartTime("09:31")).timecode(at: .fps25))" == "09:31:00:00")
    #expect("\(try #require(StartTime("09:31")).timecode(at: .fps29_97))" == "09:31:00;02")
    #expect("\(try #require(StartTime("09:30")).timecode(at: .fps29_97))" == "09:30:00;00")
    #expect("\(try #require(StartTime("09:31")).timecode(at: .fps59_94))" == "09:31:00;04")
  }

  @Test func frames_missing_at_the_rate_are_refused() throws {
    let beyond = try #require(StartTime("09:30:00:25"))
    let error = #expect(throws: CaptureError.self) { try beyond.next(after: now, rate: .fps25) }
    #expect(error?.message.contains("0 to 24") == true)
    let dropped = try #require(StartTime("09:31:00;01"))
    let other = #expect(throws: CaptureError.self) { try dropped.next(after: now, rate: .fps29_97) }
    #expect(other?.message.contains("use frame 2") == true)
  }

  /// 1:00 UTC on a day when clocks are set back from 3:00 to 2:00, or forward from 2:00 to 3:00.
  private static let change: Int64 = 1_792_890_000

  /// Both in minutes after the change: the time from which to search, and the moment to be found.
  @Test(arguments: [(-50, -15), (-14, 45), (10, 45), (50, 1425 + 60)])
  func a_time_repeated_when_clocks_are_set_back_is_the_next_occurrence(
    after: Int64, expected: Int64
  ) throws {
    let moment = try #require(StartTime("02:45")).next(
      after: Double(Self.change + after * 60), rate: .fps25
    ) { $0 < Self.change ? 7200 : 3600 }
    #expect(moment.unixTime == Double(Self.change + expected * 60))
  }

  @Test func a_time_skipped_when_clocks_are_set_forward_is_the_next_days() throws {
    let moment = try #require(StartTime("02:30")).next(
      after: Double(Self.change - 600), rate: .fps25
    ) { $0 < Self.change ? 3600 : 7200 }
    #expect(moment.unixTime == Double(Self.change - 1800 + 86_400))
  }
}
