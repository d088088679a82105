import Foundation
import TestSupport
import Testing

/// Sources that pause, change midway or contain what a movie cannot store: what `encode` makes of them, and that
/// it reports this.
@Suite(
  .tags(.judges),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeLossTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ arguments: String, _ name: String) throws {
    try Judges.ffmpeg(arguments.split(separator: " ").map(String.init) + [folder.path(name)])
  }

  private func encode(
    _ name: String, _ arguments: String..., status: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) throws -> (output: String, notes: [String]) {
    let output = folder.path("\(UUID().uuidString).mov")
    let run = try Recordctl(
      ["encode", folder.path(name), "-o", output, "--codec", "proxy", "--json"] + arguments)
    #expect(run.status == status, "\(run.errors)\(run.output)", sourceLocation: location)
    let json = try #require(try run.json() as? [String: Any])
    let notes = (json["notes"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
    return (output, notes)
  }

  /// The samples of an audio track, mixed to one channel.
  ///
  /// - Parameter rate: In samples per second; nil for the track's own rate.
  private func samples(_ movie: String, track: Int, rate: Int? = nil) throws -> [Int16] {
    let bytes = try Judges.ffmpeg(
      ["-i", movie, "-map", "0:a:\(track)", "-ac", "1"]
        + (rate.map { ["-ar", "\($0)"] } ?? []) + ["-f", "s16le", "-"])
    return bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
    }
  }

  // MARK: Pauses

  struct Pause: Sendable {
    var container: String
    var video: String
    var audio: String
    var rate: Int
    /// The second at which the audio resumes.
    var end: Int
  }

  static let pauses = [
    Pause(container: "ts", video: "mpeg2video", audio: "mp2", rate: 25, end: 25),
    // A low frame rate, because only the duration matters.
    Pause(container: "mkv", video: "ffv1", audio: "pcm_s16le", rate: 5, end: 75),
  ]

  /// The second track is silent for longer than a jump of its time stamps may be.
  @Test(arguments: pauses, [false, true])
  func a_pause_in_an_audio_track_keeps_its_duration(
    pause: Pause, isConformed: Bool
  ) throws {
    let name = "a.\(pause.container)"
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=\(pause.rate):d=\(pause.end + 5) "
        + "-f lavfi -i sine=200:r=48000:d=\(pause.end + 5) "
        + "-f lavfi -i sine=440:r=48000:d=\(pause.end + 5) -map 0 -map 1 -map 2 "
        + "-filter:a:1 aselect='lt(t,3)+gte(t,\(pause.end))' "
        + "-c:v \(pause.video) -c:a \(pause.audio)",
      name)
    let output = folder.path("out.mov")
    let conforming = isConformed ? ["--conform", pause.rate == 25 ? "24" : "4.8"] : []
    let run = try Recordctl(
      ["encode", folder.path(name), "-o", output, "--codec", "proxy", "--json"] + conforming)
    #expect(run.status == 0, "\(run.errors)\(run.output)")
    // A lower sample rate, because the tests are built without optimization.
    let audio = try samples(output, track: 1, rate: 8000)
    let speed = isConformed ? 25.0 / 24 : 1
    let (quiet, loud) = (Int(10 * 8000 * speed), Int(Double(pause.end) * 8000 * speed))
    let start = try #require(audio[quiet...].firstIndex { $0.magnitude > 200 })
    // A frame of MPEG audio has 1152 samples at 48 kHz, and audio is selected by frames.
    #expect((start - loud).magnitude < 420, "\(start) for \(loud)")
    #expect(audio[(loud + 700)..<(loud + 700 + 16_000)].contains { $0.magnitude > 1000 })
  }

  @Test func a_frame_held_for_minutes_is_repeated() throws {
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=5:d=102 -vf select='lt(t,1)+gte(t,101)' -fps_mode "
        + "passthrough -c:v ffv1", "a.mkv")
    let result = try encode("a.mkv")
    #expect(try Judges.videoStream(result.output)["nb_frames"] == "510")
    #expect(result.notes.contains { $0.contains("500 frames repeated") }, "\(result.notes)")
  }

  @Test func conformed_audio_with_millisecond_timestamps_has_no_gaps() throws {
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -f lavfi -i sine=440:r=44100:d=2 -c:v ffv1 -c:a "
        + "flac", "a.mkv")
    let result = try encode("a.mkv", "--conform", "24")
    let audio = try samples(result.output, track: 0)
    let middle = audio[2000..<audio.count - 6000]
    // A sine of some 420 Hz is near zero for only a sample or two.
    var (longest, run) = (0, 0)
    for sample in middle {
      run = sample.magnitude < 20 ? run + 1 : 0
      longest = max(longest, run)
    }
    #expect(longest < 4)
  }

  // MARK: Changes midway

  @Test func changes_of_scan_aspect_and_color_are_reported_with_their_time() throws {
    let frames = "-f lavfi -i testsrc2=s=352x288:r=25:d=1 -c:v mpeg2video -q:v 3 "
    // Older FFmpeg versions use the encoder's options, newer ones the frames' properties.
    try make(
      frames + "-vf setparams=color_primaries=bt709:color_trc=bt709 -aspect 4:3 "
        + "-color_primaries bt709 -color_trc bt709", "first.ts")
    try make(
      frames
        + "-vf setfield=tff,setparams=color_primaries=bt470bg:color_trc=bt709 -flags +ildct+ilme "
        + "-aspect 16:9 -color_primaries bt470bg -color_trc bt709", "second.ts")
    let joined =
      try Data(contentsOf: folder.url("first.ts")) + Data(contentsOf: folder.url("second.ts"))
    try joined.write(to: folder.url("a.ts"))
    let result = try encode("a.ts", status: 3)
    for words in [
      "field order changes to interlaced, top field first at 1 s",
      "pixel aspect ratio changes to",
      "color changes to",
    ] {
      #expect(
        result.notes.contains { $0.contains(words) && $0.contains("25 of them wrongly") },
        "\(words): \(result.notes)")
    }
    #expect(try Judges.videoStream(result.output)["nb_frames"] == "50")
    let reported = try encode("a.ts", "--scan", "tff", "--sar", "1:1", status: 3)
    #expect(
      !reported.notes.contains { $0.contains("field order changes") || $0.contains("aspect") })
  }

  // MARK: What a movie cannot store

  @Test func clipped_audio_above_full_scale_is_reported() throws {
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=1 -f lavfi -i "
        + "aevalsrc=if(eq(mod(n\\,4800)\\,0)\\,2\\,0.9):s=48000:d=1 -c:v ffv1 -c:a pcm_f32le",
      "a.mkv")
    let result = try encode("a.mkv")
    #expect(
      result.notes.contains { $0.contains("10 samples above full scale, up to 6.02 dB, clipped") },
      "\(result.notes)")
    #expect(try samples(result.output, track: 0)[4800] == .max)
  }

  @Test func ogg_stream_tags_are_kept_and_program_tags_reported() throws {
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -f lavfi -i sine=d=0.4 -c:v libtheora -c:a "
        + "libvorbis -metadata:s:v title=Rain -metadata:s:v artist=Joris", "a.ogv")
    let ogg = try encode("a.ogv")
    let tags = try Judges.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", ogg.output]
    ).output
    #expect(tags.contains("title=Rain") && tags.contains("artist=Joris"), "\(tags)")
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -c:v mpeg2video -metadata service_name=Nine", "a.ts")
    #expect(
      try encode("a.ts").notes.contains {
        $0.contains("tags dropped") && $0.contains("service_name")
      })
  }

  @Test func dropped_track_tags_are_reported_by_name() throws {
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -c:v ffv1 -metadata title=Whole "
        + "-metadata:s:v:0 title=Left -metadata:s:v:0 LENS=35mm -metadata:s:v:0 reel_name=A001",
      "tagged.mkv")
    let notes = try encode("tagged.mkv").notes
    #expect(notes == ["tags dropped: LENS of video track 1"])
  }

  @Test func transparency_in_a_palette_is_reported() throws {
    for alpha in ["255", "if(gt(X,30),255,0)"] {
      let name = alpha.count > 3 ? "clear" : "solid"
      try Judges.ffmpeg([
        "-f", "lavfi", "-i",
        "testsrc2=s=64x64:r=25:d=0.2,format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='\(alpha)',"
          + "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse",
        "-pix_fmt", "pal8", "-c:v", "png", folder.path("\(name).mov"),
      ])
      let result = try encode("\(name).mov")
      #expect(
        result.notes.contains("alpha channel dropped") == (name == "clear"), "\(result.notes)")
    }
  }

  /// FFmpeg writes neither, so the test inserts them into an elementary stream (ISO/IEC 13818-2, 6.2.2.4; ETSI TS
  /// 101 154, B.3).
  @Test func dropped_active_formats_and_pan_scan_are_reported() throws {
    try make(
      "-f lavfi -i testsrc2=s=352x288:r=25:d=0.4 -c:v mpeg2video -g 1 -bf 0 "
        + "-color_primaries bt709", "a.m2v")
    let plain = [UInt8](try Data(contentsOf: folder.url("a.m2v")))
    func places(_ mark: [UInt8]) -> [Int] {
      (0..<plain.count - mark.count).filter { plain[$0..<$0 + mark.count].elementsEqual(mark) }
    }
    // 10 is centered 16:9, 8 is the full frame.
    for code: UInt8 in [10, 8] {
      var stream = plain
      for slice in places([0, 0, 1, 1]).reversed() {
        stream.insert(
          contentsOf: [0, 0, 1, 0xB2] + Array("DTG1".utf8) + [0x41, 0xF0 | code], at: slice)
      }
      try Data(stream).write(to: folder.url("\(code).m2v"))
      #expect(
        try encode("\(code).m2v").notes.contains("active format description dropped")
          == (code == 10))
    }
    #expect(try !encode("a.m2v").notes.contains("pan-scan rectangle dropped"))
    // A sequence display extension without color, before each group: 264 of 352 pixels are shown.
    let size = UInt32(264) << 18 | 1 << 17 | UInt32(288) << 3
    let shown: [UInt8] =
      [0, 0, 1, 0xB5, 0x2A] + (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) }
    var stream = plain
    for group in places([0, 0, 1, 0xB8]).reversed() { stream.insert(contentsOf: shown, at: group) }
    try Data(stream).write(to: folder.url("pan.m2v"))
    #expect(try encode("pan.m2v").notes.contains("pan-scan rectangle dropped"))
  }

  @Test(arguments: ["mjpeg", "h264"]) func the_assumed_rate_of_an_elementary_stream_is_reported(
    form: String
  ) throws {
    try make(
      "-f lavfi -i testsrc2=s=64x64:r=50:d=0.4 -pix_fmt yuvj420p -c:v "
        + "\(form == "h264" ? "libx264" : form) -f \(form)", "a.\(form)")
    let result = try encode("a.\(form)")
    let rate = try Judges.videoStream(result.output)["r_frame_rate"]
    #expect(
      result.notes.contains { $0.contains("no timestamps; 25 frames per second are assumed") }
        == (rate == "25/1"), "\(result.notes)")
  }

  @Test func a_y4m_without_a_field_order_is_reported() throws {
    try make("-f lavfi -i testsrc2=s=720x576:r=25:d=0.2 -pix_fmt yuv422p", "a.y4m")
    let whole = try Data(contentsOf: folder.url("a.y4m"))
    let place = try #require(whole.range(of: Data(" Ip ".utf8)))
    var open = whole
    open.replaceSubrange(place, with: Data(" I? ".utf8))
    try open.write(to: folder.url("open.y4m"))
    let words = "does not say its field order"
    #expect(try encode("open.y4m").notes.contains { $0.contains(words) })
    #expect(try !encode("a.y4m").notes.contains { $0.contains(words) })
  }

  @Test func unknown_reader_keys_are_refused() throws {
    try make("-f lavfi -i testsrc2=s=64x64:r=25:d=0.2 -c:v ffv1", "a.mkv")
    try Recordctl(["encode", folder.path("a.mkv") + "?feilds=tff", "-o", folder.path("x.mov")])
      .expectRefusal(naming: "unknown key 'feilds'", "did you mean 'fields'")
  }
}
