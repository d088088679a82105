import Foundation
import TestSupport
import Testing

/// What `encode` selects and changes in a source, checked with ffmpeg's decoder to the frame, the sample and the
/// code value.
@Suite(
  .serialized, .tags(.judges),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeEditTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Fifty frames whose luma is the frame number, with audio whose samples count, from 10:00:00:00.
  private func counting(_ name: String = "in.mov", fields: String = "") throws -> String {
    let path = folder.path(name)
    try Judges.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:s=64x64:r=25:d=2,format=yuv422p10le,geq=lum='64+16*N':cb=512:cr=512\(fields)",
      "-f", "lavfi", "-i", "aevalsrc='mod(n,30000)/32768':s=48000:d=2", "-c:v", "v210", "-c:a",
      "pcm_s16le", "-timecode", "10:00:00:00", path,
    ])
    return path
  }

  private func encode(
    _ input: String, _ arguments: String..., status: Int32 = 0
  ) throws -> (path: String, notes: [String]) {
    let output = folder.path("out\(UUID().uuidString).mov")
    let run = try Recordctl(["encode", input, "-o", output, "--json"] + arguments)
    #expect(run.status == status, "\(run.errors)")
    let notes = try (run.objects("notes") ?? []).map {
      "\($0["kind"] ?? "") \($0["subject"] ?? "")"
    }
    return (output, notes)
  }

  /// The number of each frame, from its luma.
  private func numbers(_ path: String) throws -> [Int] {
    let codes = try Judges.decode(path, pixelFormat: "yuv422p10le")
    return stride(from: 0, to: codes.count, by: 64 * 64 * 2).map { frame in
      let luma = Double(codes[frame + 64 * 32 + 32])
      return Int(((luma - 64) / 16).rounded())
    }
  }

  // MARK: In and out

  @Test(
    arguments: TestRun.arguments(
      [("10:00:00:10", "10:00:01:00"), ("0.4s", "1")],
      extended: [("10f", "25f"), ("0:00.4", "00:00:01")]))
  func in_and_out_points_are_frame_and_sample_accurate(start: String, end: String) throws {
    let result = try encode(try counting(), "--in", start, "--out", end)
    #expect(try numbers(result.path) == Array(10..<25))
    #expect(try Judges.timecode(result.path) == "10:00:00:10")
    let audio = try Judges.decodeAudio(result.path).map { $0 >> 16 }
    #expect(audio.count == 28_800 && audio.first == 19_200 && audio.last == 47_999 - 30_000)
    #expect(try Recordctl.isValid(result.path))
  }

  @Test func invalid_in_and_out_points_are_refused() throws {
    let input = try counting()
    let output = folder.path("out.mov")
    try Recordctl(["encode", input, "-o", output, "--in", "09:00:00:00"])
      .expectRefusal(naming: "09:00:00:00", "10:00:00:00")
    try Recordctl(["encode", input, "-o", output, "--in", "5s"])
      .expectRefusal(naming: "in point")
    try Recordctl(["encode", input, "-o", output, "--in", "1s", "--out", "1s"])
      .expectRefusal(naming: "empty")
    try Recordctl(["encode", input, "-o", output, "--in", "soon"]).expectRefusal(naming: "soon")
    try Recordctl(["encode", input, "-o", output, "--out", "1h"]).expectRefusal(naming: "1h")
    #expect(folder.contents == ["in.mov"])
    #expect(try encode(input, "--out", "60s").notes.contains("changed out"))
  }

  // MARK: Rates and fields

  @Test func conforming_keeps_every_frame_and_audio_sync() throws {
    let input = folder.path("click.mov")
    try Judges.ffmpeg([
      "-i", try counting(), "-f", "lavfi", "-i", "aevalsrc='if(eq(n,24000),0.9,0)':s=48000:d=2",
      "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "pcm_s24le", input,
    ])
    let result = try encode(input, "--conform", "24")
    #expect(try numbers(result.path) == Array(0..<50))
    #expect(try Judges.videoStream(result.path)["r_frame_rate"] == "24/1")
    let audio = try Judges.decodeAudio(result.path)
    #expect((audio.count - 100_000).magnitude <= 2)
    let loudest = audio.indices.max { audio[$0].magnitude < audio[$1].magnitude } ?? 0
    #expect((loudest - 25_000).magnitude <= 1)
    #expect(result.notes.contains("changed rate"))
  }

  @Test func changing_the_rate_keeps_the_duration() throws {
    let result = try encode(try counting(), "--rate", "50")
    #expect(try numbers(result.path) == (0..<100).map { $0 / 2 })
    #expect(try Judges.decodeAudio(result.path).count == 96_000)
    #expect(try Judges.timecode(result.path) == "10:00:00:00")
  }

  @Test(arguments: [("frames", 50, "25/1"), ("fields", 100, "50/1")])
  func deinterlacing_turns_fields_into_frames(mode: String, count: Int, rate: String) throws {
    let result = try encode(try counting(), "--scan", "tff", "--deinterlace", mode)
    let stream = try Judges.videoStream(result.path)
    #expect(stream["nb_frames"] == "\(count)" && stream["r_frame_rate"] == rate)
    #expect(stream["field_order"] == "progressive")
    let progressive = try counting("p.mov")
    try Recordctl([
      "encode", progressive, "-o", folder.path("x.mov"), "--scan", "progressive", "--deinterlace",
      "frames",
    ]).expectRefusal(naming: "progressive", "--scan")
  }

  // MARK: Size and shape

  private func white(_ size: String) throws -> String {
    let path = folder.path("white.mkv")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=white:s=\(size):r=25:d=0.2,format=yuv422p10le", "-c:v", "ffv1",
      path,
    ])
    return path
  }

  @Test(arguments: [("fit", 64, 940), ("fill", 940, 940), ("stretch", 940, 940)])
  func a_size_is_fitted_as_requested(fitting: String, corner: Int, middle: Int) throws {
    let result = try encode(
      try white("320x180"), "--size", "256x256", "--fitting", fitting, "--filter", "lanczos")
    let stream = try Judges.videoStream(result.path)
    #expect(stream["width"] == "256" && stream["height"] == "256")
    #expect(["1:1", "N/A", nil].contains(stream["sample_aspect_ratio"]))
    let codes = try Judges.decode(result.path, pixelFormat: "yuv422p10le")
    // FFmpeg's 10-bit white is 943.
    #expect((Int(codes[0]) - corner).magnitude <= 4)
    #expect((Int(codes[128 * 256 + 128]) - middle).magnitude <= 4)
    if fitting == "fit" {
      let rows = (0..<256).filter { codes[$0 * 256 + 128] > 500 }
      #expect(rows.count == 144 && rows.first == 56)
    }
  }

  @Test func cropping_preserves_pixels() throws {
    let path = folder.path("in.mkv")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.2,format=yuv422p10le", "-c:v", "ffv1",
      path,
    ])
    let result = try encode(path, "--size", "160x90", "--fitting", "crop", "--codec", "hq")
    let mine = try Judges.decode(result.path, pixelFormat: "yuv422p10le")
    let cut = folder.path("cut.mkv")
    try Judges.ffmpeg(["-i", path, "-vf", "crop=160:90:80:44", "-c:v", "ffv1", cut])
    #expect(try Judges.psnr(mine, Judges.decode(cut, pixelFormat: "yuv422p10le")) > 40)
  }

  @Test func changing_labels_keeps_the_frame_data() throws {
    let input = try white("320x180")
    let plain = try encode(input)
    let labelled = try encode(input, "--sar", "16:15", "--color", "pq")
    let stream = try Judges.videoStream(labelled.path)
    #expect(stream["sample_aspect_ratio"] == "16:15")
    #expect(stream["color_transfer"] == "smpte2084" && stream["color_space"] == "bt2020nc")
    #expect(try Judges.frameHashes(plain.path) == Judges.frameHashes(labelled.path))
  }

  @Test func a_rotated_source_can_be_rotated_upright() throws {
    let path = folder.path("turned.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.2,format=yuv420p", "-c:v", "libx264",
      "-qp", "4", path,
    ])
    var movie = try Data(contentsOf: URL(filePath: path))
    let header = try #require(movie.range(of: Data("tkhd".utf8)))
    // A quarter turn clockwise: the matrix follows the fields of a version 0 header.
    for (place, value) in zip([0, 4, 12, 16], [0, 1, -1, 0] as [Int32]) {
      let start = header.upperBound + 40 + place
      let word = UInt32(bitPattern: value * 0x1_0000)
      movie.replaceSubrange(
        start..<start + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) })
    }
    try movie.write(to: URL(filePath: path))
    let result = try encode(path, "--rotate", "apply")
    let stream = try Judges.videoStream(result.path)
    #expect(stream["width"] == "180" && stream["height"] == "320")
    #expect(stream["rotation"] == nil && stream["TAG:rotate"] == nil)
    // Chroma is compared at full resolution, because rotated 4:2:0 has a different siting.
    let theirs = try Judges.ffmpeg([
      "-noautorotate", "-i", path, "-vf",
      "scale=in_h_chr_pos=0:in_v_chr_pos=128,format=yuv444p16le,transpose=clock,"
        + "scale=out_h_chr_pos=0,format=yuv422p10le", "-f", "rawvideo", "-",
    ])
    let mine = try Judges.decode(result.path, pixelFormat: "yuv422p10le")
    #expect(Judges.psnr(mine, Judges.words(theirs, as: UInt16.self)) > 48)
  }

  // MARK: Colors and text

  @Test func a_lookup_table_is_applied_to_the_frames() throws {
    let table = folder.path("negative, 'a'.cube")
    var text = "LUT_3D_SIZE 2\n"
    for blue in [1, 0] {
      for green in [1, 0] { for red in [1, 0] { text += "\(red) \(green) \(blue)\n" } }
    }
    try text.write(toFile: table, atomically: true, encoding: .utf8)
    let result = try encode(try counting(), "--lut", table)
    let codes = try Judges.decode(result.path, pixelFormat: "yuv422p10le")
    for frame in [0, 10, 49] {
      let code = Int(codes[frame * 64 * 64 * 2 + 64 * 32 + 32])
      #expect((code - (940 - 16 * frame)).magnitude <= 1, "frame \(frame): \(code)")
    }
    try Recordctl(["encode", try counting("b.mov"), "-o", folder.path("x.mov"), "--lut", "no.cube"])
      .expectRefusal(naming: "no.cube")
    for (name, text, words) in [
      ("short.cube", "LUT_3D_SIZE 2\n0 0 0\n", "1 line of numbers"),
      ("other.3dl", "nonsense\n", "cannot read this look-up table"),
    ] {
      try folder.write(Array(text.utf8), name)
      let refused = try Recordctl([
        "encode", folder.path("b.mov"), "-o", folder.path("x.mov"), "--lut", folder.path(name),
      ])
      refused.expectRefusal(naming: words)
      refused.expectRefusal(naming: folder.path(name))
    }
  }

  @Test func burned_in_text_is_drawn_at_its_position() throws {
    let path = folder.path("gray.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=gray:s=640x360:r=25:d=0.2,format=yuv422p10le", "-c:v", "v210",
      "-timecode", "10:00:00:00", path,
    ])
    let run = try Recordctl([
      "encode", path, "-o", folder.path("out.mov"), "--burn-in", "timecode,name,frame",
    ])
    if run.status != 0, run.errors.lowercased().contains("font") {
      try Test.cancel("no font is installed")
    }
    #expect(run.status == 0, "\(run.errors)")
    let codes = try Judges.decode(folder.path("out.mov"), pixelFormat: "yuv422p10le")
    func varies(_ rows: Range<Int>, _ columns: Range<Int>) -> Bool {
      let seen = rows.flatMap { row in columns.map { codes[row * 640 + $0] } }
      return (seen.max() ?? 0) - (seen.min() ?? 0) > 300
    }
    #expect(varies(320..<350, 240..<400) && varies(10..<40, 10..<80))
    #expect(!varies(100..<250, 0..<640))
    try Recordctl([
      "encode", try white("64x64"), "-o", folder.path("x.mov"), "--burn-in", "timecode",
    ]).expectRefusal(naming: "--timecode")
  }

  // MARK: Audio

  @Test func audio_tracks_and_channels_are_selected_unchanged() throws {
    let path = folder.path("two.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "color=gray:s=64x64:r=25:d=1", "-f", "lavfi", "-i",
      "aevalsrc='mod(n,30000)/32768|0.25':s=48000:d=1", "-f", "lavfi", "-i",
      "aevalsrc='-mod(n,20000)/32768':s=48000:d=1", "-map", "0", "-map", "1", "-map", "2", "-c:v",
      "v210", "-pix_fmt", "yuv422p10le", "-c:a", "pcm_s16le", path,
    ])
    let swapped = try encode(path, "--audio", "2,1:2+1,1:1")
    let first = try Judges.decodeAudio(swapped.path, stream: 0).map { $0 >> 16 }
    #expect(first.count == 48_000 && first[777] == -777)
    let second = try Judges.decodeAudio(swapped.path, stream: 1).map { $0 >> 16 }
    #expect(second[2 * 777] == 8192 && second[2 * 777 + 1] == 777)
    let third = try Judges.decodeAudio(swapped.path, stream: 2).map { $0 >> 16 }
    #expect(third.count == 48_000 && third[777] == 777)
    #expect(try Judges.stream(encode(path, "--audio", "none").path, "a:0").isEmpty)
    try Recordctl(["encode", path, "-o", folder.path("x.mov"), "--audio", "3"])
      .expectRefusal(naming: "no audio track 3", "2")
    try Recordctl(["encode", path, "-o", folder.path("x.mov"), "--audio", "1:3"])
      .expectRefusal(naming: "2 channels")
  }

  // MARK: Images

  @Test(
    arguments: TestRun.arguments(
      [("dpx", "gbrp10be"), ("exr", "gbrpf32le")],
      extended: [("png", "rgb48be"), ("tif", "rgb24")]))
  func an_image_sequence_is_a_source(suffix: String, layout: String) throws {
    let pattern = folder.path("img_%04d.\(suffix)")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.4", "-start_number", "1001", "-pix_fmt",
      layout, pattern,
    ])
    let result = try encode(pattern)
    let stream = try Judges.videoStream(result.path)
    #expect(stream["nb_frames"] == "10" && stream["r_frame_rate"] == "24/1")
    #expect(result.notes.contains("assumed rate"))
    let reported = try encode(pattern + "?rate=29.97&start=1005")
    #expect(try Judges.videoStream(reported.path)["nb_frames"] == "6")
    #expect(try Judges.videoStream(reported.path)["r_frame_rate"] == "30000/1001")
    #expect(!reported.notes.contains("assumed rate"))
    try FileManager.default.removeItem(atPath: folder.path("img_1004.\(suffix)"))
    try Recordctl(["encode", pattern, "-o", folder.path("x.mov")])
      .expectRefusal(naming: "img_1004.\(suffix) is missing", "start=1005")
  }

  @Test func dpx_color_tags_come_from_the_header() throws {
    let pattern = folder.path("img_%02d.dpx")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=128x72:r=25:d=0.08", "-pix_fmt", "gbrp10be", pattern,
    ])
    func tag(_ code: UInt8) throws {
      for number in ["01", "02"] {
        let file = folder.url("img_\(number).dpx")
        var bytes = try Data(contentsOf: file)
        bytes[801] = code
        bytes[802] = code
        try bytes.write(to: file)
      }
    }
    // Linear, which older FFmpeg versions always write.
    try tag(2)
    #expect(try encode(pattern).notes.contains("assumed color"))
    try tag(6)
    let video = try encode(pattern)
    #expect(try Judges.videoStream(video.path)["color_transfer"] == "bt709")
    #expect(!video.notes.contains("assumed color"))
  }
}
