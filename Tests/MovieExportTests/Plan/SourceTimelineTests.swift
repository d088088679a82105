import MediaCore
import Testing

@testable import MovieExport

@Suite struct SourceTimelineTests {
  private static let format = AudioFormat(
    sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)

  private func audio(_ frames: Int) throws -> AudioBuffer {
    try AudioBuffer(format: Self.format, bytes: [UInt8](repeating: 0, count: frames * 2))
  }

  private func frame(_ number: Int64) -> MediaTime { MediaTime(value: number, timescale: 25) }

  @Test func frames_with_restarted_times_follow_the_last_one() {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: true)
    var places: [MediaTime?] = []
    for part in 0..<3 {
      for number in 0..<10 {
        _ = part
        places.append(timeline.place(frame: frame(Int64(number) + 100)))
      }
    }
    #expect(places == (0..<30).map { frame($0 + 100) })
    #expect(timeline.repairs.joins == 2)
  }

  @Test func a_wrapping_clock_continues() {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: true)
    let wrap = Int64(1) << 33
    let times = (0..<10).map {
      MediaTime(value: (wrap - 5 * 3600 + $0 * 3600) % wrap, timescale: 90_000)
    }
    let places = times.compactMap { timeline.place(frame: $0) }
    #expect(places.count == 10 && timeline.repairs.joins == 1)
    #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 == frame(1) })
  }

  @Test func long_gaps_stay_in_movies_and_are_closed_in_streams() {
    for mayJump in [true, false] {
      var timeline = SourceTimeline(rate: .fps25, timesMayJump: mayJump)
      _ = timeline.place(frame: frame(0))
      #expect(timeline.place(frame: frame(500)) == frame(mayJump ? 1 : 500))
      #expect(timeline.repairs.joins == (mayJump ? 1 : 0))
    }
  }

  @Test func equal_times_take_the_next_slots_and_bursts_are_trimmed() {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: false)
    let places = [0, 1, 1, 1, 1, 4].map { timeline.place(frame: frame($0)) }
    #expect(places == [frame(0), frame(1), frame(2), frame(3), nil, frame(4)])
    #expect(timeline.repairs.framesMoved == 2 && timeline.repairs.framesDropped == 1)
  }

  @Test func dropped_frames_are_reported_with_the_rate_that_keeps_them() throws {
    let rate = try #require(FrameRate(90))
    var timeline = SourceTimeline(rate: rate, timesMayJump: false)
    for tick in 0..<11 {
      _ = timeline.place(frame: MediaTime(value: Int64(tick), timescale: 600))
    }
    let note = try #require(ExportFeed.crowding(timeline.repairs, rate: rate))
    #expect(note.kind == .dropped && note.subject == "frames")
    #expect(note.message.contains("frames dropped: more than the frame rate of 90 has slots for"))
    let remedy =
      "; there are up to 600 per second: to keep them, convert the source to that rate first, for example with "
      + "ffmpeg -r 600"
    #expect(note.message.hasSuffix(remedy))
    // Frames with the same time have no rate.
    var equal = SourceTimeline(rate: .fps25, timesMayJump: false)
    for number in [0, 1, 1, 1, 1] { _ = equal.place(frame: frame(Int64(number))) }
    #expect(
      ExportFeed.crowding(equal.repairs, rate: .fps25)?.message
        == "1 frame dropped: more than the frame rate of 25 has slots for")
    #expect(ExportFeed.crowding(SourceTimeline.Repairs(), rate: .fps25) == nil)
  }

  /// Vorbis: packets with blocks of different lengths have timestamps as if all were equal.
  @Test func jittering_audio_times_are_smoothed_and_lasting_gaps_kept() throws {
    func run(_ offsets: [Int64], swings: Bool) throws -> (times: [Int64], trimmed: Int) {
      var timeline = SourceTimeline(rate: .fps25, timesMayJump: false)
      _ = timeline.place(frame: .zero)
      var times: [Int64] = []
      for (index, offset) in offsets.enumerated() {
        let time = MediaTime(value: Int64(index) * 4800 + offset, timescale: 48_000)
        guard
          case .placed(let placed) = try timeline.place(
            try audio(4800), at: time, track: 1, isLast: false, swings: swings)
        else { continue }
        times.append(placed.time.converted(toTimescale: 48_000).value)
      }
      return (times, timeline.repairs.audioSamplesTrimmed)
    }
    let swinging: [Int64] = [0, -1200, 0, 1300, 0, -1200, 0, 1400, 0]
    let straight = (0..<Int64(swinging.count)).map { $0 * 4800 }
    #expect(try run(swinging, swings: true).times == straight)
    #expect(try run(swinging, swings: true).trimmed == 0)
    #expect(try run(swinging, swings: false).trimmed > 0)
    // 31 ms late for two seconds without returning: that is a gap.
    let late = [0, 0] + [Int64](repeating: 1500, count: 20)
    #expect(try run(late, swings: true).times.last == Int64(late.count - 1) * 4800 + 1500)
  }

  /// A commentary starts again after minutes, even if the source was joined before.
  @Test(arguments: [false, true], [false, true])
  func paused_audio_resumes_at_its_timestamp(mayJump: Bool, isJoined: Bool) throws {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: mayJump)
    var end: Int64 = 0
    func show(_ frames: Int64) {
      for number in end..<end + frames { _ = timeline.place(frame: frame(number)) }
      end += frames
    }
    show(50)
    _ = try timeline.place(try audio(96_000), at: .zero, track: 1, isLast: false)
    if isJoined {
      end = 0
      show(25)
    }
    show(25 * 300)
    let place = try timeline.place(
      try audio(1024), at: frame(end - 5), track: 1, isLast: false)
    guard case .placed(let placed) = place else {
      Issue.record("not placed")
      return
    }
    #expect(placed.time == frame(end - 5 + (isJoined ? 50 : 0)))
    #expect(timeline.repairs.joins == (isJoined ? 1 : 0))
  }

  @Test func a_frame_can_be_held_for_minutes() {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: false)
    _ = timeline.place(frame: .zero)
    #expect(timeline.place(frame: frame(25 * 500)) == frame(25 * 500))
    #expect(timeline.repairs.joins == 0)
  }

  @Test func overlapping_audio_is_trimmed_to_the_sample() throws {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: false)
    _ = timeline.place(frame: .zero)
    _ = try timeline.place(try audio(48_000), at: .zero, track: 1, isLast: false)
    let overlapping = MediaTime(value: 48_000 - 1023, timescale: 48_000)
    guard
      case .placed(let rest) = try timeline.place(
        try audio(2048), at: overlapping, track: 1, isLast: false)
    else {
      Issue.record("not placed")
      return
    }
    #expect(rest.buffer.frameCount == 1025 && rest.time == MediaTime(value: 1, timescale: 1))
    #expect(timeline.repairs.audioSamplesTrimmed == 1023)
  }

  @Test func audio_of_a_part_waits_for_its_frames() throws {
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: true)
    for number in 0..<25 { _ = timeline.place(frame: frame(Int64(number))) }
    _ = try timeline.place(try audio(48_000), at: .zero, track: 1, isLast: false)
    guard
      case .early = try timeline.place(try audio(1024), at: .zero, track: 1, isLast: false)
    else {
      Issue.record("not early")
      return
    }
    _ = timeline.place(frame: .zero)
    guard
      case .placed(let audio) = try timeline.place(
        try audio(1024), at: .zero, track: 1, isLast: false)
    else {
      Issue.record("not placed")
      return
    }
    #expect(audio.time == MediaTime(value: 1, timescale: 1))
  }
}
