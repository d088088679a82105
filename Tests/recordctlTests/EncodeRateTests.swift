import Foundation
import TestSupport
import Testing

/// A source encoded at another rate: its frames, timecode and audio.
@Suite(.serialized, .tags(.judges), .enabled(if: Judges.arePresent, Judges.absence))
struct EncodeRateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Frames whose luma is the frame number.
  private func counting(
    _ rate: String, count: Int = 100, timecode: String = "01:00:00:00", _ others: [String] = []
  ) throws -> String {
    let path = folder.path("\(UUID().uuidString).mov")
    try Judges.ffmpeg(
      [
        "-f", "lavfi", "-i",
        "color=black:s=64x32:r=\(rate),format=yuv422p10le,geq=lum='64+8*N':cb=512:cr=512",
      ] + others
        + [
          "-frames:v", "\(count)", "-c:v", "v210", "-c:a", "pcm_s24le", "-timecode", timecode, path,
        ])
    return path
  }

  private func encode(
    _ input: String, _ arguments: [String]
  ) throws -> (path: String, notes: [String]) {
    let output = folder.path("out\(UUID().uuidString).mov")
    let run = try Recordctl(["encode", input, "-o", output, "--json"] + arguments)
    #expect(run.status == 0, "\(arguments): \(run.errors)")
    return (output, try (run.objects("notes") ?? []).map { "\($0["message"] ?? "")" })
  }

  /// The number of each frame, from its luma.
  private func numbers(_ path: String) throws -> [Int] {
    let codes = try Judges.decode(path, pixelFormat: "yuv422p10le")
    return stride(from: 0, to: codes.count, by: 64 * 32 * 2).map { frame in
      let code = Double(codes[frame + 64 * 16 + 32])
      return Int(((code - 64) / 8).rounded())
    }
  }

  /// The rates of the source and the movie, as text and as the number of frames in the same time.
  struct Rates: CustomTestStringConvertible, Sendable {
    let source: (text: String, frames: Int)
    let movie: (text: String, frames: Int)

    var testDescription: String { "\(source.text) to \(movie.text)" }

    /// The source frame nearest to the time of each movie frame, the earlier of two; the movie is as long as the
    /// source.
    func nearest(of count: Int) -> [Int] {
      let frames = (2 * count * movie.frames + source.frames) / (2 * source.frames)
      return (0..<max(frames, 1)).map { frame in
        (0..<count).min {
          abs($0 * movie.frames - frame * source.frames)
            < abs($1 * movie.frames - frame * source.frames)
        } ?? 0
      }
    }
  }

  @Test(
    .tags(.slow),
    arguments: TestRun.arguments(
      [
        Rates(source: ("25", 25), movie: ("1", 1)),
        Rates(source: ("60000/1001", 60_000), movie: ("25", 25_025)),
        Rates(source: ("30000/1001", 30_000), movie: ("23.976", 24_000)),
      ],
      extended: [
        Rates(source: ("25", 25), movie: ("10", 10)), Rates(source: ("60", 60), movie: ("24", 24)),
        Rates(source: ("50", 50), movie: ("25", 25)),
      ]))
  func a_lower_rate_uses_the_nearest_frames_from_the_in_point(rates: Rates) throws {
    let input = try counting(rates.source.text)
    let whole = try encode(input, ["--rate", rates.movie.text])
    #expect(try numbers(whole.path) == rates.nearest(of: 100))
    let piece = try encode(input, ["--rate", rates.movie.text, "--in", "15f", "--out", "52f"])
    #expect(try numbers(piece.path) == rates.nearest(of: 37).map { $0 + 15 })
    // The last frame alone, at an integer rate and at a fractional one.
    guard TestRun.isThorough || ["1", "23.976"].contains(rates.movie.text) else { return }
    let one = try encode(input, ["--rate", rates.movie.text, "--in", "99f"])
    #expect(try numbers(one.path) == [99])
  }

  @Test func a_higher_rate_repeats_frames() throws {
    let result = try encode(try counting("24", count: 40), ["--rate", "60"])
    #expect(try numbers(result.path) == (0..<100).map { $0 * 2 / 5 })
  }

  /// A frame that is held longer counts as the repeated frames of a source at a constant rate.
  @Test func a_variable_rate_source_converts_like_a_constant_rate_one() throws {
    let path = folder.path("varying.mkv")
    try Judges.ffmpeg([
      "-i", try counting("25"), "-vf", "select='lt(n,9)+not(mod(n,7))+not(mod(n,5))'", "-fps_mode",
      "passthrough", "-c:v", "ffv1", path,
    ])
    let constant = try encode(path, [])
    for rate in ["1", "5", "10", "50"] {
      let varying = try encode(path, ["--rate", rate])
      #expect(try numbers(varying.path) == numbers(encode(constant.path, ["--rate", rate]).path))
    }
  }

  /// Fields are deinterlaced before frames are chosen.
  @Test func fields_are_selected_like_frames() throws {
    let fields = ["--scan", "tff", "--deinterlace", "fields", "--rate"]
    let input = try counting("25")
    #expect(try numbers(encode(input, fields + ["5"]).path) == (0..<20).map { $0 * 5 })
    #expect(try numbers(encode(input, fields + ["50"]).path).count == 200)
  }

  @Test(arguments: [["--in", "99f"], ["--out", "1f"], ["--in", "5f", "--out", "6f"]])
  func a_single_frame_yields_two_fields(points: [String]) throws {
    let result = try encode(
      try counting("25"), ["--scan", "tff", "--deinterlace", "fields"] + points)
    let stream = try Judges.videoStream(result.path)
    #expect(stream["nb_frames"] == "2" && stream["r_frame_rate"] == "50/1")
    #expect(try Recordctl.isValid(result.path))
  }

  @Test func audio_ends_at_the_out_point_if_the_frame_lasts_longer() throws {
    let input = try counting(
      "25", ["-f", "lavfi", "-i", "aevalsrc='mod(n,30000)/32768':s=48000:d=4"])
    let result = try encode(input, ["--rate", "1", "--in", "5f", "--out", "7f"])
    #expect(try numbers(result.path) == [5])
    let audio = try Judges.decodeAudio(result.path).map { ($0 + 128) >> 16 }
    #expect(audio.count == 3840 && audio.first == 9600 && audio.last == 13_439)
  }

  // MARK: Timecode

  typealias Conversion = (
    rate: String, timecode: String, options: [String], wanted: String, isReported: Bool
  )
  private static let conversions: [Conversion] = [
    ("25", "23:59:00:00", ["--rate", "59.94"], "23:59:00;04", true),
    ("24", "10:01:00:00", ["--conform", "29.97"], "10:01:00;02", true),
    (
      "30000/1001", "10:01:00:00", ["--scan", "tff", "--deinterlace", "fields"], "10:01:00:00",
      false
    ),
    ("60000/1001", "10:01:00;04", ["--rate", "29.97"], "10:01:00;02", false),
    ("30000/1001", "10:01:00;02", ["--rate", "23.976"], "10:01:00:01", true),
    ("30000/1001", "10:01:00:00", ["--in", "2s", "--rate", "59.94"], "10:01:02:00", false),
  ]
  private static let moreConversions: [Conversion] = [
    ("25", "10:01:00:00", ["--rate", "29.97"], "10:01:00;02", true),
    ("24000/1001", "20:01:00:00", ["--rate", "59.94"], "20:01:00:00", false),
    ("30000/1001", "10:01:00:00", ["--rate", "59.94"], "10:01:00:00", false),
    ("30000/1001", "10:01:00:00", ["--conform", "59.94"], "10:01:00:00", false),
  ]

  @Test(arguments: TestRun.arguments(conversions, extended: moreConversions))
  func converted_timecode_keeps_its_time_and_counting_mode(
    rate: String, timecode: String, options: [String], wanted: String, isReported: Bool
  ) throws {
    // Enough frames to reach past the in point.
    let count = options.contains("--in") ? 65 : 5
    let result = try encode(try counting(rate, count: count, timecode: timecode), options)
    #expect(try Judges.timecode(result.path) == wanted)
    let reported = result.notes.filter { $0.contains("drop-frame") }
    #expect(reported.count == (isReported ? 1 : 0), "\(result.notes)")
    #expect(reported.allSatisfy { $0.contains(wanted) })
  }

  @Test func a_requested_timecode_is_not_reported_as_a_change() throws {
    let result = try encode(
      try counting("25", count: 5), ["--rate", "29.97", "--timecode", "02:00:00:00"])
    #expect(try Judges.timecode(result.path) == "02:00:00:00")
    #expect(!result.notes.contains { $0.contains("timecode") })
  }

  @Test func parts_have_the_timecode_of_the_whole() throws {
    let input = try counting("25", timecode: "10:01:00:00")
    let job = folder.path("job")
    for arguments in [
      ["plan", input, "-o", job, "--parts", "2", "--restart", "10", "--conform", "29.97"],
      ["part", job, "0"], ["part", job, "1"], ["join", job],
    ] {
      let run = try Recordctl(["encode"] + arguments)
      #expect(run.status == 0, "\(arguments): \(run.errors)")
    }
    let movies = try FileManager.default.contentsOfDirectory(atPath: job + "/movies")
    let movie = try #require(movies.first { $0.hasSuffix(".mov") })
    #expect(try Judges.timecode("\(job)/movies/\(movie)") == "10:01:00;02")
    #expect(try numbers("\(job)/movies/\(movie)") == Array(0..<100))
  }

  // MARK: Notes

  /// Audio that begins 0.2 s before the first frame, and whose samples count.
  private func early() throws -> String {
    let path = folder.path("early.mkv")
    try Judges.ffmpeg([
      "-itsoffset", "0.2", "-i", try counting("25"), "-f", "lavfi", "-i",
      "aevalsrc='mod(n,30000)/32768':s=48000:d=4", "-map", "0:v", "-map", "1:a", "-c:v", "ffv1",
      "-c:a", "pcm_s16le", path,
    ])
    return path
  }

  @Test(arguments: [[], ["--out", "1s"], ["--out", "7f"]])
  func omitted_audio_before_the_first_frame_is_reported_exactly(points: [String]) throws {
    let result = try encode(try early(), points)
    let first = try #require(try Judges.decodeAudio(result.path).first) >> 16
    // The container's time stamps are in milliseconds.
    #expect((first - 9600).magnitude <= 48)
    #expect(
      result.notes.filter { $0.contains("left out") }
        == ["audio track 1: \(first) samples before the first frame left out"])
  }

  @Test(arguments: [["--in", "1s"], ["--in", "3f", "--out", "2s"]])
  func audio_cut_by_an_in_point_is_not_reported(points: [String]) throws {
    let result = try encode(try early(), points)
    #expect(!result.notes.contains { $0.contains("left out") })
  }

  @Test func conforming_mentions_audio_only_if_present() throws {
    let silent = try encode(try counting("25", count: 5), ["--conform", "24"])
    #expect(
      silent.notes.contains { $0.contains("24") } && !silent.notes.contains { $0.contains("audio") }
    )
    let loud = try encode(try early(), ["--conform", "24"])
    #expect(loud.notes.contains { $0.contains("the audio is played as fast") })
  }

  @Test(
    arguments: TestRun.arguments(
      [("128x32", "fit"), ("32x32", "stretch")], extended: [("64x32", "fit"), ("64x32", "fill")]))
  func interlaced_video_is_scaled_if_its_height_stays(size: String, fitting: String) throws {
    let result = try encode(
      try counting("25", count: 5), ["--scan", "tff", "--size", size, "--fitting", fitting])
    let stream = try Judges.videoStream(result.path)
    #expect(size == "\(stream["width"] ?? "")x\(stream["height"] ?? "")")
    #expect(stream["field_order"] != "progressive")
    #expect(stream["nb_frames"] == "5")
  }

  @Test func scaling_interlaced_video_to_another_height_is_refused() throws {
    let input = try counting("25", count: 5)
    try Recordctl([
      "encode", input, "-o", folder.path("x.mov"), "--scan", "tff", "--size", "64x64",
      "--fitting", "stretch",
    ]).expectRefusal(naming: "height", "--deinterlace")
  }
}
