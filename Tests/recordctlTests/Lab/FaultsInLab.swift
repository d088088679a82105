import Foundation
import TestSupport
import Testing

/// What the test driver's error controls do to a recording, frame by frame.
///
/// The reference is the kernel's tracepoint for each buffer it hands out, with frame number and error flag.
extension InLab {
  @Suite struct Faults {
    private static let camera =
      "--device v4l2:platform:vivid-000 --audio none --size 320x180 --rate 5 --codec proxy"

    /// The take's missing and damaged frames in the kernel's trace, counted from its first frame. The take began
    /// somewhere in the traced stream; nil if no start makes the trace agree with the report. Frames that arrived
    /// and that the recorder had no time for do not count as missing.
    private func account(_ take: GuestTake) throws -> (missing: Set<Int>, damaged: Set<Int>)? {
      let length = try take.count("movie.frameCount")
      let damaged = Set(try take.frames("damaged"))
      let missing = Set(try framesLostByDevice(take))
      for (start, first) in take.trace.enumerated() {
        let frames = take.trace[start...].map { ($0.sequence - first.sequence, $0.isDamaged) }
          .filter { $0.0 < length }
        let gone = Set(0..<length).subtracting(frames.map(\.0))
        let broken = Set(frames.filter(\.1).map(\.0))
        if gone == missing, broken == damaged { return (gone, broken) }
      }
      return nil
    }

    private func framesLostByDevice(_ take: GuestTake) throws -> [Int] {
      try take.incidents("dropped").filter { $0.reason != "encoderBusy" && $0.reason != "diskBusy" }
        .flatMap { $0.frame..<$0.frame + $0.count }
    }

    /// Checks that the report's counts match the kernel's and that the movie shows them.
    private func expectExactCounts(
      _ take: GuestTake, location: SourceLocation = #_sourceLocation
    ) throws {
      let trace = take.trace.map { "\($0.sequence)\($0.isDamaged ? "!" : "")" }
      let story =
        "dropped \(try take.frames("dropped")), damaged \(try take.frames("damaged")) of "
        + "\(try take.count("movie.frameCount")); the kernel: \(trace.joined(separator: " "))"
      let found = try account(take)
      let account = try #require(found, "\(story)", sourceLocation: location)
      #expect(try framesLostByDevice(take).count == account.missing.count, sourceLocation: location)
      #expect(try take.count("frames.damaged") == account.damaged.count, sourceLocation: location)
      let empty = Set(try take.frames("dropped"))
      #expect(try take.count("frames.dropped") == empty.count, sourceLocation: location)
      #expect(try take.count("frames.repeated") == empty.count, sourceLocation: location)
      // A repeated frame has the same bytes as the one before it; frames from the device differ because it draws
      // the time into each.
      let sums = try Judges.run(
        "ffmpeg",
        ["-v", "error", "-i", take.file, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-"]
      ).output.split(separator: "\n").filter { !$0.hasPrefix("#") }
        .compactMap { $0.split(separator: ",").last }
      let same = zip(sums, sums.dropFirst()).enumerated().filter { $0.element.0 == $0.element.1 }
        .map { $0.offset + 1 }
      #expect(Set(same) == empty, sourceLocation: location)
    }

    @Test func frames_dropped_by_the_driver_are_counted_exactly() async throws {
      let take = try await GuestTake(
        "drops", "\(Self.camera) --duration 40f",
        feeding: "v4l2-ctl -d0 -c percentage_of_dropped_buffers=30; "
          + "trap 'v4l2-ctl -d0 -c percentage_of_dropped_buffers=0' EXIT", traced: true)
      #expect(take.status == 3, "\(take.errors)")
      #expect(try take.count("movie.frameCount") == 40)
      #expect(try take.count("frames.dropped") > 3)
      try expectExactCounts(take)
      try take.expectValidMovie()
    }

    @Test func frames_damaged_by_the_driver_are_counted_exactly() async throws {
      let damage = "v4l2-ctl -d0 -c inject_v4l2_buf_flag_error=1; sleep 1"
      let take = try await GuestTake(
        "damage", "\(Self.camera) --duration 35f",
        meanwhile: (1...3).map { _ in damage }.joined(separator: "\n"), traced: true)
      #expect(take.status == 3, "\(take.errors)")
      // On a busy machine the last of the three may come after the end; the kernel's trace shows it.
      #expect(try take.count("frames.damaged") >= 1)
      try expectExactCounts(take)
      try take.expectValidMovie()
    }

    @Test func a_disconnected_device_ends_with_status_4_and_a_valid_movie() async throws {
      let take = try await GuestTake(
        "disconnect", "\(Self.camera) --duration 1000f",
        meanwhile: "v4l2-ctl -d0 -c disconnect=1", traced: true)
      #expect(take.status == 4, "\(take.errors)")
      #expect(take.errors.contains("/dev/video0") && take.errors.split(separator: "\n").count == 1)
      #expect(try take.text("end") == "deviceDisconnected")
      try expectExactCounts(take)
      #expect(
        try Judges.videoStream(take.file)["nb_frames"] == "\(try take.count("movie.frameCount"))")
      try take.expectValidMovie()
    }

