import AssetReader
import MediaCore
import MovieExport
import TestSupport
import Testing

/// Audio that is played faster or slower with its video.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct ConformedAudioTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The notes about clipping when an integer square wave is played slower.
  private func clipped(
    level: Double, editing edit: (inout AssetExportSession) -> Void = { _ in }
  ) async throws -> [String] {
    let input = folder.path("\(level).mov")
    try Judges.ffmpeg([
      "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=2", "-f", "lavfi", "-i",
      "aevalsrc=if(lt(t\\,1)\\,\(level)*(2*lt(mod(n\\,96)\\,48)-1)\\,0):s=48000:d=2", "-c:v",
      "mjpeg", "-c:a", "pcm_s16le", input,
    ])
    let outcome = try await ExportRig(folder: folder).encode(input) { session in
      session.edit.conformRate = .fps24
      edit(&session)
    }
    return outcome.notes.map(\.message).filter { $0.contains("above full scale") }
  }

  @Test func resampled_audio_above_full_scale_is_reported_within_the_range()
    async throws
  {
    let reported = try await clipped(level: 1)
    #expect(reported.count == 1 && reported[0].hasPrefix("audio track 1: "), "\(reported)")
    #expect(try await clipped(level: 0.5).isEmpty)
    // The second half is silent.
    #expect(try await clipped(level: 1) { $0.edit.start = ExportPoint("30f") }.isEmpty)
  }
}
