import AssetReader
import AssetWriter
import MediaCore
import Testing

@testable import MovieExport

/// How an export's movies are written.
@Suite struct ExportPlanTests {
  @Test func a_copy_hidden_until_complete_synchronizes_only_once() {
    let session = AssetExportSession(location: AssetLocation(path: "a.mov"), outputPath: "b.mov")
    let copy = ExportPlan.configuration(session, copiesFrames: true)
    #expect(!copy.synchronizesFragments && copy.takesChecksums)
    #expect(copy.interleavingWindow > 3600)
    let encoding = ExportPlan.configuration(session, copiesFrames: false)
    #expect(encoding.synchronizesFragments && encoding.interleavingWindow == 0.5)
  }
}