    @Test func a_fatal_driver_error_ends_with_status_4() async throws {
      let take = try await GuestTake(
        "fatal", "\(Self.camera) --duration 1000f",
        meanwhile: "v4l2-ctl -d0 -c inject_fatal_streaming_error=1", traced: true)
      #expect(take.status == 4, "\(take.errors)")
      #expect(try take.text("end") == "deviceFailed")
      try expectExactCounts(take)
      try take.expectValidMovie()
    }

    @Test func a_busy_device_is_refused_by_name() async throws {
      let busy = """
        v4l2-ctl -d0 --stream-mmap --stream-count=100000 >/dev/null 2>&1 &
        await "the other one" grep -q . <(v4l2-ctl -d0 -V)
        sleep 1
        """
      let take = try await GuestTake("busy", "\(Self.camera) --duration 5f", feeding: busy)
      take.expectRefusal("/dev/video0", "in use")
    }

    @Test func without_a_signal_nothing_is_recorded() async throws {
      let quiet = """
        v4l2-ctl -d1 -c dv_timings_signal_mode=1
        trap 'v4l2-ctl -d1 -c dv_timings_signal_mode=0' EXIT
        """
      let take = try await GuestTake(
        "nothing", "--device /dev/video1 --audio none --codec proxy --duration 5f", feeding: quiet)
      #expect(take.status == 2 || take.status == 1, "\(take.errors)")
      #expect(take.errors.contains("signal") && take.errors.split(separator: "\n").count == 1)
      #expect(!FileManager.default.fileExists(atPath: take.file))
    }

    // 640x480 at 59.94, the smallest signal; the slow machine may lose some of its frames.
    private static let signal =
      "v4l2-ctl -d1 -c dv_timings_signal_mode=4,dv_timings=0 --set-dv-bt-timings query >/dev/null"
    private static let receiver = "--device /dev/video1 --audio none --codec proxy"

    @Test func a_restored_signal_continues_in_a_new_movie() async throws {
      let take = try await GuestTake(
        "back", "\(Self.receiver) --duration 100000f",
        feeding: "\(Self.signal)\ninterruption=new-segment",
        meanwhile: """
          v4l2-ctl -d1 -c dv_timings_signal_mode=1
          await "the end of the first movie" grep -q "back.mov is complete" back.errors
          \(Self.signal)
          await "the second movie" grep -q back-002.mov back.errors
          sleep 1
          pkill -INT -f 'recordctl record'
          """)
      #expect(take.status == 3, "\(take.errors)")
      #expect(try take.text("end") == "signalLost")
      try take.expectValidMovie()
      let others = try take.value("continuations", as: [[String: Any]].self)
      #expect(others.count == 1 && others.first?["end"] as? String == "stopped")
      let second = try GuestTake.movie("back-002")
      #expect(try Recordctl(["verify", second]).status == 0)
      #expect(try Judges.strictDecode(second) == "")
      // The timecode continues across the gap.
      let (before, after) = (try Judges.timecode(take.file), try Judges.timecode(second))
      #expect(before != after)
    }

    @Test(arguments: [
      ("lost", "dv_timings_signal_mode=1", "signalLost"),
      ("unlocked", "dv_timings_signal_mode=2", "signalLost"),
      ("changed", "dv_timings_signal_mode=4,dv_timings=1", "formatChanged"),
    ])
    func a_lost_or_changed_signal_ends_with_status_4(
      _ name: String, _ control: String, _ end: String
    ) async throws {
      let take = try await GuestTake(
        name, "\(Self.receiver) --duration 10000f", feeding: Self.signal,
        meanwhile: "v4l2-ctl -d1 -c \(control)", traced: true)
      #expect(take.status == 4, "\(take.errors)")
      #expect(try take.text("end") == end)
      #expect(take.errors.contains("signal"), "\(take.errors)")
      let stream = try Judges.videoStream(take.file)
      #expect(stream["width"] == "640" && stream["height"] == "480")
      #expect(stream["nb_frames"] == "\(try take.count("movie.frameCount"))")
      try take.expectValidMovie()
      try await LabGuest.run("v4l2-ctl -d1 -c dv_timings_signal_mode=0")
    }
  }
}
