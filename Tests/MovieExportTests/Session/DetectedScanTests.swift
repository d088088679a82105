import AssetReader
import MediaCore
import MovieExport
import QuickTime
import TestSupport
import Testing

/// Exports that detect the field order.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct DetectedScanTests {
  @Test(arguments: [
    ("a.v210", "-c:v v210 -f rawvideo", "a.v210?size=352x288&rate=25"),
    ("a_%03d.png", "-pix_fmt rgb24", "a_%03d.png?rate=25"),
    ("a.y4m", "-pix_fmt yuv422p", "a.y4m"),
  ])
  func field_order_is_detected_in_sources_without_a_container(
    file: String, arguments: String, location: String
  ) async throws {
    let folder = try TemporaryFolder()
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=352x288:r=50:d=0.8 -vf format=yuv444p,tinterlace=interleave_bottom "
        + "\(arguments) \(folder.path(file))")
    var session = AssetExportSession(
      location: try AssetLocation(folder.path(location)), outputPath: folder.path("out.mov"))
    session.scan = .detected
    let outcome = try await session.export()
    #expect(outcome.notes.contains { $0.message.hasPrefix("bottom field first seen in 100%") })
    let index = try MovieIndex(path: folder.path("out.mov"))
    #expect(index.videoTrack?.video?.fieldOrder == .bottomFieldFirst)
    #expect(index.videoTrack?.samples.count == 20)
  }
}
