import AssetReader
import Foundation
import MediaCore
import MovieExport
import TestSupport
import Testing

@testable import EncodeJobs

/// In and out points of a recording whose frames last for seconds, as in screen recordings.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct HeldFrameTests {
  private let folder: TemporaryFolder
  private var rig: PartsRig { PartsRig(folder: folder) }

  init() throws { folder = try TemporaryFolder() }

  /// Ten frames of value 0, one of 1 at 9 s, and one of 2 at 13 s.
  private func recording() throws -> String {
    let path = folder.path("screen.mov")
    try Judges.ffmpeg([
      "-f", "lavfi", "-i",
      "color=black:s=64x64:r=25:d=14,format=yuv422p10le,"
        + "geq=lum='64+200*gte(T,8)+200*gte(T,12)':cb=512:cr=512,"
        + "select='lt(t,0.39)+between(t,8.99,9.01)+between(t,12.99,13.01)'",
      "-fps_mode", "passthrough", "-c:v", "v210", path,
    ])
    return path
  }

  /// Without the last frame; the one before lasts for four seconds.
  private func cutRecording() throws -> String {
    let path = folder.path("cut.mov")
    try Judges.ffmpeg(["-i", try recording(), "-c", "copy", "-t", "12", path])
    #expect(try Judges.packets(path, stream: "v:0").count == 11)
    return path
  }

  /// The values shown in a movie, each with its number of frames.
  private func runs(_ path: String) throws -> [[Int]] {
    let codes = try Judges.decode(path, pixelFormat: "yuv422p10le")
    var runs: [[Int]] = []
    for frame in stride(from: 0, to: codes.count, by: 64 * 64 * 2) {
      let shown = Int(((Double(codes[frame + 64 * 32 + 32]) - 64) / 200).rounded())
      if runs.last?[0] == shown { runs[runs.count - 1][1] += 1 } else { runs.append([shown, 1]) }
    }
    return runs
  }

  /// Checks the result of a range, in one piece and in parts.
  private func expect(
    _ wanted: [[Int]], of input: String, from start: String? = nil, to end: String? = nil,
    notes: Set<String> = ["rate"], at location: SourceLocation = #_sourceLocation
  ) async throws {
    func edit(_ session: inout AssetExportSession) {
      session.edit.start = start.flatMap(ExportPoint.init)
      session.edit.end = end.flatMap(ExportPoint.init)
    }
    let whole = try await rig.encode(input, editing: edit)
    #expect(try runs(folder.path("whole.mov")) == wanted, sourceLocation: location)
    #expect(Set(whole.notes.map(\.subject)) == notes, "\(whole.notes)", sourceLocation: location)
    let job = try rig.plan(input, UUID().uuidString, parts: 1, restart: 1, editing: edit)
    let joined = try await rig.complete(job)
    #expect(try runs(joined.movie) == wanted, sourceLocation: location)
    #expect(joined.notes == whole.notes, sourceLocation: location)
  }

  @Test func points_within_one_long_frame_show_it_for_the_range() async throws {
    try await expect([[1, 50]], of: try recording(), from: "10s", to: "12s")
    try await expect([[1, 1]], of: try recording(), from: "300f", to: "301f", notes: [])
  }

  @Test func points_within_two_long_frames_show_each_for_its_share() async throws {
    try await expect([[0, 100], [1, 75]], of: try recording(), from: "5s", to: "12s")
    try await expect([[1, 75], [2, 1]], of: try recording(), from: "10s")
    try await expect([[0, 225], [1, 25]], of: try recording(), to: "10s")
  }

  @Test func points_within_the_last_frame_are_limited_by_its_duration() async throws {
    let input = try cutRecording()
    try await expect([[1, 50]], of: input, from: "10s", to: "12s")
    try await expect([[1, 75]], of: input, from: "10s")
    try await expect([[0, 100], [1, 75]], of: input, from: "5s", to: "12s")
    try await expect([[1, 75]], of: input, from: "10s", to: "14s", notes: ["rate", "out"])
    await #expect(throws: AssetReaderError.self) {
      _ = try await rig.encode(input) { $0.edit.start = ExportPoint("13s") }
    }
  }

  @Test func a_held_frame_is_also_shown_at_another_speed() async throws {
    _ = try await rig.encode(try recording()) { session in
      session.edit.start = ExportPoint("10s")
      session.edit.end = ExportPoint("12s")
      session.edit.conformRate = .fps50
    }
    #expect(try runs(folder.path("whole.mov")) == [[1, 50]])
  }
}
