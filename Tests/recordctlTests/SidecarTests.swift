import Foundation
import QuickTime
import TestSupport
import Testing

/// Sidecars on the command line: written by `record` and `encode`, checked by `verify`, marked by `recover`.
@Suite(.serialized) struct SidecarTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path(name) }

  /// Records a take. Small frames are stored without gaps; large frames each start at a block.
  private func record(
    _ name: String = "a.mov", size: String = "640x360", codec: String = "proxy", frames: Int = 60,
    device: String = "pattern:noise?pace=none", _ more: String...
  ) throws -> Recordctl {
    let run = try Recordctl(
      [
        "record", "--device", device, "--size", size, "--rate", "25", "--codec", codec,
        "--timecode", "01:00:00:00", "--duration", "\(frames)f", "-o", path(name),
      ] + more)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private func json(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(filePath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Flips one bit of a file.
  private func flip(_ name: String, at offset: UInt64) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path(name)))
    try file.seek(toOffset: offset)
    let byte = try #require(try file.read(upToCount: 1)?.first)
    try file.seek(toOffset: offset)
    try file.write(contentsOf: Data([byte ^ 0x10]))
    try file.close()
  }

  private func copy(_ name: String, to other: String) throws {
    for suffix in ["", ".json"] where FileManager.default.fileExists(atPath: path(name + suffix)) {
      try? FileManager.default.removeItem(atPath: path(other + suffix))
      try FileManager.default.copyItem(atPath: path(name + suffix), toPath: path(other + suffix))
    }
  }

  /// The exit status of `verify` and its errors about checksums.
  private func verify(_ name: String) throws -> (status: Int32, errors: [String]) {
    let run = try Recordctl(["verify", path(name)])
    let lines = run.output.split(separator: "\n").map(String.init)
    return (run.status, lines.filter { $0.hasPrefix("error: checksum: ") })
  }

  @Test(.tags(.judges), .enabled(if: Judges.find("xxhsum") != nil, "xxhsum is not installed"))
  func xxhsum_agrees_with_the_printed_checksums() throws {
    for (name, size) in [("small.mov", "640x360"), ("large.mov", "1920x1080")] {
      let run = try record(name, size: size, codec: "hq", frames: 14)
      let printed = try Judges.run("xxhsum", ["-H64", path(name)]).output.prefix(16)
      #expect(run.output.contains("xxHash64") && run.output.contains(printed))
      let sums = try json(path(name + ".json"))["checksums"] as? [String: Any]
      #expect(sums?["file"] as? String == String(printed))
      #expect((sums?["frames"] as? [String])?.count == 14)
    }
    let encode = try Recordctl(
      ["encode", path("small.mov"), "-o", path("again.mov"), "--codec", "lt"])
    #expect(encode.status == 0)
    let printed = try Judges.run("xxhsum", ["-H64", path("again.mov")]).output.prefix(16)
    #expect(encode.output.contains(printed))
    let sidecar = try json(path("again.mov.json"))
    #expect((sidecar["checksums"] as? [String: Any])?["file"] as? String == String(printed))
    #expect((sidecar["request"] as? [String: Any])?["codec"] as? String == "lt")
    #expect(sidecar["encoding"] != nil && sidecar["recording"] == nil)
    #expect(try verify("again.mov").status == 0)
  }

  @Test(.tags(.slow)) func a_sidecar_records_the_request_and_the_result() throws {
    _ = try record()
    let sidecar = try json(path("a.mov.json"))
    #expect(sidecar["state"] as? String == "complete" && sidecar["version"] as? Int == 2)
    let request = try #require(sidecar["request"] as? [String: Any])
    #expect(request["codec"] as? String == "proxy" && request["duration"] as? String == "60f")
    #expect(request["timecode"] as? String == "01:00:00:00")
    #expect(request["device"] as? String == "pattern:noise?pace=none")
    let recording = try #require(sidecar["recording"] as? [String: Any])
    #expect((recording["movie"] as? [String: Any])?["endTimecode"] as? String == "01:00:02:10")
    for key in ["source", "frames", "audio", "incidents", "latency", "threads", "writer"] {
      #expect(recording[key] != nil, "\(key)")
    }
    let run = try Recordctl(["verify", path("a.mov"), "--json"])
    #expect(run.status == 0)
    let sums = (try run.json() as? [String: Any])?["checksums"] as? [String: Any]
    #expect(sums?["fileAgrees"] as? Bool == true && sums?["frameCount"] as? Int == 60)
  }

  /// Large frames, each starting at a block, take a debug build minutes to verify.
  private static let kinds =
    [("640x360", "proxy", 30)] + (TestRun.isThorough ? [("1920x1080", "hq", 14)] : [])

  @Test(arguments: kinds)
  func a_flipped_bit_is_reported_with_frame_and_timecode(size: String, codec: String, count: Int)
    throws
  {
    _ = try record(size: size, codec: codec, frames: count)
    let index = try MovieIndex(path: path("a.mov"))
    let samples = Array(try #require(index.videoTrack).samples)
    func address(_ frame: Int) -> String {
      "01:00:0\(frame / 25):\(frame % 25 < 10 ? "0" : "")\(frame % 25)"
    }
    // In the coefficients, in the header, and in the very last byte.
    for (frame, place) in [
      (count / 2, Int(samples[count / 2].size) / 2), (0, 60),
      (count - 1, Int(samples[count - 1].size) - 1),
    ] {
      try copy("a.mov", to: "b.mov")
      try flip("b.mov", at: samples[frame].offset + UInt64(place))
      let (status, errors) = try verify("b.mov")
      #expect(status == 1)
      let (first, size) = (samples[frame].offset, UInt64(samples[frame].size))
      #expect(
        errors == [
          "error: checksum: frame \(frame) (\(address(frame))): bytes \(first) to "
            + "\(first + size - 1) are not what was written"
        ])
    }
    // With several damaged frames, the first is named and the others are counted.
    for frame in [8, 10, 13] { try flip("a.mov", at: samples[frame].offset + 500) }
    let (_, errors) = try verify("a.mov")
    #expect(errors.count == 1 && errors[0].contains("frame 8 (01:00:00:08) and 2 more: "))
  }

  @Test(arguments: kinds)
  func a_flipped_bit_outside_the_frames_is_located(
    size: String, codec: String, count: Int
  ) throws {
    _ = try record(size: size, codec: codec, frames: count)
    let index = try MovieIndex(path: path("a.mov"))
    let samples = Array(try #require(index.videoTrack).samples)
    let track = try #require(index.audioTracks.first)
    let audio = try #require(track.samples[20_000])
    let sums = try #require(try json(path("a.mov.json"))["checksums"] as? [String: Any])
    let head = try #require((sums["head"] as? [String: Any])?["byteCount"] as? UInt64)
    let tail = try #require((sums["index"] as? [String: Any])?["offset"] as? UInt64)
    for (offset, words) in [
      // The recorder's own index, now within the finished movie's media data.
      (200, "the file's beginning, bytes 0 to \(head - 1)"),
      // The stripe that brings the checksum to its value.
      (70, "the file's beginning"),
      (tail + 21, "the index ('moov'), bytes \(tail) to "),
      // A fragment's header, and the padding after a large frame.
      (head + 20, "between the frames"),
      (audio.offset + 1, "audio track \(track.id) is not what was written, from sample "),
    ] as [(UInt64, String)]
      + (size == "1920x1080"
        ? [(samples[3].offset + UInt64(samples[3].size) + 2, "between the frames")] : [])
    {
      try copy("a.mov", to: "b.mov")
      try flip("b.mov", at: offset)
      let (status, errors) = try verify("b.mov")
      #expect(status == 1)
      #expect(errors.count == 1 && errors[0].contains(words), "\(offset): \(errors)")
    }
  }

  @Test func truncated_and_extended_movies_are_reported() throws {
    _ = try record()
    let size = UInt64(Recordctl.size(path("a.mov")))
    try copy("a.mov", to: "b.mov")
    truncate(path("b.mov"), Int(size) - 200_000)
    var (status, errors) = try verify("b.mov")
    #expect(status == 1)
    #expect(
      errors.contains("error: checksum: 200000 of \(size) bytes at the end of the file are missing")
    )
    #expect(errors.contains { $0.contains("frames, 60 were written") }, "\(errors)")
    try copy("a.mov", to: "b.mov")
    let file = try FileHandle(forUpdating: URL(filePath: path("b.mov")))
    try file.seekToEnd()
    try file.write(contentsOf: Data([0, 0, 0, 8] + "free".utf8))
    try file.close()
    (status, errors) = try verify("b.mov")
    #expect(status == 1)
    #expect(errors == ["error: checksum: 8 bytes were added at the end of the file"])
  }

  @Test func foreign_and_invalid_sidecars_are_reported_in_one_line() throws {
    _ = try record("a.mov")
    // A different pattern: two takes of one pattern may contain the same frames.
    _ = try record("b.mov", frames: 40, device: "pattern:bars?pace=none")
    try FileManager.default.removeItem(atPath: path("b.mov.json"))
    try FileManager.default.copyItem(atPath: path("a.mov.json"), toPath: path("b.mov.json"))
    var (status, errors) = try verify("b.mov")
    #expect(status == 1)
    #expect(
      errors.count == 1 && errors[0].contains("the sidecar of another movie: a.mov, 60 frames"))
    for text in ["garbage", "{\"schema\": \"prores-recorder/sidecar\", \"version\": 9}", "{}"] {
      try text.write(toFile: path("b.mov.json"), atomically: true, encoding: .utf8)
      (status, errors) = try verify("b.mov")
      #expect(status == 1 && errors.count == 1, "\(errors)")
      #expect(errors[0].contains(path("b.mov.json")))
    }
    try FileManager.default.removeItem(atPath: path("b.mov.json"))
    let run = try Recordctl(["verify", path("b.mov")])
    #expect(run.status == 0 && run.output.contains("checksums  none to compare with"))
  }

  @Test func no_sidecar_is_written_if_disabled() throws {
    let run = try record("a.mov", "--no-sidecar")
    #expect(!run.output.contains("xxHash64"))
    try "[file]\nsidecar = false\n".write(
      toFile: path("p.toml"), atomically: true, encoding: .utf8)
    _ = try record("b.mov", "--preset", path("p.toml"))
    _ = try record("c.mov", "--preset", path("p.toml"), "--sidecar")
    let encode = try Recordctl(["encode", path("a.mov"), "-o", path("d.mov"), "--no-sidecar"])
    #expect(encode.status == 0)
    #expect(folder.contents == ["a.mov", "b.mov", "c.mov", "c.mov.json", "d.mov", "p.toml"])
  }

  @Test func a_replaced_movies_sidecar_is_removed_and_reported() throws {
    let notice = path("a.mov.json") + " described the replaced movie and was removed"
    _ = try record("a.mov")
    let run = try record("a.mov", frames: 30, "--overwrite", "--no-sidecar")
    #expect(run.errors.components(separatedBy: notice).count == 2, "\(run.errors)")
    #expect(folder.contents == ["a.mov"])
    _ = try record("a.mov", "--overwrite")
    let json = try record("a.mov", "--overwrite", "--no-sidecar", "--json")
    #expect(json.output.contains(#""staleSidecars""#), "\(json.output)")
    _ = try record("b.mov")
    try FileManager.default.moveItem(atPath: path("b.mov.json"), toPath: path("a.mov.json"))
    let encode = try Recordctl([
      "encode", path("b.mov"), "-o", path("a.mov"), "--overwrite", "--no-sidecar",
    ])
    #expect(
      encode.status == 0 && (encode.output + encode.errors).contains(notice), "\(encode.errors)")
    #expect(folder.contents == ["a.mov", "b.mov"])
  }

  @Test func only_sidecars_of_replaced_movies_are_removed() throws {
    _ = try record("a.mov")
    let old = try Data(contentsOf: URL(filePath: path("a.mov.json")))
    // The input has no complete frame, so the movie is not replaced.
    let movie = try Data(contentsOf: URL(filePath: path("a.mov")))
    try movie.prefix(movie.count / 100).write(to: URL(filePath: path("cut.mov")))
    let encode = try Recordctl([
      "encode", path("cut.mov"), "-o", path("a.mov"), "--overwrite", "--no-sidecar",
    ])
    #expect(encode.status != 0)
    #expect(try Data(contentsOf: URL(filePath: path("a.mov.json"))) == old)
    try "mine".write(toFile: path("a.mov.json"), atomically: true, encoding: .utf8)
    let run = try record("a.mov", frames: 30, "--overwrite", "--no-sidecar")
    #expect(!run.errors.contains("a.mov.json"), "\(run.errors)")
    #expect(try String(contentsOfFile: path("a.mov.json"), encoding: .utf8) == "mine")
  }
}
