import AssetReader
import EncodeJobs
import Foundation
import MediaCore
import MovieExport
import TestSupport
import Testing

/// What happens to frames during a conversion is reported alike in one piece and in parts.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct FramesReportedTests {
  private let folder: TemporaryFolder
  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  private func make(_ line: String, _ name: String) throws -> String {
    try Judges.ffmpeg(line + " " + folder.path(name))
    return folder.path(name)
  }

  private func damagedFrames() throws -> String {
    let path = try make(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=4 -pix_fmt yuv420p -c:v mpeg2video -bf 2 -g 12 -q:v 4",
      "damaged.mov")
    try rig.damage(path, "v:0", [40, 41, 70], behind: 0.5)
    return path
  }

  @Test func damaged_frames_are_reported_within_the_range() async throws {
    let input = try damagedFrames()
    let notes = try await rig.reported(input, isRepaired: true)
    #expect(
      notes.contains {
        $0.contains("frames are damaged in the source, the first at 1.6 s; the decoder filled in")
      }, "\(notes)")
    let rest = try await rig.reported(input, isRepaired: false) { session in
      session.edit.start = ExportPoint("50f")
      session.edit.end = ExportPoint("65f")
    }
    #expect(!rest.contains { $0.contains("damaged") }, "\(rest)")
  }

  @Test func format_changes_and_data_gaps_are_reported() async throws {
    let halves = [("progressive", "1", "bt709", ""), ("fields", "4/3", "bt470bg", ":interlaced=1")]
    var joined = Data()
    for (number, half) in halves.enumerated() {
      // The second continues where the first one ends, but its packet counters start anew.
      let path = try make(
        "-f lavfi -i testsrc2=s=352x288:r=25:d=1 -vf setsar=\(half.1) -pix_fmt yuv420p -c:v libx264 "
          + "-preset ultrafast -bf 0 -g 10 -x264-params "
          + "colorprim=\(half.2):transfer=bt709:colormatrix=bt709\(half.3) -output_ts_offset \(number)",
        "\(half.0).ts")
      joined += try Data(contentsOf: URL(filePath: path))
    }
    let input = folder.path("joined.ts")
    try joined.write(to: URL(filePath: input))
    let notes = try await rig.reported(input, isRepaired: true)
    for words in [
      "field order changes to interlaced, ",
      "pixel aspect ratio changes to 4:3 at 1 s", "color changes to 5-1-1 at 1 s",
    ] {
      #expect(
        notes.contains { $0.contains(words) && $0.contains("25 of them wrongly") },
        "\(words): \(notes)")
    }
    #expect(notes.contains("the source lacks data at 1 place"), "\(notes)")
  }

  @Test func metadata_of_later_frames_only_is_reported() async throws {
    _ = try make("-f lavfi -i testsrc2=s=192x128:r=25:d=1.2", "plain_%02d.jpg")
    // A color profile after the start of each image, from the thirteenth onward.
    let profile = Array("ICC_PROFILE\0".utf8) + [1, 1] + [UInt8](repeating: 7, count: 130)
    let length = profile.count + 2
    let segment = [0xFF, 0xE2, UInt8(length >> 8), UInt8(length & 255)] + profile
    for number in 13...30 {
      var frame = try folder.bytes("plain_\(number).jpg")
      frame.insert(contentsOf: segment, at: 2)
      try folder.write(frame, "plain_\(number).jpg")
    }
    let input = try make("-framerate 25 -i \(folder.path("plain_%02d.jpg")) -c copy", "later.mkv")
    let notes = try await rig.reported(input, isRepaired: false)
    #expect(notes.contains("ICC color profile dropped"), "\(notes)")
  }

  @Test func the_plan_reports_undecodable_initial_frames() async throws {
    let input = try make(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=2 -c:v mjpeg -q:v 4", "begins.mov")
    try rig.damage(input, "v:0", [0, 1, 2])
    let words = "3 frames do not decode, the first at 0 s, and are left out"
    let notes = try await rig.reported(input, isRepaired: true)
    #expect(notes.contains(words), "\(notes)")
    let job = try rig.plan(input, "job", parts: 2)
    let planned = job.plan.sources[0]
    #expect(planned.pictures?.undecoded?.count == 3 && planned.notes.map(\.message) == [words])
    let movie = try await rig.complete(job).movie
    let sidecar = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(filePath: movie + ".json")))
    let encoding = (sidecar as? [String: Any])?["encoding"] as? [String: Any]
    #expect(encoding?["framesUndecoded"] as? Int == 3)
  }

  @Test(arguments: ["mjpeg -q:v 4", "mpeg4 -q:v 4 -bf 2 -g 12"])
  func early_undecodable_frames_do_not_prevent_planning(
    codec: String
  ) async throws {
    let input = try make("-f lavfi -i testsrc2=s=192x128:r=25:d=2 -c:v \(codec)", "broken.mov")
    try rig.damage(input, "v:0", [3, 6])
    let notes = try await rig.reported(input, isRepaired: true)
    #expect(notes.contains { $0.hasPrefix("2 frames do not decode, the first at ") }, "\(notes)")
    guard codec.hasPrefix("mjpeg") else { return }
    #expect(notes.contains("2 frames do not decode, the first at 0.08 s, and are left out"))
    let rest = try await rig.reported(input, isRepaired: true) { session in
      session.edit.start = ExportPoint("5f")
      session.edit.end = ExportPoint("20f")
    }
    #expect(rest.contains("1 frame does not decode, at 0 s, and is left out"), "\(rest)")
  }

  /// The plan of a short source does not decode this far; that of a long one does.
  @Test(arguments: [(2, false), (128, true)])
  func a_later_undecodable_frame_is_found_by_the_plan_or_by_its_part(
    seconds: Int, isReported: Bool
  ) async throws {
    let input = try make(
      "-f lavfi -i testsrc2=s=64x48:r=25:d=\(seconds) -c:v mjpeg -q:v 4", "later.mov")
    try rig.damage(input, "v:0", [10])
    let job = try rig.plan(input, "job", parts: 2)
    #expect(job.plan.sources[0].pictures?.undecoded?.count == (isReported ? 1 : nil))
    #expect(job.plan.sources[0].pictureCount == seconds * 25 - (isReported ? 1 : 0))
    guard !isReported else { return }
    let error = await #expect(throws: EncodeJobError.self) {
      _ = try await PartEncoder(job, part: 0).run()
    }
    #expect(error?.code == .pictureMissing && error?.isWorthRetrying == false)
    #expect(error?.message.contains("the frame at 0.4 s cannot be decoded") == true)
  }

  @Test func undecodable_audio_is_not_counted_as_missing_frames() async throws {
    let input = try make(
      "-f lavfi -i testsrc2=s=192x128:r=25:d=4 -f lavfi -i sine=440:d=4 -pix_fmt yuv420p "
        + "-c:v libx264 -preset ultrafast -bf 2 -g 12 -c:a aac -shortest", "sound.mp4")
    // The first of them comes before the first frame is decoded.
    try rig.damage(input, "a:0", [1, 50, 51], with: 0xFF)
    let words = "audio track 1: 3 packets do not decode, and are left out"
    let whole = try await rig.encode(input)
    #expect(whole.framesUndecoded == 0 && whole.wasRepaired)
    #expect(whole.notes.map(\.message).contains(words), "\(whole.notes)")
    let joined = try await rig.complete(try rig.plan(input, "job", parts: 2))
    #expect(joined.wasRepaired)
    #expect(joined.notes.map(\.message).contains(words), "\(joined.notes)")
    #expect(!joined.notes.contains { $0.subject == "frames" }, "\(joined.notes)")
  }

  @Test func parts_without_a_frame_record_are_joined_and_reported() async throws {
    let job = try rig.plan(try damagedFrames(), "job", parts: 3)
    for number in 0..<3 { _ = try await PartEncoder(job, part: number).run() }
    // As in parts made before this record existed.
    let record = URL(filePath: job.folder + "/parts/000001/part.json")
    var object = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: record)) as? [String: Any])
    #expect(object.removeValue(forKey: "pictures") != nil)
    object["extras"] = [String]()
    try JSONSerialization.data(withJSONObject: object).write(to: record)
    let outcome = try await MovieJoiner(job, source: 0).run()
    #expect(
      outcome.notes.contains {
        $0.kind == .assumed && $0.message.hasPrefix("1 of 3 parts have no record")
      }, "\(outcome.notes)")
  }
}
