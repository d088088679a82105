import Foundation
import TestSupport
import Testing

/// `recordctl encode` and `verify`, checked with ffprobe, ffmpeg and MediaInfo.
@Suite(
  .tags(.judges), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func source(_ name: String = "in.mov", rate: String = "25") throws -> String {
    let path = folder.path(name)
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=\(rate):d=1", "-f", "lavfi", "-i",
      "sine=f=440:r=48000:d=1", "-vf",
      // Tagged twice: FFmpeg 7 takes color from the frames, FFmpeg 5 from the options.
      "scale=out_color_matrix=bt709,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709",
      "-pix_fmt", "yuv422p10le",
      "-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-c:v", "v210",
      "-c:a", "pcm_s24le", "-timecode", "01:00:00:00", path,
    ])
    return path
  }

  private func y4m(frames: Int = 10) throws -> URL {
    let path = folder.path("in.y4m")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25", "-frames:v", "\(frames)", "-pix_fmt",
      "yuv422p10le", "-strict", "-1", path,
    ])
    return URL(filePath: path)
  }

  @Test(arguments: [("proxy", "Proxy"), ("lt", "LT"), ("422", "Standard"), ("hq", "HQ")])
  func a_movie_becomes_valid_prores(codec: String, profile: String) throws {
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", try source(), "-o", output, "--codec", codec, "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])
    let video = ((report["writer"] as? [String: Any])?["video"] as? [[String: Any]])?.first
    #expect(video?["framesWritten"] as? Int == 25)
    let stream = try Judges.videoStream(output)
    #expect(stream["codec_name"] == "prores" && stream["profile"] == profile)
    #expect(stream["r_frame_rate"] == "25/1" && stream["pix_fmt"] == "yuv422p10le")
    #expect(stream["nb_frames"] == "25" && stream["color_space"] == "bt709")
    #expect(try Judges.timecode(output) == "01:00:00:00")
    #expect(try Judges.strictDecode(output).isEmpty)
    let verified = try Recordctl(["verify", output, "--json"])
    #expect(verified.status == 0, "\(verified.output)")
    let verdict = try #require(try verified.json() as? [String: Any])
    #expect(verdict["framesDecoded"] as? Int == 25)
    #expect(verdict["startTimecode"] as? String == "01:00:00:00")
  }

  @Test(arguments: [("4444", "4444"), ("xq", "XQ")])
  func a_4_2_2_source_encoded_as_4444_is_reported(codec: String, profile: String) throws {
    let (input, output) = (try source(), folder.path("out.mov"))
    let run = try Recordctl(["encode", input, "-o", output, "--codec", codec, "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(try run.json() as? [String: Any])
    let notes = (report["notes"] as? [[String: Any]] ?? []).filter {
      $0["subject"] as? String == "chroma"
    }
    #expect(notes.map { $0["kind"] as? String } == ["changed"])
    let message = notes.first?["message"] as? String ?? ""
    #expect(message.hasPrefix("the source has 4:2:2; its chroma is interpolated to 4:4:4"))
    let stream = try Judges.videoStream(output)
    #expect(stream["codec_name"] == "prores" && stream["profile"] == profile)
    #expect(stream["nb_frames"] == "25" && stream["color_space"] == "bt709")
    #expect(try Judges.timecode(output) == "01:00:00:00")
    #expect(try Judges.strictDecode(output).isEmpty)
    let frames = try [input, output].map {
      Array(try Judges.decode($0, pixelFormat: "yuv422p10le").prefix(320 * 180))
    }
    #expect(Judges.psnr(frames[0], frames[1]) > 40)
    let reported = try Recordctl(["encode", input, "-o", output, "--codec", codec, "--overwrite"])
    #expect((reported.output + reported.errors).contains("nothing is gained over --codec hq"))
  }

  @Test func y4m_is_read_from_standard_input() throws {
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", "-", "-o", output, "--codec", "lt"], input: try y4m())
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Judges.videoStream(output)["nb_frames"] == "10")
    #expect(try Recordctl.isValid(output))
  }

  @Test func a_truncated_y4m_makes_a_valid_movie_of_complete_frames() throws {
    let file = try y4m()
    let whole = try Data(contentsOf: file)
    try whole.dropLast(whole.count / 4).write(to: file)
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", file.path, "-o", output, "--codec", "proxy"])
    #expect(run.status == 4)
    #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("in.y4m"))
    #expect(try Judges.videoStream(output)["nb_frames"] == "7")
    #expect(try Recordctl.isValid(output))
  }

  @Test func a_y4m_without_a_complete_frame_leaves_no_file() throws {
    let file = try y4m()
    let start = try Data(contentsOf: file).prefix(2000)
    try start.write(to: file)
    try Recordctl(["encode", file.path, "-o", folder.path("out.mov")])
      .expectRefusal(naming: "in.y4m")
    #expect(folder.contents == ["in.y4m"])
  }

  @Test func files_that_are_not_movies_are_refused_and_leave_no_file() throws {
    let text = folder.path("notes.txt")
    try "Dear diary,\n".write(toFile: text, atomically: true, encoding: .utf8)
    let output = folder.path("out.mov")
    try Recordctl(["encode", text, "-o", output]).expectRefusal(naming: "notes.txt")
    try Recordctl(["encode", folder.path("none.mov"), "-o", output])
      .expectRefusal(naming: "none.mov")
    try Recordctl(["encode", "-", "-o", output], input: URL(filePath: text))
      .expectRefusal(naming: "standard input")
    try Recordctl(["verify", text]).expectRefusal(naming: "notes.txt")
    try Recordctl(["verify", folder.path("none.mov")]).expectRefusal(naming: "none.mov")
    try Recordctl(["recover", text]).expectRefusal(naming: "notes.txt")
    #expect(folder.contents == ["notes.txt"])
  }

  @Test func a_file_is_overwritten_only_on_request() throws {
    let input = try source()
    let output = folder.path("out.mov")
    try "mine".write(toFile: output, atomically: true, encoding: .utf8)
    try Recordctl(["encode", input, "-o", output]).expectRefusal(naming: "out.mov", "--overwrite")
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "mine")
    #expect(try Recordctl(["encode", input, "-o", output, "--overwrite"]).status == 0)
    #expect(try Recordctl.isValid(output))
  }

  @Test func invalid_encode_options_are_refused_by_name() throws {
    let input = try source()
    let output = folder.path("out.mov")
    try Recordctl(["encode", input, "-o", output, "--codec", "h264"])
      .expectRefusal(naming: "h264", "proxy")
    try Recordctl(["encode", input, "-o", output, "--encoder", "x264"])
      .expectRefusal(naming: "x264", "native")
    try Recordctl(["encode", input, "-o", output, "--timecode", "25:00:00:00"])
      .expectRefusal(naming: "25:00:00:00")
    try Recordctl(["encode", input, "-o", folder.path("no/such/folder/out.mov")])
      .expectRefusal(naming: "no/such/folder")
    #expect(folder.contents == ["in.mov"])
  }

  @Test func verify_finds_a_damaged_frame() throws {
    let output = folder.path("out.mov")
    #expect(try Recordctl(["encode", try source(), "-o", output, "--codec", "lt"]).status == 0)
    var bytes = try Data(contentsOf: URL(filePath: output))
    // Damage the tenth frame, found by its signature, after its headers.
    var position = bytes.startIndex
    for _ in 0..<10 {
      let found = try #require(bytes.range(of: Data("icpf".utf8), in: position..<bytes.endIndex))
      position = found.upperBound
    }
    for offset in 600..<900 { bytes[position + offset] = 0xFF }
    try bytes.write(to: URL(filePath: output))
    let run = try Recordctl(["verify", output, "--json"])
    #expect(run.status == 1)
    let findings = (try run.json() as? [String: Any])?["findings"] as? [[String: Any]]
    let first = try #require(findings?.first)
    #expect(first["severity"] as? String == "error" && first["frame"] as? Int == 9)
    #expect(first["timecode"] as? String == "01:00:00:09")
  }

  @Test func verify_finds_an_index_that_contradicts_the_frames() throws {
    let output = folder.path("out.mov")
    #expect(try Recordctl(["encode", try source(), "-o", output, "--codec", "lt"]).status == 0)
    var bytes = try Data(contentsOf: URL(filePath: output))
    // The color description in the index: primaries, transfer function and matrix follow 'nclc'.
    let found = try #require(bytes.range(of: Data("nclc".utf8), options: .backwards))
    bytes[found.upperBound + 1] = 9
    try bytes.write(to: URL(filePath: output))
    let run = try Recordctl(["verify", output])
    #expect(run.status == 1 && run.output.contains("error: color"))
    // A file without its end.
    try bytes.dropLast(bytes.count / 3).write(to: URL(filePath: output))
    let cut = try Recordctl(["verify", output])
    #expect(cut.status == 1 && cut.output.contains("recordctl recover"))
    #expect(try Recordctl(["recover", output]).status == 0)
  }
}
