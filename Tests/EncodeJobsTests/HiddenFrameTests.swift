import Foundation
import MediaCore
import MovieExport
import TestSupport
import Testing

@testable import EncodeJobs

/// Damage in frames that an edit list leaves out.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct HiddenFrameTests {
  private let folder: TemporaryFolder
  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  /// Four seconds whose edit list shows 2.4 s, starting at `seconds`.
  private func source(_ codec: String, from seconds: Double) throws -> String {
    let path = folder.path("a.mov")
    try Judges.ffmpeg("-f lavfi -i testsrc2=s=192x128:r=25:d=4 -c:v \(codec) \(path)")
    var bytes = try folder.bytes("a.mov")
    func place(_ name: String) throws -> Int {
      try #require(bytes.firstRange(of: Array(name.utf8))).lowerBound + 4
    }
    func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    // After version, flags and two dates.
    let units = try (number(at: place("mvhd") + 12), number(at: place("mdhd") + 12))
    let edit = try place("elst") + 8
    let values = [Int(2.4 * Double(units.0)), Int(seconds * Double(units.1))]
    for (field, value) in values.enumerated() {
      for byte in 0..<4 {
        bytes[edit + 4 * field + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte))
      }
    }
    return try folder.write(bytes, "edited.mov").path
  }

  @Test func a_damaged_hidden_frame_without_references_is_ignored() async throws {
    // The edit begins within the sixth frame, and libavformat still passes the frames before it for decoding.
    let input = try source("mjpeg -q:v 4", from: 0.22)
    try rig.damage(input, "v:0", [0])
    let notes = try await rig.reported(input, isRepaired: false)
    #expect(!notes.contains { $0.contains("decode") || $0.contains("lacks") }, "\(notes)")
  }

  /// At least as many frames are left out as any decoder has threads, so it fails before it has one that is shown.
  @Test func a_damaged_hidden_reference_frame_is_reported_as_lacking_data()
    async throws
  {
    let input = try source("mpeg4 -q:v 4 -g 250 -bf 0", from: 1.6)
    try rig.damage(input, "v:0", [2])
    let notes = try await rig.reported(input, isRepaired: true)
    #expect(notes.contains("the source lacks data at 1 place"), "\(notes)")
    #expect(!notes.contains { $0.contains("decode") }, "\(notes)")
    #expect(try await rig.encode(input).framesUndecoded == 0)
  }
  @Test func hidden_damage_counts_if_no_sync_frame_precedes_the_in_point()
    async throws
  {
    let input = try source("mpeg4 -q:v 4 -g 250 -bf 0", from: 1.6)
    try rig.damage(input, "v:0", [2])
    let notes = try await rig.reported(input, isRepaired: true) { session in
      session.edit.start = ExportPoint("5f")
    }
    #expect(notes.contains("the source lacks data at 1 place"), "\(notes)")
  }
}
