import Foundation
import TestSupport
import Testing

/// A source's metadata and what becomes of a damaged source, checked with ffprobe.
@Suite(
  .tags(.judges), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeFidelityTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Encodes, and returns the report's notes as `kind subject`.
  private func encode(
    _ input: String, _ arguments: [String] = [], status: Int32 = 0
  ) throws -> (output: String, notes: [String], report: [String: Any]) {
    let output = folder.path("out\(UUID().uuidString).mov")
    let run = try Recordctl(["encode", input, "-o", output, "--json"] + arguments)
    #expect(run.status == status, "\(run.errors)\(run.output)")
    let json = try #require(try run.json() as? [String: Any])
    let notes = (json["notes"] as? [[String: Any]] ?? []).map {
      "\($0["kind"] ?? "") \($0["subject"] ?? "")"
    }
    return (output, notes, try #require(json["writer"] as? [String: Any]))
  }

  private func source(_ name: String, _ arguments: String, size: String = "320x180") throws
    -> String
  {
    let path = folder.path(name)
    try Judges.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=0.48"]
        + arguments.split(separator: " ").map(String.init) + [path])
    return path
  }

  // MARK: Field order

  // A ProRes frame stores its top line first, whichever field is earlier in time. `fiel` distinguishes this from
  // fields stored one after the other; ffprobe names the two orders `tb` and `bt`.

  @Test(arguments: ["a.dv", "a.avi"]) func the_field_order_of_dv_is_kept(name: String) throws {
    let input = try source(
      name, "-vf setfield=bff -c:v dvvideo -pix_fmt yuv420p", size: "720x576")
    let result = try encode(input)
    #expect(try Judges.videoStream(result.output)["field_order"] == "bt")
    #expect(try Judges.firstFrame(result.output)["interlaced_frame"] == "1")
    #expect(try Judges.firstFrame(result.output)["top_field_first"] == "0")
    #expect(!result.notes.contains("assumed scan"))
  }

  @Test func an_unknown_field_order_is_reported_detected_or_given() throws {
    let path = folder.path("a.avi")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=720x576:r=50:d=1", "-vf", "tinterlace=interleave_top",
      "-c:v", "v210", "-pix_fmt", "yuv422p10le", path,
    ])
    #expect(try encode(path).notes.contains("assumed scan"))
    let reported = try encode(path, ["--scan", "bff"])
    #expect(try Judges.videoStream(reported.output)["field_order"] == "bt")
    let detected = try encode(path, ["--detect-scan"])
    #expect(try Judges.videoStream(detected.output)["field_order"] == "tb")
    #expect(detected.notes.contains("assumed scan"))
  }

  // MARK: Joined sources

  @Test(arguments: ["ts", "mkv"])
  func a_joined_source_is_repaired_and_reported(container: String) throws {
    let path = folder.path("part.\(container)")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2", "-f", "lavfi", "-i",
      "sine=f=440:r=48000:d=2", "-c:v", "libx264", "-c:a", "aac", "-shortest", path,
    ])
    let part = try Data(contentsOf: URL(filePath: path))
    let joined = folder.path("joined.\(container)")
    if container == "ts" {
      try (part + part).write(to: URL(filePath: joined))
    } else {
      let list = folder.path("list.txt")
      try "file '\(path)'\nfile '\(path)'\n".write(
        toFile: list, atomically: true, encoding: .utf8)
      _ = try Judges.run(
        "ffmpeg",
        ["-v", "error", "-y", "-f", "concat", "-safe", "0", "-i", list, "-c", "copy", joined])
    }
    let run = try Recordctl(["encode", joined, "-o", folder.path("out.mov"), "--json"])
    #expect([0, 3].contains(run.status), "\(run.errors)")
    let stream = try Judges.videoStream(folder.path("out.mov"))
    let frames = Int(stream["nb_frames"] ?? "") ?? 0
    #expect(container == "ts" ? frames == 100 : (98...101).contains(frames), "\(frames)")
    let audio = try Judges.stream(folder.path("out.mov"), "a:0")
    let seconds = Double(audio["duration"] ?? "") ?? 0
    #expect((seconds - 4).magnitude < 0.05)
    let json = try #require(try run.json() as? [String: Any])
    let kinds = (json["notes"] as? [[String: Any]] ?? []).map { $0["kind"] as? String }
    if container == "ts" {
      #expect(run.status == 3 && kinds.contains("repaired"))
    }
    #expect(try Recordctl.isValid(folder.path("out.mov")))
  }

  @Test(
    arguments: TestRun.arguments(
      ["a.mp4 aac", "a.mkv aac", "a.ts aac", "a.mkv ac3"],
      extended: ["a.mov aac", "a.flv aac", "a.ts mp2", "a.mkv libmp3lame"]))
  func audio_stays_in_sync_to_the_sample(_ form: String) throws {
    let words = form.split(separator: " ").map(String.init)
    let path = folder.path(words[0])
    // A click every fifth of a second, the first at sample 4800.
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-f", "lavfi", "-i",
      "aevalsrc='if(eq(mod(n,9600),4800),0.9,0)':s=48000:d=1", "-c:v", "libx264", "-preset",
      "ultrafast", "-c:a", words[1], "-b:a", "256k", path,
    ])
    let result = try encode(path)
    let bytes = try Judges.ffmpeg([
      "-i", result.output, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-",
    ])
    let samples = bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self) }
    }
    for click in stride(from: 4800, to: 43_200, by: 9600) {
      let near = click - 2000..<click + 2000
      let loudest = near.max { samples[$0].magnitude < samples[$1].magnitude }
      #expect(loudest == click)
    }
  }

  @Test func missing_stream_data_is_reported() throws {
    let path = try source("a.ts", "-c:v libx264 -preset ultrafast -g 5")
    // The service name cannot be stored in a movie.
    #expect(try encode(path).notes == ["dropped metadata"])
    // A transport stream consists of 188-byte packets; remove some from the middle.
    var data = try Data(contentsOf: URL(filePath: path))
    let middle = data.count / 188 / 2
    data.removeSubrange(middle * 188..<(middle + 12) * 188)
    let damaged = folder.path("damaged.ts")
    try data.write(to: URL(filePath: damaged))
    let notes = try encode(damaged, status: 3).notes
    #expect(notes.contains("repaired data"), "\(notes)")
  }

  @Test func additional_movies_in_a_file_are_reported() throws {
    let path = try source("part.mp4", "-c:v libx264 -pix_fmt yuv420p")
    #expect(!(try encode(path).notes.contains("dropped movies")))
    let part = try Data(contentsOf: URL(filePath: path))
    let joined = folder.path("joined.mp4")
    try (part + part).write(to: URL(filePath: joined))
    #expect(try encode(joined, status: 3).notes.contains("dropped movies"))
  }

  // MARK: Metadata

  @Test(arguments: [90, 180, 270]) func rotation_is_kept_from_the_source(degrees: Int) throws {
    let turned = try source("turned.mov", "-c:v libx264 -pix_fmt yuv420p")
    try turn(turned, degrees)
    let rotation = try rotation(of: turned)
    #expect(rotation.magnitude == (degrees == 180 ? 180 : 90))
    let result = try encode(turned)
    #expect(try self.rotation(of: result.output) == rotation)
    let size = try Judges.videoStream(result.output)
    #expect(size["width"] == "320" && size["height"] == "180")
    #expect(try Recordctl.isValid(result.output))
  }

  /// Rotates a track clockwise with the matrix in its header.
  private func turn(_ path: String, _ degrees: Int) throws {
    var movie = try Data(contentsOf: URL(filePath: path))
    let header = try #require(movie.range(of: Data("tkhd".utf8)))
    let signs: [Int: [Int32]] = [90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0]]
    let values = try #require(signs[degrees])
    // The matrix follows version 0's times, number, duration, layer, group and volume.
    for (place, value) in zip([0, 4, 12, 16], values) {
      let start = header.upperBound + 40 + place
      let word = UInt32(bitPattern: value * 0x1_0000)
      movie.replaceSubrange(
        start..<start + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) })
    }
    try movie.write(to: URL(filePath: path))
  }

  /// Degrees counterclockwise, as in ffprobe.
  private func rotation(of path: String) throws -> Int {
    let words = try Judges.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream_side_data=rotation", "-of", "csv=p=0", path]
    ).output
    return try #require(
      words.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }.first, "\(words)")
  }

  @Test func surround_audio_keeps_its_layout_language_and_title() throws {
    let path = folder.path("a.mkv")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.4", "-f", "lavfi", "-i",
      "anoisesrc=d=0.4:r=48000", "-f", "lavfi", "-i", "sine=d=0.4:r=48000", "-filter_complex",
      "[1]pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0[s]", "-map", "0", "-map", "[s]", "-map", "2",
      "-c:v", "ffv1", "-c:a", "flac", "-metadata:s:a:0", "language=ger",
      "-metadata:s:a:0", "title=Main mix", "-metadata:s:a:1", "language=eng", "-metadata",
      "title=A title", "-metadata", "comment=A comment", "-timecode", "10:00:00:00", path,
    ])
    // Matroska does not store channel layouts; FLAC's header does.
    #expect(try Judges.stream(path, "a:0")["channel_layout"]?.hasPrefix("5.1") == true)
    let result = try encode(path)
    let audio = try Judges.stream(result.output, "a:0")
    #expect(audio["channel_layout"]?.hasPrefix("5.1") == true && audio["TAG:language"] == "ger")
    #expect(try Judges.stream(result.output, "a:1")["TAG:language"] == "eng")
    #expect(try Judges.timecode(result.output) == "10:00:00:00")
    let tags = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1",
        result.output,
      ]
    ).output
    #expect(tags.contains("A title") && tags.contains("A comment"))
  }

  @Test func alpha_is_kept_unless_the_codec_excludes_it() throws {
    let input = try source("a.mov", "-vf format=rgba,colorchannelmixer=aa=0.5 -c:v png")
    let kept = try encode(input)
    #expect(try Judges.videoStream(kept.output)["codec_tag_string"] == "ap4h")
    #expect(try Judges.videoStream(kept.output)["pix_fmt"]?.contains("yuva444") == true)
    #expect(!kept.notes.contains("dropped alpha"))
    let dropped = try encode(input, ["--codec", "hq"])
    #expect(dropped.notes.contains("dropped alpha"))
  }

  @Test func hdr_light_levels_are_kept() throws {
    let path = folder.path("a.mp4")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=0.2", "-c:v", "libx265", "-pix_fmt",
      "yuv420p10le", "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
        + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):"
        + "max-cll=1000,400", path,
    ])
    let result = try encode(path)
    let words = try Judges.run(
      "ffprobe",
      [
        "-v", "error", "-select_streams", "v:0", "-show_entries", "stream_side_data", "-of",
        "default=nw=1", result.output,
      ]
    ).output
    #expect(words.contains("max_content=1000") && words.contains("max_average=400"))
    #expect(words.contains("red_x=34000/50000"))
    #expect(try Judges.videoStream(result.output)["color_transfer"] == "smpte2084")
  }

  @Test func colors_without_a_prores_code_are_reported() throws {
    func options(_ transfer: String) -> String {
      "-vf setparams=color_primaries=bt709:color_trc=\(transfer):colorspace=bt709 -c:v ffv1"
        + " -pix_fmt yuv422p10le -color_primaries bt709 -colorspace bt709 -color_trc \(transfer)"
    }
    #expect(
      try encode(source("plain.mkv", options("bt709"))).notes.contains("changed color") == false)
    let result = try encode(source("srgb.mkv", options("iec61966-2-1")))
    #expect(result.notes.contains("changed color"))
  }

  @Test(
    arguments: TestRun.arguments(
      ["color_primaries film", "color_trc log100", "color_trc iec61966-2-4"],
      extended: [
        "color_primaries jedec-p22", "color_primaries smpte428", "color_trc log316",
        "color_trc bt1361e", "color_trc smpte428",
      ]))
  func colors_without_a_quicktime_code_are_reported(_ option: String) throws {
    let name = option.split(separator: " ")
    let result = try encode(
      source(
        "\(name[1]).mkv",
        "-vf setparams=\(name[0])=\(name[1]) -c:v ffv1 -pix_fmt yuv422p10le -\(option)"))
    #expect(result.notes.contains("dropped color"), "\(result.notes)")
    // The dropped color was reported when encoding; `verify` does not report it as a fault of the movie.
    let verified = try Recordctl(["verify", result.output])
    #expect(verified.status == 0 && !verified.output.contains("warning"), "\(verified.output)")
  }

  @Test func an_mp4_output_is_refused_with_the_remedy() throws {
    let input = try source("a.mov", "-c:v v210 -pix_fmt yuv422p10le")
    let run = try Recordctl(["encode", input, "-o", folder.path("x.mp4")])
    #expect(run.status != 0 && run.errors.contains("x.mov"))
    #expect(!folder.contents.contains("x.mp4"))
  }
}
