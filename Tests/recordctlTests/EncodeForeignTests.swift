import Foundation
import TestSupport
import Testing

/// Peculiarities of files from phones and the web, checked with ffprobe and ffmpeg.
@Suite(
  .tags(.judges),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeForeignTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func encode(
    _ name: String, status: Int32 = 0
  ) throws -> (output: String, notes: [String]) {
    let output = folder.path("\(name).mov")
    let run = try Recordctl(["encode", folder.path(name), "-o", output, "--json"])
    #expect(run.status == status, "\(run.errors)\(run.output)")
    let json = try #require(try run.json() as? [String: Any])
    let notes = (json["notes"] as? [[String: Any]] ?? []).compactMap { $0["message"] as? String }
    return (output, notes)
  }

  /// VP8 and VP9 keep alpha in a separate stream beside the frames.
  @Test(arguments: ["libvpx-vp9", "libvpx"]) func alpha_of_webm_is_kept(encoder: String) throws {
    let encoders = try Judges.run("ffmpeg", ["-hide_banner", "-encoders"]).output
    guard encoders.contains(encoder) else {
      try Test.cancel("this FFmpeg has no \(encoder)")
    }
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-vf",
      "format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='X*255/W',format=yuva420p", "-c:v",
      encoder,
      "-auto-alt-ref", "0", "-b:v", "1M", folder.path("a.webm"),
    ])
    let result = try encode("a.webm")
    #expect(try Judges.videoStream(result.output)["codec_tag_string"] == "ap4h")
    // FFmpeg's native VP8 and VP9 decoders ignore alpha.
    func means(_ input: [String]) throws -> [UInt8] {
      let filters = "alphaextract,scale=2:1:flags=area,format=gray"
      return [UInt8](
        try Judges.run(
          "ffmpeg",
          ["-v", "error"] + input + ["-vf", filters, "-frames:v", "1", "-f", "rawvideo", "-"]
        ).data)
    }
    let wanted = try means(["-c:v", encoder, "-i", folder.path("a.webm")])
    let found = try means(["-i", result.output])
    #expect(wanted.count == 2 && wanted[1] > 3 * wanted[0], "\(wanted)")
    #expect(zip(wanted, found).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(wanted) \(found)")
  }

  @Test(arguments: ["mp4", "mkv"]) func the_containers_pixel_aspect_ratio_is_used(container: String)
    throws
  {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x240:r=25:d=0.4,setsar=1", "-c:v", "libx264", "-pix_fmt",
      "yuv420p", folder.path("plain.mp4"),
    ])
    let name = "wide.\(container)"
    try Judges.ffmpeg(
      ["-i", folder.path("plain.mp4"), "-c", "copy", "-aspect", "16:9", folder.path(name)])
    #expect(try Judges.videoStream(folder.path(name))["sample_aspect_ratio"] == "4:3")
    #expect(try Judges.videoStream(encode(name).output)["sample_aspect_ratio"] == "4:3")
  }

  @Test func millisecond_timestamps_do_not_double_the_rate() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=4", "-c:v", "flv", folder.path("a.flv"),
    ])
    let result = try encode("a.flv")
    let stream = try Judges.videoStream(result.output)
    #expect(stream["r_frame_rate"] == "30/1" && stream["nb_frames"] == "120", "\(stream)")
  }

  /// A burst at 60 fps between slow stretches: at the mean rate, some 17 fps, its frames would not fit.
  @Test func variable_rate_frames_keep_their_timing() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=60:d=6", "-vf",
      "select='between(t,2,3)+not(mod(n,6))',setpts=PTS", "-fps_mode", "vfr", "-c:v", "libx264",
      "-bf", "0", "-pix_fmt", "yuv420p", folder.path("vfr.mp4"),
    ])
    let result = try encode("vfr.mp4")
    let count = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets", "-of",
        "csv=p=0",
      ]
        + [folder.path("vfr.mp4")])
    let frames = try #require(Int(count.output.split(whereSeparator: \.isWhitespace).first ?? ""))
    let rate = try Judges.videoStream(result.output)["r_frame_rate"]
    #expect(rate == "60/1", "\(rate ?? "")")
    #expect(
      result.notes.contains { $0.contains("repeated, as the movie has 60 fps") }, "\(result.notes)")
    // Every frame of the source is present.
    let distinct = try Judges.run(
      "ffmpeg",
      [
        "-v", "error", "-i", result.output, "-vf", "mpdecimate=hi=64:lo=32:frac=0.01", "-f",
        "framehash", "-",
      ]
    ).output.split(separator: "\n").filter { !$0.hasPrefix("#") }.count
    #expect(abs(distinct - frames) <= 2, "\(distinct) of \(frames)")
  }

  @Test func two_letter_languages_and_dates_with_spaces_are_understood() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-f", "lavfi", "-i",
      "sine=d=0.4:r=48000", "-c:v", "ffv1", "-c:a", "flac", "-metadata:s:a:0", "language=en",
      "-metadata", "DATE_RECORDED=2012-09-10 20:52:00", folder.path("a.mkv"),
    ])
    let result = try encode("a.mkv")
    #expect(try Judges.stream(result.output, "a:0")["TAG:language"] == "eng")
    #expect(result.notes.contains { $0.contains("no time zone") }, "\(result.notes)")
    let tags = try Judges.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", result.output]
    ).output
    #expect(tags.contains("creationdate=2012-09-10T20:52:00"), "\(tags)")
    #expect(tags.contains("creation_time=2012-09-10T20:52:00"), "\(tags)")
  }

  /// Audio that continues after the video is kept, and is not reported as a fault of the movie.
  @Test func audio_longer_than_the_video_is_kept_in_a_valid_movie() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-f", "lavfi", "-i",
      "sine=d=1:r=48000", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le",
      folder.path("long.mov"),
    ])
    let result = try encode("long.mov")
    #expect(try Judges.stream(result.output, "a:0")["duration_ts"] == "48000")
    let run = try Recordctl(["verify", result.output])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("longer than the video"))
  }

  /// An H.264 picture timing message (ITU-T H.264, D.1.3) with a full time stamp and without decoder buffer
  /// delays, as a NAL unit of a byte stream.
  private func timing(_ hours: Int, _ minutes: Int, _ seconds: Int, _ frame: Int) -> Data {
    let fields = [
      // A progressive frame with one clock timestamp: pic_struct, flag, ct_type, nuit_field_based_flag,
      // counting_type.
      (4, 0), (1, 1), (2, 0), (1, 1), (5, 4),
      // A full timestamp without discontinuity or dropped frame.
      (1, 1), (1, 0), (1, 0), (8, frame), (6, seconds), (6, minutes), (5, hours),
      // A time offset that is ignored; it has no zeros that would need emulation prevention.
      (24, 0x55_5555), (7, 0x40),
    ]
    var bits: [UInt8] = []
    for (count, value) in fields {
      bits += (0..<count).reversed().map { UInt8(value >> $0 & 1) }
    }
    let payload = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | $1 }
    }
    return Data([0, 0, 0, 1, 6, 1, UInt8(payload.count)] + payload + [0x80])
  }

  @Test func timecode_at_50_fps_counts_every_frame() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=50:d=0.4", "-c:v", "libx264", "-pix_fmt",
      "yuv420p", "-bf", "0", "-x264-params", "pic-struct=1", folder.path("plain.h264"),
    ])
    var stream = try Data(contentsOf: folder.url("plain.h264"))
    // The first frame's own message, without a time stamp: pic_struct and a zero bit.
    let plain = try #require(stream.range(of: Data([0, 0, 1, 6, 1, 1])))
    let end = try #require(
      stream.range(of: Data([0, 0, 1]), in: plain.upperBound..<stream.endIndex))
    stream.replaceSubrange(plain.lowerBound..<end.lowerBound, with: timing(10, 11, 12, 37))
    try stream.write(to: folder.url("timed.h264"))
    try Judges.ffmpeg([
      "-r", "50", "-i", folder.path("timed.h264"), "-c", "copy", folder.path("a.mp4"),
    ])
    let result = try encode("a.mp4")
    #expect(try Judges.videoStream(result.output)["r_frame_rate"] == "50/1")
    #expect(try Judges.timecode(result.output) == "10:11:12:37", "\(result.notes)")
  }

  /// Mirroring matrices, and the quarters of a frame (1 2 / 3 4) as a player shows them.
  private static let mirrors: [([Int32], [Int])] = [
    ([-1, 0, 0, 1], [2, 1, 4, 3]), ([0, 1, 1, 0], [1, 3, 2, 4]), ([0, 1, -1, 0], [3, 1, 4, 2]),
  ]
  private static let moreMirrors: [([Int32], [Int])] = [
    ([1, 0, 0, -1], [3, 4, 1, 2]), ([0, -1, -1, 0], [4, 2, 3, 1]), ([-1, 0, 0, -1], [4, 3, 2, 1]),
  ]

  @Test(arguments: TestRun.arguments(mirrors, extended: moreMirrors))
  func mirrored_frames_match_what_a_player_shows(matrix: [Int32], wanted: [Int]) throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:s=320x320:r=25:d=0.2,format=gray,geq=lum='50*(1+gt(X,159)+2*gt(Y,159))',"
        + "format=yuv420p",
      "-c:v", "libx264", "-qp", "10", folder.path("plain.mp4"),
    ])
    var movie = try Data(contentsOf: folder.url("plain.mp4"))
    let header = try #require(movie.range(of: Data("tkhd".utf8)))
    // The matrix follows version, times, number, reserved, duration, layer, group and volume (ISO/IEC 14496-12).
    let place = header.upperBound + 40
    for (index, value) in zip([0, 1, 3, 4], matrix) {
      withUnsafeBytes(of: (value << 16).bigEndian) { bytes in
        movie.replaceSubrange(place + index * 4..<place + index * 4 + 4, with: bytes)
      }
    }
    try movie.write(to: folder.url("mirrored.mp4"))
    let run = try Recordctl([
      "encode", folder.path("mirrored.mp4"), "-o", folder.path("out.mov"), "--rotate", "apply",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let luma = try Judges.decode(folder.path("out.mov"), pixelFormat: "yuv422p10le")
    let quarters = [(80, 80), (240, 80), (80, 240), (240, 240)].map { (x: Int, y: Int) -> Int in
      // Full-range 8-bit codes 50, 100, 150 and 200, in video range.
      let code = Double(luma[y * 320 + x]) / 1023 * 255
      return Int((code / 50).rounded())
    }
    #expect(quarters == wanted)
  }

  @Test func a_dropped_color_profile_is_reported() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "2",
      folder.path("plain_%02d.jpg"),
    ])
    // APP2 after the start of the JPEG image: chunk 1 of 1 of a profile.
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 130)
    let length = profile.count + 2
    let segment = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + profile
    for number in 1...2 {
      var frame = try Data(contentsOf: folder.url("plain_0\(number).jpg"))
      frame.insert(contentsOf: segment, at: 2)
      try frame.write(to: folder.url("a_0\(number).jpg"))
    }
    let notes = try encode("a_%02d.jpg").notes
    #expect(notes.contains("ICC color profile dropped"), "\(notes)")
    let plain = try encode("plain_%02d.jpg").notes
    #expect(!plain.contains { $0.contains("ICC") }, "\(plain)")
    let single = try Recordctl(["encode", folder.path("plain_01.jpg"), "-o", folder.path("b.mov")])
    #expect(single.status != 0 && single.errors.contains("numbered images"), "\(single.errors)")
    #expect(single.errors.count < 400)
  }

  @Test func a_change_of_frame_size_is_refused_with_its_time() throws {
    for (name, size) in [("a.ts", "320x180"), ("b.ts", "640x360")] {
      try Judges.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.4", "-c:v", "mpeg2video",
        folder.path(name),
      ])
    }
    let joined = try ["a.ts", "b.ts"].flatMap { try folder.bytes($0) }
    try folder.write(joined, "joined.ts")
    let run = try Recordctl(["encode", folder.path("joined.ts"), "-o", folder.path("out.mov")])
    #expect(run.status != 0 && !folder.contents.contains("out.mov"))
    #expect(
      run.errors.contains("change from 320x180 to 640x360 pixels at 0."), "\(run.errors)")
  }

  @Test func audio_before_the_first_frame_is_counted() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.6", "-f", "lavfi", "-i",
      "sine=d=1:r=48000", "-filter_complex", "[0]setpts=PTS+0.4/TB[v]", "-map", "[v]", "-map", "1",
      "-fps_mode", "passthrough",
      "-c:v", "libx264", "-bf", "0", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le",
      folder.path("late.mov"),
    ])
    let result = try encode("late.mov")
    #expect(result.notes.contains { $0.contains("19200 samples") }, "\(result.notes)")
  }
}
