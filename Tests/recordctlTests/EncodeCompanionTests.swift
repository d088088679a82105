import Foundation
import TestSupport
import Testing

/// Captions, chapters and the first audio sample, as FFmpeg reads them in the source and in the movie.
@Suite(
  .tags(.judges), .serialized,
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeCompanionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: Captions

  /// A byte pair of line 21, each byte with odd parity.
  private func pair(_ first: UInt8, _ second: UInt8) -> [UInt8] {
    [first, second].map { $0.nonzeroBitCount % 2 == 0 ? $0 | 0x80 : $0 }
  }

  /// Byte pairs that roll up two lines of text in CC1, one pair per frame.
  private func rollUp(_ lines: [String]) -> [[UInt8]] {
    var pairs = [pair(0x14, 0x25)]
    for line in lines {
      pairs += [pair(0x14, 0x2D), pair(0x14, 0x70)]
      let codes = Array(line.utf8) + (line.utf8.count % 2 == 0 ? [] : [0])
      pairs += stride(from: 0, to: codes.count, by: 2).map { pair(codes[$0], codes[$0 + 1]) }
    }
    return pairs + [pair(0x14, 0x2C)]
  }

  /// H.264 with an ATSC A/53 message before each frame.
  private func captioned(_ pairs: [[UInt8]], with708: Bool = false) throws -> String {
    let plain = folder.path("plain.h264")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30000/1001", "-frames:v", "60", "-pix_fmt",
      "yuv420p", "-c:v", "libx264", "-x264-params", "bframes=0:slices=1:threads=1", plain,
    ])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: plain)))
    var result: [UInt8] = []
    var frame = 0
    var index = 0
    while index < bytes.count {
      let isStart =
        index + 3 < bytes.count && bytes[index] == 0 && bytes[index + 1] == 0
        && bytes[index + 2] == 1
      if isStart, [1, 5].contains(bytes[index + 3] & 0x1F) {
        let captions = frame < pairs.count ? pairs[frame] : [0x80, 0x80]
        let triplets: [UInt8] = [0xFC] + captions + (with708 ? [0xFF, 0x02, 0x21] : [])
        let payload: [UInt8] =
          [0xB5, 0x00, 0x31] + Array("GA94".utf8)
          + [0x03, 0x40 | UInt8(triplets.count / 3), 0xFF] + triplets + [0xFF]
        result += [0, 0, 1, 6, 4, UInt8(payload.count)] + payload + [0x80]
        frame += 1
      }
      result.append(bytes[index])
      index += 1
    }
    let raw = folder.path("captioned.h264")
    try Data(result).write(to: URL(filePath: raw))
    let movie = folder.path("captioned.mp4")
    try Judges.ffmpeg(["-r", "30000/1001", "-i", raw, "-c", "copy", movie])
    return movie
  }

  private func subtitles(_ arguments: [String]) throws -> String {
    String(decoding: try Judges.ffmpeg(arguments + ["-f", "srt", "-"]), as: UTF8.self)
  }

  @Test func captions_become_a_track_with_the_same_text() throws {
    let input = try captioned(rollUp(["HELLO LINE 21", "SECOND LINE"]), with708: true)
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", input, "-o", output, "--codec", "proxy", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let track = try Judges.stream(output, "s:0")
    #expect(track["codec_name"] == "eia_608" && track["codec_tag_string"] == "c608")
    let read = try subtitles(["-i", output, "-map", "0:s:0"])
    #expect(read.contains("HELLO LINE 21") && read.contains("SECOND LINE"))
    #expect(
      try read == subtitles(["-f", "lavfi", "-i", "movie=\(input)[out0+subcc]", "-map", "0:1"]))
    let notes = try run.objects("notes") ?? []
    #expect(notes.contains { "\($0["message"] ?? "")".contains("CEA-708") })
    #expect(!notes.contains { "\($0["message"] ?? "")".contains("608") })
    #expect(try Recordctl.isValid(output))
    #expect(try Judges.strictDecode(output).isEmpty)
  }

  @Test func padding_only_captions_create_no_track() throws {
    let output = folder.path("out.mov")
    let run = try Recordctl([
      "encode", try captioned([]), "-o", output, "--codec", "proxy",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Judges.stream(output, "s:0").isEmpty)
  }

  /// Matroska time stamps are in milliseconds: the second frame, at 33.4 ms, has 33.
  @Test func captions_start_with_their_frames_despite_rounded_timestamps() throws {
    let input = folder.path("captioned.mkv")
    try Judges.ffmpeg([
      "-i", try captioned(rollUp(["HELLO LINE 21", "SECOND LINE"])), "-c", "copy", input,
    ])
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", input, "-o", output, "--codec", "proxy", "--in", "1f"])
    #expect(run.status == 0, "\(run.errors)")
    let frames = try Judges.packets(output, stream: "v:0")
    let captions = try Judges.packets(output, stream: "s:0")
    #expect(captions.map(\.pts) == frames.map(\.pts))
    // A sample is an atom: eight bytes of size and type, then the byte pairs.
    let place = try #require(captions.first?.pos.flatMap(Int.init))
    let bytes = try folder.bytes("out.mov")
    #expect(Array(bytes[(place + 8)..<(place + 10)]) == pair(0x14, 0x2D))
  }

  // MARK: Chapters

  private func chapters(_ path: String) throws -> [[String: Any]] {
    let data = try Judges.run(
      "ffprobe", ["-v", "error", "-show_chapters", "-of", "json", path]
    ).data
    let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(json["chapters"] as? [[String: Any]])
  }

  @Test(arguments: [0, 400]) func chapters_match_the_source(first: Int) throws {
    let facts = folder.path("chapters.txt")
    let starts = [first, 1200, 1800]
    let titles = ["Opening", "Größe 日本", "End"]
    var text = ";FFMETADATA1\n"
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : 2400
      text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(start)\nEND=\(end)\ntitle=\(titles[index])\n"
    }
    try text.write(toFile: facts, atomically: true, encoding: .utf8)
    let input = folder.path("in.mkv")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2.4", "-i", facts, "-map_metadata", "1",
      "-c:v", "ffv1", input,
    ])
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", input, "-o", output, "--codec", "proxy", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.objects("notes")?.contains { $0["subject"] as? String == "chapters" } == false)
    let read = try chapters(output)
    #expect(read.map { ($0["tags"] as? [String: String])?["title"] } == titles)
    for (chapter, start) in zip(read, starts) {
      let time = Double("\(chapter["start_time"] ?? "")") ?? -1
      #expect((time - Double(start) / 1000).magnitude < 0.001, "\(time)")
    }
    #expect(try Recordctl.isValid(output))
    #expect(try Judges.strictDecode(output).isEmpty)
    #expect(try Judges.mediaInfo(output, "General", "%MenuCount%") == "1")
  }

  // MARK: Audio

  @Test(arguments: TestRun.arguments(["mp4", "ts"], extended: ["mov", "mkv"]))
  func a_click_in_aac_keeps_its_sample_position(container: String) throws {
    let input = folder.path("click.\(container)")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1", "-f", "lavfi", "-i",
      "aevalsrc='if(eq(n,20000),0.9,0)':s=48000:d=1", "-c:v", "libx264", "-bf", "0", "-c:a", "aac",
      "-b:a", "192k", input,
    ])
    let output = folder.path("out.mov")
    let run = try Recordctl(["encode", input, "-o", output, "--codec", "proxy"])
    #expect(run.status == 0, "\(run.errors)")
    let samples = try Judges.decodeAudio(output)
    let loudest = samples.indices.max { samples[$0].magnitude < samples[$1].magnitude }
    // Matroska counts in milliseconds, and FFmpeg leaves AAC's first 1024 samples in the file.
    let unit = container == "mkv" ? 48 : 0
    #expect(try (#require(loudest) - 20000).magnitude <= unit)
  }
}
