import AssetReader
import Foundation
import MediaCore
import TestSupport
import Testing
import VideoRecorder

@testable import MovieExport

/// Existing movies that were made with other settings than the present ones.
@Suite(.tags(.judges), .enabled(if: Judges.arePresent, Judges.absence)) struct ExistingMovieTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] {
      try Judges.ffmpeg(
        "-f lavfi -i testsrc2=s=64x64:r=25:d=0.4 -pix_fmt yuv420p -c:v ffv1 \(folder.path(name)).mkv"
      )
    }
  }

  private func session(
    _ input: String = "a.mkv", editing edit: (inout AssetExportSession) -> Void = { _ in }
  ) -> AssetExportSession {
    var session = AssetExportSession(
      location: AssetLocation(path: folder.path(input)), outputPath: folder.path("a.mov"))
    session.codec = .proRes422Proxy
    edit(&session)
    return session
  }

  private func notes(_ wanted: AssetExportSession) throws -> [String] {
    let movie = try ExistingMovie(path: folder.path("a.mov"), mayStay: true)
    #expect(movie.state == .complete)
    return movie.notes(wanted: wanted).map(\.message)
  }

  @Test func a_movie_made_with_other_settings_is_reported_with_the_differences() async throws {
    let made = session { $0.edit.start = ExportPoint("2f") }
    _ = try await made.export()
    #expect(try notes(made).isEmpty)
    var silent = made
    silent.edit.audio = .none
    let others: [(String, AssetExportSession)] = [
      ("codec proxy instead of hq", session { ($0.codec, $0.edit) = (.proRes422HQ, made.edit) }),
      // The automatic choice for the source is HQ.
      ("codec proxy instead of hq", session { ($0.codec, $0.edit) = (nil, made.edit) }),
      ("in point 2f instead of default", session()),
      ("audio default instead of none", silent),
      (
        "source \(folder.path("a.mkv")) instead of \(folder.path("b.mkv"))",
        session("b.mkv") { $0.edit = made.edit }
      ),
    ]
    for (words, wanted) in others {
      let reported = try notes(wanted)
      #expect(reported.count == 1, "\(reported)")
      #expect(
        reported.first?.hasPrefix("it was made with other settings: \(words); left unchanged")
          == true,
        "\(reported)")
    }
  }

  @Test func options_missing_from_an_older_sidecar_are_reported() async throws {
    let made = session()
    _ = try await made.export()
    let file = SidecarFile(ofMovie: made.outputPath)
    var sidecar = try #require(try file.read())
    #expect(sidecar.request.options == ["codec": "proxy"])
    sidecar.request.options = nil
    try file.write(sidecar)
    let reported = try notes(made)
    #expect(
      reported.count == 1
        && reported[0].hasPrefix("its sidecar does not say how video and audio were processed"))
    // The codec is known from the movie itself.
    let other = try notes(session { $0.codec = .proRes422LT })
    #expect(other.count == 2 && other[0].contains("codec proxy instead of lt"), "\(other)")
  }

  @Test func other_spellings_of_the_same_source_are_recognized() async throws {
    _ = try await session().export()
    let file = SidecarFile(ofMovie: folder.path("a.mov"))
    // As a join records the source of a plan.
    let raw = folder.path("a.v210") + "?size=64x64&rate=25"
    var wanted = session()
    wanted.location = try AssetLocation(raw)
    var sidecar = try #require(try file.read())
    sidecar.request.input = raw
    sidecar.request.options = ExportOptions(wanted).values
    try file.write(sidecar)
    #expect(try notes(wanted).isEmpty)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path(""))
    sidecar.request.input = folder.path("link/a.mkv")
    sidecar.request.options = ExportOptions(session()).values
    try file.write(sidecar)
    #expect(try notes(session()).isEmpty)
  }

  @Test func a_batch_skips_and_reports_a_movie_made_with_other_settings() async throws {
    _ = try await session().export()
    let before = try folder.bytes("a.mov")
    let sources = try ExportSources(
      [folder.path("a.mkv")], folder: folder.path, name: "{name}", codec: "lt", reusesNames: true)
    var batch = ExportBatch(sources, as: session { $0.codec = .proRes422LT })
    batch.skipsExisting = true
    guard case .skipped(let notes)? = await batch.run().first else {
      Issue.record("the movie was made again")
      return
    }
    #expect(notes.map(\.subject) == ["options"] && notes[0].kind == .changed)
    #expect(try folder.bytes("a.mov") == before)
  }
}
