import Foundation
import TestSupport
import Testing

/// `encode` with many inputs.
@Suite(
  .serialized, .tags(.judges),
  .enabled(if: Judges.arePresent, "ffmpeg, ffprobe and mediainfo are not installed"))
struct EncodeBatchTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.makeFolder("card")
    try FileManager.default.createDirectory(
      at: folder.url("card/day 2"), withIntermediateDirectories: true)
    for name in ["card/a.mkv", "card/b.avi", "card/day 2/c.mp4"] {
      try Judges.ffmpeg([
        "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-c:v",
        name.hasSuffix("mp4") ? "libx264" : "ffv1", folder.path(name),
      ])
    }
    try folder.write("no movie at all, but a text", "card/broken.mov")
    try folder.write("a note", "card/notes.txt")
  }

  private func batch(_ arguments: String..., status: Int32) throws -> [String: Any] {
    let run = try Recordctl(
      ["encode", "card", "--output-folder", "out", "--codec", "proxy", "--json"] + arguments,
      in: folder.url)
    #expect(run.status == status, "\(run.errors)\(run.output)")
    return try #require(try run.json() as? [String: Any])
  }

  private func states(_ report: [String: Any]) -> [String: String] {
    let items = report["items"] as? [[String: Any]] ?? []
    return Dictionary(
      items.map { ("\($0["input"] ?? "")", "\($0["state"] ?? "")") },
      uniquingKeysWith: { first, _ in first })
  }

  @Test func a_folder_is_encoded_and_failures_are_named() throws {
    let report = try batch("--name", "{name}_{codec}", "--jobs", "2", status: 1)
    #expect(
      states(report) == [
        "card/a.mkv": "encoded", "card/b.avi": "encoded", "card/broken.mov": "failed",
        "card/day 2/c.mp4": "encoded",
      ])
    for name in ["a_proxy.mov", "b_proxy.mov", "day 2/c_proxy.mov"] {
      let movie = folder.path("out/\(name)")
      #expect(try Judges.videoStream(movie)["nb_frames"] == "10")
      #expect(try Recordctl.isValid(movie))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out/broken_proxy.mov")))
    let failed = (report["items"] as? [[String: Any]])?.first { $0["state"] as? String == "failed" }
    let message = "\((failed?["error"] as? [String: Any])?["message"] ?? "")"
    #expect(message.contains("broken.mov"))
  }

  @Test func an_output_folder_that_cannot_be_created_is_reported() throws {
    try folder.write("a file in its place", "out")
    let report = try batch(status: 1)
    let messages = (report["items"] as? [[String: Any]] ?? []).compactMap {
      ($0["error"] as? [String: Any])?["message"] as? String
    }
    #expect(messages.count == 4)
    #expect(
      messages.allSatisfy {
        $0.contains("cannot be created: Not a directory; choose another folder")
      },
      "\(messages)")
  }

  @Test func complete_movies_are_skipped_and_incomplete_ones_encoded_again() throws {
    #expect(try batch("--skip-existing", status: 1)["encodedCount"] as? Int == 3)
    let whole = try Data(contentsOf: folder.url("out/a.mov"))
    // What a kill leaves: a take without its end and a file without its beginning.
    let cut = try Data(contentsOf: folder.url("out/b.mov"))
    try cut.dropLast(cut.count / 3).write(to: folder.url("out/b.mov"))
    try Data().write(to: folder.url("out/day 2/c.mov"))
    let again = try batch("--skip-existing", status: 1)
    #expect(
      states(again) == [
        "card/a.mkv": "skipped", "card/b.avi": "encoded", "card/broken.mov": "failed",
        "card/day 2/c.mp4": "encoded",
      ])
    #expect(try Data(contentsOf: folder.url("out/a.mov")) == whole)
    for name in ["b.mov", "day 2/c.mov"] {
      #expect(try Recordctl.isValid(folder.path("out/\(name)")))
    }
    // A file that `encode` did not write must not be replaced.
    try folder.write("my novel", "out/a.mov")
    #expect(try batch("--skip-existing", status: 1)["failedCount"] as? Int == 2)
    #expect(try String(contentsOf: folder.url("out/a.mov"), encoding: .utf8) == "my novel")
  }

  @Test func a_movie_of_a_truncated_source_is_encoded_again() throws {
    try Judges.ffmpeg([
      "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=0.4", "-pix_fmt", "yuv422p",
      folder.path("whole.y4m"),
    ])
    let whole = try Data(contentsOf: folder.url("whole.y4m"))
    // Half a file, as if it were still being copied.
    try whole.prefix(whole.count / 2).write(to: folder.url("card/d.y4m"))
    let first = try batch("--skip-existing", status: 1)
    #expect(states(first)["card/d.y4m"] == "encoded")
    #expect(try Judges.videoStream(folder.path("out/d.mov"))["nb_frames"] == "4")
    try whole.write(to: folder.url("card/d.y4m"))
    #expect(states(try batch("--skip-existing", status: 1))["card/d.y4m"] == "encoded")
    #expect(try Judges.videoStream(folder.path("out/d.mov"))["nb_frames"] == "10")
    #expect(states(try batch("--skip-existing", status: 1))["card/d.y4m"] == "skipped")
  }

  @Test func a_movie_without_a_sidecar_is_skipped_with_a_note() throws {
    _ = try batch("--no-sidecar", status: 1)
    let again = try batch("--skip-existing", status: 1)
    #expect(states(again)["card/a.mkv"] == "skipped")
    let items = again["items"] as? [[String: Any]] ?? []
    let item = try #require(items.first { $0["input"] as? String == "card/a.mkv" })
    let notes = item["notes"] as? [[String: Any]] ?? []
    #expect(notes.count == 1 && "\(notes[0]["message"] ?? "")".contains("no sidecar"))
    let run = try Recordctl(
      ["encode", "card/a.mkv", "--output-folder", "out", "--skip-existing"], in: folder.url)
    #expect(run.status == 0 && run.output.contains("it has no sidecar to tell"), "\(run.output)")
  }

  @Test func each_input_is_reported_on_its_own_line() throws {
    let run = try Recordctl(
      ["encode", "card/a.mkv", "card/broken.mov", "--output-folder", "out"], in: folder.url)
    #expect(run.status == 1)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2)
    #expect(lines.first?.contains("card/a.mkv -> out/a.mov: 10 frames") == true)
    #expect(lines.last == "1 encoded, 1 FAILED")
    #expect(run.errors.hasPrefix("recordctl: card/broken.mov: FAILED: "), "\(run.errors)")
    let asJSON = try Recordctl(
      ["encode", "card/broken.mov", "--output-folder", "out", "--json"], in: folder.url)
    #expect(asJSON.status == 1 && asJSON.errors == run.errors, "\(asJSON.errors)")
  }

  @Test func an_unwritable_sidecar_is_reported_and_the_movie_succeeds() throws {
    try folder.makeFolder("out/a.mov.json")
    let run = try Recordctl(["encode", "card/a.mkv", "--output-folder", "out"], in: folder.url)
    #expect(run.status == 0 && run.output.hasSuffix("1 encoded\n"), "\(run.output)")
    #expect(
      run.errors.hasPrefix("recordctl: ") && run.errors.contains("out/a.mov.json"), "\(run.errors)")
  }

  @Test func colliding_output_names_are_refused_before_encoding() throws {
    try FileManager.default.copyItem(
      at: folder.url("card/a.mkv"), to: folder.url("card/a.avi"))
    try Recordctl(["encode", "card", "--output-folder", "out"], in: folder.url)
      .expectRefusal(naming: "card/a.avi", "card/a.mkv", "{ext}")
    try Recordctl(["encode", "card/a.avi", "card/b.avi", "-o", "x.mov"], in: folder.url)
      .expectRefusal(naming: "--output-folder")
    try Recordctl(["encode", "card/a.avi"], in: folder.url).expectRefusal(naming: "--output")
    try Recordctl(
      ["encode", "card/a.avi", "--output-folder", "out", "--name", "{nme}"], in: folder.url
    ).expectRefusal(naming: "did you mean 'name'")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func a_symbolic_link_counts_with_the_size_of_its_target() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.mkv"), withDestinationPath: "card/a.mkv")
    let run = try Recordctl(
      ["encode", "card/a.mkv", "link.mkv", "--output-folder", "out"], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let sizes = run.output.split(separator: "\n").compactMap { line in
      line.firstRange(of: " from ").map { line[$0.upperBound...].prefix { $0 != "," } }
    }
    #expect(sizes.count == 2 && sizes.first == sizes.last, "\(run.output)")
  }
}
