import AssetReader
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// Damage outside the in and out points is not the movie's, and points count from the source's beginning.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct ChosenRangeTests {
  private let folder: TemporaryFolder
  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  /// A hundred frames, each two codes brighter than the one before.
  private func source(_ codec: String, _ name: String) throws -> String {
    try Judges.ffmpeg(
      "-f lavfi -i color=black:s=64x64:r=25:d=4,format=yuv420p,geq=lum=20+2*N:cb=128:cr=128 -c:v "
        + "\(codec) \(folder.path(name))")
    return folder.path(name)
  }

  /// The luma of each frame.
  private func levels(_ path: String) throws -> [Int] {
    let codes = try Judges.decode(path, pixelFormat: "yuv422p10le")
    return stride(from: 0, to: codes.count, by: 64 * 64 * 2).map { Int(codes[$0 + 64 * 32 + 32]) }
  }

  private func choose(
    _ start: String, _ end: String
  ) -> (inout AssetExportSession) -> Void {
    { session in
      session.edit.start = ExportPoint(start)
      session.edit.end = ExportPoint(end)
    }
  }

  /// Expects the same luma within the tolerance of encoding.
  private func expect(
    _ levels: [Int], _ wanted: some Collection<Int>, at location: SourceLocation = #_sourceLocation
  ) {
    let isSame = levels.count == wanted.count && zip(levels, wanted).allSatisfy { abs($0 - $1) < 3 }
    #expect(isSame, "\(levels) for \(Array(wanted))", sourceLocation: location)
  }

  @Test func in_and_out_points_count_undecodable_frames() async throws {
    let input = try source("mjpeg -q:v 2", "broken.mov")
    _ = try await rig.encode(input)
    let all = try levels(folder.path("whole.mov"))
    try rig.damage(input, "v:0", [0, 1, 2])
    // None of them is in the selected range.
    let notes = try await rig.reported(input, isRepaired: false, editing: choose("10f", "25f"))
    #expect(!notes.contains { $0.contains("decode") }, "\(notes)")
    expect(try levels(folder.path("whole.mov")), all[10..<25])
    let lost = try await rig.reported(input, isRepaired: true, editing: choose("1f", "0.64s"))
    #expect(lost.contains("2 frames do not decode, the first at 0 s, and are left out"), "\(lost)")
    expect(try levels(folder.path("whole.mov")), all[3..<16])
    let error = await #expect(throws: (any Error).self) {
      _ = try await rig.encode(input, editing: choose("0f", "3f"))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("the first that does is frame 3"))
  }

  @Test func an_undecodable_frame_at_the_in_point_is_reported_at_the_start()
    async throws
  {
    let input = try source("mjpeg -q:v 2", "broken.mov")
    // Among the four frames that the plan decodes of such a short source.
    try rig.damage(input, "v:0", [2])
    let notes = try await rig.reported(input, isRepaired: true, editing: choose("2f", "25f"))
    #expect(notes.contains("1 frame does not decode, at 0 s, and is left out"), "\(notes)")
  }

  @Test func initial_frames_that_decoders_drop_are_reported_and_counted() async throws {
    let long = try source("mpeg2video -bf 2 -g 12 -q:v 2", "long.ts")
    let input = folder.path("cut.ts")
    try Judges.ffmpeg("-ss 0.6 -i \(long) -c copy \(input)")
    let notes = try await rig.reported(input, isRepaired: true)
    #expect(
      notes.contains("2 frames do not decode, the first at 0 s, and are left out"), "\(notes)")
    let all = try levels(folder.path("whole.mov"))
    let rest = try await rig.reported(input, isRepaired: false, editing: choose("12f", "27f"))
    #expect(!rest.contains { $0.contains("decode") }, "\(rest)")
    expect(try levels(folder.path("whole.mov")), all[10..<25])
  }

  @Test func undecodable_frames_outside_the_range_are_ignored() async throws {
    let input = try source("mjpeg -q:v 2", "broken.mov")
    try rig.damage(input, "v:0", [35, 39, 70, 80])
    _ = try await rig.reported(input, isRepaired: false, editing: choose("40f", "70f"))
    for (start, end) in [("39f", "70f"), ("40f", "71f")] {
      let whole = try await rig.encode(input, editing: choose(start, end))
      #expect(whole.framesUndecoded == 1 && whole.wasRepaired, "\(whole.notes)")
    }
  }

  @Test func undecodable_audio_outside_the_range_is_ignored() async throws {
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=4 -f lavfi -i sine=440:r=48000:d=4 -pix_fmt yuv420p "
        + "-c:v libx264 -preset ultrafast -bf 2 -g 12 -c:a aac -shortest \(folder.path("sound.mp4"))"
    )
    let input = folder.path("sound.mp4")
    // Packets of 21 ms: before 1.1 s and after 3.2 s.
    try rig.damage(input, "a:0", [1, 50, 155, 156], with: 0xFF)
    let notes = try await rig.reported(input, isRepaired: false, editing: choose("2s", "3s"))
    #expect(!notes.contains { $0.contains("decode") }, "\(notes)")
    let rest = try await rig.reported(input, isRepaired: true, editing: choose("1s", "3s"))
    #expect(
      rest.contains("audio track 1: 1 packet does not decode, and is left out"), "\(rest)")
  }

  @Test func missing_data_outside_the_range_is_ignored() async throws {
    var bytes: [UInt8] = []
    for second in 0..<2 {
      // The second continues where the first one ends.
      let name = "\(second).ts"
      try Judges.ffmpeg(
        "-f lavfi -i testsrc2=s=192x128:r=25:d=1 -pix_fmt yuv420p -c:v libx264 -preset ultrafast -bf 0 "
          + "-g 10 -output_ts_offset \(second) \(folder.path(name))")
      var packets = try folder.bytes(name)
      // Transport packets are counted modulo 16; with this offset, some seem to be missing between the two.
      for place in stride(from: 3, to: packets.count, by: 188) {
        packets[place] = packets[place] & 0xF0 | (packets[place] + UInt8(5 * second)) & 0x0F
      }
      bytes += packets
    }
    let input = try folder.write(bytes, "joined.ts").path
    let words = "the source lacks data at 1 place"
    #expect(try await rig.reported(input, isRepaired: true).contains(words))
    for (start, end) in [("0f", "20f"), ("35f", "50f")] {
      let notes = try await rig.reported(input, isRepaired: false, editing: choose(start, end))
      #expect(!notes.contains(words), "\(start): \(notes)")
    }
  }

  private func mark(_ frame: Int64, of track: AssetTrack.ID = 0, sync: Bool = false) -> PacketMark {
    PacketMark(
      trackID: track, time: MediaTime(value: frame, timescale: 25), isSync: sync, isBroken: !sync)
  }

  @Test func damage_before_the_in_point_counts_if_frames_may_refer_to_it() {
    let half = MediaTime(value: 1, timescale: 50)
    func count(_ marks: [PacketMark], from start: Int64? = 15) -> Int {
      var damage = SourceDamage(video: 0, packets: PacketWatch(video: 0))
      damage.begin(
        in: ChosenRange(
          start: start.map { MediaTime(value: $0, timescale: 25) },
          end: MediaTime(value: 30, timescale: 25), slack: half))
      for mark in marks { damage.take(mark, at: mark.time) }
      return damage.count
    }
    let begin = [mark(0, sync: true), mark(5), mark(10, sync: true)]
    #expect(count(begin) == 0)
    #expect(count(begin + [mark(12)]) == 1)
    #expect(count(begin + [mark(12), mark(15, sync: true)]) == 0)
    #expect(count(begin + [mark(12), mark(15), mark(20, sync: true)]) == 2)
    // It is decoded after the sync frame but shown before it.
    #expect(count(begin + [mark(9)]) == 0)
    #expect(count(begin + [mark(12, of: 1), mark(20, of: 1), mark(30), mark(31, of: 1)]) == 1)
    #expect(count(begin + [mark(12)], from: nil) == 2)
  }

  @Test func times_after_a_timestamp_jump_follow_those_of_the_frames() {
    func time(_ frame: Int64) -> MediaTime { MediaTime(value: frame, timescale: 25) }
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: true)
    #expect(timeline.place(of: time(7)) == time(7) && timeline.place(of: .invalid) == nil)
    for frame in 0..<1000 { _ = timeline.place(frame: time(Int64(frame))) }
    #expect(timeline.place(of: time(1003)) == time(1003))
    #expect(timeline.place(of: time(2)) == time(999) && timeline.place(of: .invalid) == time(999))
    _ = timeline.place(frame: time(0))
    #expect(timeline.partCount == 2 && timeline.place(of: time(2)) == time(1002))
  }

  /// Twenty samples of the first of two channels exceed full scale.
  @Test func clipping_outside_the_range_or_in_unused_channels_is_not_reported()
    async throws
  {
    let input = folder.path("loud.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-f", "lavfi", "-i",
      "aevalsrc=if(eq(mod(n\\,4800)\\,0)\\,2\\,0.5)|0.5:s=48000:d=2", "-c:v", "mjpeg", "-c:a",
      "pcm_f32le", input,
    ])
    func clipped(_ edit: (inout AssetExportSession) -> Void = { _ in }) async throws -> [String] {
      try await rig.encode(input, editing: edit).notes.map(\.message)
        .filter { $0.contains("above full scale") }
    }
    let words = "samples above full scale, up to 6.02 dB, clipped"
    #expect(try await clipped() == ["audio track 1: 20 \(words)"])
    // From 0.4 s to 1.4 s.
    #expect(try await clipped(choose("10f", "35f")) == ["audio track 1: 10 \(words)"])
    let second = try #require(AudioSelection("1:2"))
    #expect(try await clipped { $0.edit.audio = second }.isEmpty)
  }
}
