import AssetReader
import Foundation
import MediaCore
import SystemPackage
import TestSupport
import Testing
import VideoRecorder

@testable import MovieExport

/// Partial movies of a cancelled batch.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct CancelledBatchTests {
  private let folder: TemporaryFolder
  private let movie: String

  init() throws {
    folder = try TemporaryFolder()
    movie = folder.path("a.mov")
    try Judges.ffmpeg(
      "-f lavfi -i testsrc2=s=64x64:r=25:d=2 -pix_fmt yuv420p -c:v ffv1 \(folder.path("a")).mkv")
  }

  /// A batch of one source whose export is cancelled at its first frame.
  private func batch() throws -> ExportBatch {
    let sources = try ExportSources(
      [folder.path("a.mkv")], folder: folder.path, name: "{name}", codec: "proxy",
      reusesNames: true)
    var session = AssetExportSession(
      location: AssetLocation(path: folder.path("a.mkv")), outputPath: movie)
    session.codec = .proRes422Proxy
    var batch = ExportBatch(sources, as: session)
    batch.onEvent = { event in
      if case .advanced = event { withUnsafeCurrentTask { $0?.cancel() } }
    }
    return batch
  }

  @Test func a_cancelled_batch_leaves_no_partial_movie() async throws {
    let result = try #require(await batch().run().first)
    guard case .cancelled = result else {
      Issue.record("\(result)")
      return
    }
    #expect(folder.contents == ["a.mkv"])
  }

  @Test func a_partial_movie_that_cannot_be_removed_is_a_failure() async throws {
    var batch = try batch()
    batch.unlinkFile = { _ throws(Errno) in throw .readOnlyFileSystem }
    let result = try #require(await batch.run().first)
    guard case .failed(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(
      error.message.hasPrefix("\(movie) is not complete and cannot be removed: "),
      "\(error.message)")
    #expect(folder.contents.contains("a.mov"))
  }

  @Test func a_sidecar_that_outlives_its_partial_movie_is_a_failure() async throws {
    var batch = try batch()
    let sidecar = SidecarFile(ofMovie: movie).path
    batch.unlinkFile = { path throws(Errno) in
      guard path != sidecar else { throw .ioError }
      try Errno.check(unlink(path))
    }
    let result = try #require(await batch.run().first)
    guard case .failed(let error) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(error.message.hasPrefix("\(sidecar) describes a movie"), "\(error.message)")
    #expect(!folder.contents.contains("a.mov"))
  }
}
