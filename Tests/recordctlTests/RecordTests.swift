import Foundation
import TestSupport
import Testing

/// `recordctl record` with the pattern device, checked with ffprobe, ffmpeg and MediaInfo.
///
/// `pace=none` produces frames as fast as they are encoded, so a busy machine drops none.
@Suite(
  .tags(.judges), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct RecordTests {
  let folder: TemporaryFolder
  private let unhurried = "pattern:bars?pace=none"

  init() throws { folder = try TemporaryFolder() }

  private func record(_ arguments: [String], device: String? = nil) throws -> Recordctl {
    try Recordctl(["record", "--device", device ?? unhurried, "--size", "640x360"] + arguments)
  }

  /// The project's showcase command, verbatim.
  @Test(.tags(.network))
  func a_recording_has_the_requested_frames_and_is_valid() throws {
    let file = folder.path("a.mov")
    let run = try Recordctl(
      [
        "record", "--device", "pattern", "--size", "1280x720", "--rate", "29.97", "--codec", "422",
        "--duration", "150f", "--timecode", "01:00:00;00", "-o", "a.mov",
      ], in: folder.url)
    // 3 if the machine was too busy for real time; frames are then repeated, not missing.
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    #expect(run.output.contains("150 frames, 5.00 s"))
    #expect(run.output.contains("01:00:00;00 to 01:00:04;29"))

    let stream = try Judges.videoStream(file)
    #expect(stream["codec_name"] == "prores" && stream["profile"] == "Standard")
    #expect(stream["codec_tag_string"] == "apcn")
    #expect(stream["width"] == "1280" && stream["height"] == "720")
    #expect(stream["r_frame_rate"] == "30000/1001" && stream["avg_frame_rate"] == "30000/1001")
    #expect(stream["nb_frames"] == "150" && stream["start_time"] == "0.000000")
    #expect(stream["pix_fmt"] == "yuv422p10le" && stream["field_order"] == "progressive")
    for key in ["color_space", "color_transfer", "color_primaries"] {
      #expect(stream[key] == "bt709")
      #expect(try Judges.frameValues(file, key) == ["bt709"])
    }
    #expect(try Judges.frameValues(file, "pix_fmt") == ["yuv422p10le"])
    #expect(try Judges.timecode(file) == "01:00:00;00")
    #expect(try Judges.mediaInfo(file, "Other", "%TimeCode_FirstFrame%") == "01:00:00;00")

    let audio = try Judges.stream(file, "a:0")
    #expect(audio["codec_name"] == "pcm_s24le" && audio["sample_rate"] == "48000")
    #expect(audio["bits_per_sample"] == "24" && audio["start_time"] == "0.000000")
    let length = try #require(Double(audio["duration"] ?? ""))
    #expect(abs(length - 150 * 1001 / 30000) <= 0.5 * 1001 / 30000)

    #expect(try Judges.strictDecode(file, of: "ffmpeg").isEmpty)
    #expect(try Judges.mediaInfo(file, "Video", "%Format% %Format_Profile%") == "ProRes 422")
    #expect(try Judges.mediaInfo(file, "Video", "%FrameCount%") == "150")
    #expect(try Judges.mediaInfo(file, "Video", "%FrameRate_Mode%") == "CFR")
    #expect(try Judges.mediaInfo(file, "General", "%IsTruncated%").isEmpty)
    #expect(try Recordctl.isValid(file))
    guard let newer = NewerFFmpeg.path else { try Test.cancel("\(NewerFFmpeg.absence)") }
    #expect(try Judges.strictDecode(file, of: newer).isEmpty)
  }

  @Test func nothing_is_dropped_if_the_device_waits() throws {
    let file = folder.path("a.mov")
    let run = try record(["--rate", "25", "--duration", "2s", "-o", file])
    #expect(run.status == 0, "\(run.errors) \(run.output)")
    #expect(try Judges.videoStream(file)["nb_frames"] == "50")
    #expect(run.output.contains("0 dropped, 0 repeated, 0 damaged"))
  }

  @Test func interlaced_frames_have_their_field_order_everywhere() throws {
    let file = folder.path("a.mov")
    let run = try Recordctl([
      "record", "--device", unhurried, "--preset", "1080i50-422", "--duration", "5f", "-o", file,
    ])
    #expect(run.status == 0, "\(run.errors) \(run.output)")
    let frame = try Judges.firstFrame(file)
    #expect(frame["interlaced_frame"] == "1" && frame["top_field_first"] == "1")
    #expect(try Judges.mediaInfo(file, "Video", "%ScanOrder%") == "TFF")
    #expect(try Recordctl(["verify", file]).output.contains("interlaced, top field first"))
  }

  @Test func dropped_and_damaged_frames_are_reported_with_status_3() throws {
    let file = folder.path("a.mov")
    let run = try record(
      ["--rate", "25", "--duration", "50f", "-o", file, "--json"],
      device: "pattern:bars?pace=none&drop=0.1&damage=0.1&seed=3")
    #expect(run.status == 3)
    let frames = (try run.json() as? [String: Any])?["frames"] as? [String: Any]
    #expect((frames?["dropped"] as? Int ?? 0) > 0 && (frames?["damaged"] as? Int ?? 0) > 0)
    #expect(try Judges.videoStream(file)["nb_frames"] == "50")
    #expect(try Recordctl.isValid(file))
  }

  @Test func a_disconnected_device_leaves_a_valid_movie_with_status_4() throws {
    let file = folder.path("a.mov")
    let run = try record(
      ["--rate", "25", "--duration", "500f", "--on-interruption", "stop", "-o", file],
      device: "pattern:bars?unplug=150")
    #expect(run.status == 4)
    #expect(run.errors.split(separator: "\n").count == 1)
    // Part of these six seconds passes before the recording begins.
    let frames = Int(try Judges.videoStream(file)["nb_frames"] ?? "") ?? 0
    #expect(frames > 0 && frames <= 150)
    #expect(try Recordctl.isValid(file))
  }

  @Test func an_interrupted_recording_is_a_valid_movie() throws {
    let file = folder.path("a.mov")
    let process = try Recordctl.start([
      "record", "--device", "pattern:bars", "--size", "640x360", "--rate", "25", "--codec", "proxy",
      "-o", file,
    ])
    try waitUntil("the movie grows") { Recordctl.size(file) >= 100_000 }
    process.interrupt()
    process.waitForExit()
    #expect([0, 3].contains(process.terminationStatus))
    #expect(Int(try Judges.videoStream(file)["nb_frames"] ?? "") ?? 0 > 1)
    #expect(try Recordctl.isValid(file))
  }

  @Test func a_fallback_is_used_only_if_allowed_and_is_reported() throws {
    let preset = folder.path("p.toml")
    try "[video]\nsize = \"640x360\"\nrate = 25\ntiers = [3]".write(
      toFile: preset, atomically: true, encoding: .utf8)
    let file = folder.path("a.mov")
    let run = try Recordctl([
      "record", "--device", unhurried, "--preset", preset, "--duration", "5f", "-o", file,
    ])
    #expect(run.status == 0, "\(run.errors) \(run.output)")
    #expect(run.errors.contains("tier 3") && run.output.contains("tier 3"))
    #expect(
      try Judges.run("ffprobe", ["-v", "error", "-show_format", file]).output.contains(
        "8-bit 4:2:2"))
  }

  @Test func preset_limits_end_a_recording_with_status_4() throws {
    let preset = folder.path("p.toml")
    try "[video]\nrate = 25\n[limits]\nmax-duration = \"1s\"".write(
      toFile: preset, atomically: true, encoding: .utf8)
    let file = folder.path("a.mov")
    let run = try record(["--preset", preset, "--duration", "50f", "-o", file])
    #expect(run.status == 4)
    #expect(try Judges.videoStream(file)["nb_frames"] == "25")
  }

  @Test func audio_becomes_mono_tracks_if_the_preset_requests_it() throws {
    let preset = folder.path("p.toml")
    try """
    [video]
    size = "640x360"
    rate = 25
    codec = "proxy"
    [audio]
    channels = 4
    layout = "mono"
    sample-format = "int16"
    [metadata]
    "com.apple.quicktime.title" = "Scene 1"
    """.write(toFile: preset, atomically: true, encoding: .utf8)
    let file = folder.path("a.mov")
    let run = try Recordctl([
      "record", "--device", "pattern", "--preset", preset, "--duration", "10f", "-o", file,
    ])
    #expect(run.status == 0 || run.status == 3, "\(run.errors)")
    for track in 0..<4 {
      let audio = try Judges.stream(file, "a:\(track)")
      #expect(audio["codec_name"] == "pcm_s16le" && audio["channels"] == "1")
    }
    #expect(
      try Judges.run("ffprobe", ["-v", "error", "-show_format", file]).output.contains("Scene 1"))
    #expect(try Recordctl.isValid(file))
  }

  @Test func gaps_are_not_filled_at_a_variable_rate() throws {
    let file = folder.path("a.mov")
    let run = try record(
      [
        "--rate", "25", "--duration", "50f", "--codec", "proxy", "--variable", "-o", file, "--json",
      ],
      device: "pattern:bars?pace=none&drop=0.1&seed=3")
    #expect(run.status == 3, "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])
    let frames = try #require(report["frames"] as? [String: Any])
    let dropped = try #require(frames["dropped"] as? Int)
    #expect(dropped > 0 && frames["repeated"] as? Int == 0)
    #expect((report["movie"] as? [String: Any])?["frameCount"] as? Int == 50 - dropped)
    let stream = try Judges.videoStream(file)
    #expect(stream["nb_frames"] == "\(50 - dropped)" && stream["duration"] == "2.000000")
    #expect(try Judges.strictDecode(file).isEmpty)
    let verified = try Recordctl(["verify", file])
    #expect(verified.status == 0 && verified.output.contains("warning: timing"))
  }

  @Test(
    .tags(.slow),
    .enabled(
      if: TestRun.isThorough,
      "real-time playback needs otherwise idle processors"))
  func a_file_is_recorded_with_its_own_audio_and_time_of_day() throws {
    let source = folder.path("in.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-f", "lavfi", "-i",
      "sine=f=440:r=48000:d=2", "-vf", "scale=out_color_matrix=bt709", "-pix_fmt", "yuv422p10le",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-c:v", "v210",
      "-c:a", "pcm_s24le", source,
    ])
    let file = folder.path("a.mov")
    let before = Date()
    let run = try Recordctl([
      "record", "--device", "file:\(source)?pace=none", "--codec", "lt", "-o", file, "--json",
    ])
    #expect(run.status == 0, "\(run.errors) \(run.output)")
    let report = try #require(try run.json() as? [String: Any])
    #expect((report["incidents"] as? [Any])?.isEmpty == true)
    #expect(report["end"] as? String == "sourceEnded")
    #expect(try Judges.videoStream(file)["nb_frames"] == "50")
    #expect(try Judges.frameValues(file, "color_space") == ["bt709"])
    #expect(try Judges.mediaInfo(file, "Video", "%matrix_coefficients%") == "BT.709")
    let audio = try Judges.stream(file, "a:0")
    #expect(audio["duration"] == "2.000000" && audio["channels"] == "1")
    // The samples are identical: the tone was neither shifted nor stretched.
    func samples(_ path: String) throws -> String {
      try Judges.run("ffmpeg", ["-v", "error", "-i", path, "-map", "0:a", "-f", "md5", "-"]).output
    }
    #expect(try samples(file) == samples(source))
    // The timecode is the time of day, to the second.
    let timecode = try #require(try Judges.timecode(file)).split(separator: ":").compactMap {
      Int($0)
    }
    try #require(timecode.count == 4)
    let clock = Calendar.current.dateComponents([.hour, .minute, .second], from: before)
    let start = (clock.hour ?? 0) * 3600 + (clock.minute ?? 0) * 60 + (clock.second ?? 0)
    let stamped = timecode[0] * 3600 + timecode[1] * 60 + timecode[2]
    #expect((stamped - start + 86_400) % 86_400 <= 60)
    #expect(try Recordctl.isValid(file))
  }

  @Test func unfinished_takes_in_the_folder_are_reported() throws {
    let killed = folder.path("killed.mov")
    let victim = try Recordctl.start([
      "record", "--device", "pattern", "--size", "640x360", "--codec", "proxy", "-o", killed,
    ])
    // Wait for the first fragments.
    try waitUntil("the movie grows") { Recordctl.size(killed) >= 200_000 }
    kill(victim.processIdentifier, SIGKILL)
    victim.waitForExit()
    let file = folder.path("a.mov")
    let run = try record(["--rate", "25", "--codec", "proxy", "--duration", "5f", "-o", file])
    #expect(run.status == 0)
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.errors.contains("recordctl recover \(killed)"), "\(run.errors)")
    #expect(try Recordctl(["recover", killed]).status == 0)
    #expect(try Recordctl.isValid(killed))
    let next = try record(["--codec", "proxy", "--duration", "5f", "-o", file, "--overwrite"])
    #expect(next.status == 0 && next.errors.isEmpty)
  }

  // MARK: Bad input

  @Test func invalid_recordings_are_refused_and_leave_no_file() throws {
    let file = folder.path("a.mov")
    func refused(_ arguments: [String], _ words: String...) throws {
      let run = try Recordctl(["record", "--duration", "2f", "-o", file] + arguments)
      run.expectRefusal()
      for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
      #expect(folder.contents.isEmpty, "\(arguments)")
    }
    try refused(["--device", "/dev/video987"], "/dev/video987")
    try refused(["--device", "pattern:nothing"], "nothing", "bars")
    try refused(["--device", "pattern", "--size", "641x360"], "641x360", "640x360")
    try refused(["--device", "pattern", "--size", "big"], "big", "1920x1080")
    try refused(["--device", "pattern", "--size", "642x360"], "642x360", "its sizes are")
    try refused(["--device", "pattern", "--rate", "fast"], "fast", "29.97")
    try refused(["--device", "pattern", "--rate", "17"], "17", "its rates are")
    try refused(["--device", "pattern", "--duration", "soon"], "soon", "1m30s")
    try refused(["--device", "pattern", "--codec", "h264"], "h264", "proxy")
    try refused(["--device", "pattern", "--preset", "none-such"], "none-such")
    try refused(["--device", "pattern", "--preset", "/etc/hostname"], "/etc/hostname:1:")
    try refused(["--device", "pattern", "--audio", "nothing"], "nothing")
    try refused(["--device", "alsa:hw:99,0"], "alsa:hw:99,0", "choose another one")
    try refused(["--device", "tone"], "audio only", "--audio")
    try refused(["--device", "file:/etc/hostname"], "/etc/hostname", "text file")
    try refused(["--device", "file:/none.mov"], "/none.mov", "no such file")
    try refused(["--device", "webcam"], "webcam", "v4l2")
    try refused(["--device", "pattern", "--encoder", "x264"], "x264", "native")
    try refused(["--device", "pattern", "--timecode", "noon"], "noon", "HH:MM:SS:FF")
    try refused(
      ["--device", "pattern", "--rate", "25", "--timecode", "01:00:00;00"], "01:00:00;00")
  }

  @Test func a_codec_unsupported_by_the_format_is_refused() throws {
    let preset = folder.path("p.toml")
    try "[video]\ntiers = [1]\ncodec = \"4444\"".write(
      toFile: preset, atomically: true, encoding: .utf8)
    try Recordctl([
      "record", "--device", "pattern", "--preset", preset, "--duration", "2f", "-o",
      folder.path("a.mov"),
    ]).expectRefusal(naming: "4444")
    #expect(folder.contents == ["p.toml"])
  }

  @Test func an_unwritable_output_is_refused() throws {
    let file = folder.path("none/a.mov")
    try record(["--duration", "2f", "-o", file]).expectRefusal(naming: "none/a.mov")
    try record(["--duration", "2f", "-o", "/proc/a.mov"]).expectRefusal(naming: "/proc")
    try record(["--duration", "2f", "-o", "/etc/hostname/a.mov"])
      .expectRefusal(naming: "/etc/hostname/a.mov", "Not a directory")
    try record(["--duration", "2f", "-o", "/dev/null", "--overwrite"])
      .expectRefusal(naming: "/dev/null", "not a regular file")
    let mine = folder.path("mine.mov")
    try "mine".write(toFile: mine, atomically: true, encoding: .utf8)
    try record(["--duration", "2f", "-o", mine]).expectRefusal(naming: "mine.mov", "--overwrite")
    #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
    #expect(folder.contents == ["mine.mov"])
  }

  @Test func check_reports_what_would_work() throws {
    let shared = try SharedCheck.get()
    let check = try #require(try shared.run.json() as? [String: Any])
    #expect(check["deviceID"] as? String == "pattern:bars" && check["tier"] as? Int == 1)
    let encoding = check["encoding"] as? [String: Any]
    #expect(encoding?["framesPerSecond"] as? Double ?? 0 > 0)
    #expect((check["disk"] as? [String: Any])?["bytesPerSecond"] as? Double ?? 0 > 0)
    #expect(shared.contents.isEmpty)
    // No file can be written in /proc, so this does not measure the disk.
    let bad = try Recordctl(["check", "--device", "/dev/video987", "--output", "/proc"])
    #expect(bad.status == 2 && bad.output.contains("/dev/video987"))
  }
}
