import AssetReader
import MediaCore
import TestSupport
import Testing

@testable import EncodeJobs
@testable import MovieExport

/// Plans from a stranger.
struct JobPlanPathTests {
  private func plan(movie: String) throws -> EncodeJobPlan {
    let session = AssetExportSession(location: AssetLocation(path: "/a.mov"), outputPath: "")
    let source = EncodeJobPlan.Source(
      input: "/a.mov", fileSize: 1, modifiedNanoseconds: 0, edges: "", codec: "", frameRate: "25",
      pictureCount: 1, frameCount: 1, restartInterval: 1, movie: movie, creationUnixTime: 0,
      index: "index/0.json", indexChecksum: "", notes: [])
    return EncodeJobPlan(
      options: try EncodeJobOptions(session), versions: .current, sources: [source],
      parts: [.init(source: 0, firstFrame: 0, frameCount: 1)])
  }

  @Test(arguments: [
    "../a.mov", "movies/../../a.mov", "../\u{301}a.mov", "movies/../../\u{301}/a.mov", "/a.mov",
    "/\u{301}a.mov",
  ])
  func a_movie_path_outside_the_job_folder_is_refused(
    movie: String
  ) throws { #expect(try !plan(movie: movie).isConsistent) }

  @Test(arguments: ["movies/a.mov", "movies/\u{301}a.mov", "movies/..a/b.mov"])
  func a_movie_path_inside_the_job_folder_is_accepted(movie: String) throws {
    #expect(try plan(movie: movie).isConsistent)
  }
}
