import AssetReader
import CaptureDevices
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MovieExport

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Sources in folders that also hold movies of earlier conversions.
struct ExportSourcesTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["archive/a.mov", "archive/day/b.mov", "archive/.note.txt"] { try put(name) }
  }

  private func put(_ name: String, _ text: String = "x") throws {
    let url = folder.url(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  private func sources(_ input: String, into output: String) throws -> ExportSources {
    try ExportSources(
      [folder.path(input)], folder: folder.path(output), name: "{name}", codec: "hq",
      reusesNames: true)
  }

  /// Inputs and outputs, relative to the folder.
  private func names(_ sources: ExportSources) -> [String] {
    sources.items.map { "\($0.input) \($0.outputPath)".replacing(folder.path(""), with: "") }
  }

  @Test func a_file_with_a_percent_sign_keeps_its_name_and_a_sequence_loses_its_number() throws {
    try put("odd/100%d percent%03d.mov")
    let found = try sources("odd", into: "out")
    #expect(names(found) == ["odd/100%d percent%03d.mov out/100%d percent%03d.mov"])
    try put("odd/s_001.dpx")
    #expect(
      names(try sources("odd/s_%03d.dpx", into: "out")) == ["odd/s_%03d.dpx out/s.mov"])
  }

  @Test func movies_a_batch_wrote_below_its_input_are_not_sources() throws {
    let first = try sources("archive", into: "archive/prores")
    #expect(
      names(first) == [
        "archive/a.mov archive/prores/a.mov", "archive/day/b.mov archive/prores/day/b.mov",
      ])
    #expect(first.notes.isEmpty)
    for name in ["archive/prores/a.mov", "archive/prores/day/b.mov"] { try put(name) }
    // Under another name too.
    try FileManager.default.createSymbolicLink(
      at: folder.url("link"), withDestinationURL: folder.url("archive/prores"))
    for output in ["archive/prores", "archive/prores/", "link"] {
      let again = try sources("archive", into: output)
      #expect(again.items.map(\.input) == first.items.map(\.input), "\(output)")
      #expect(again.notes.map(\.subject) == ["folder"])
      #expect(again.notes.first?.message.contains("archive/prores is the output folder") == true)
    }
  }

  @Test func an_input_within_the_output_folder_is_read() throws {
    let found = try sources("archive/day", into: "archive")
    #expect(found.items.count == 1 && found.notes.isEmpty)
    #expect(try sources("archive", into: "archive/../archive/day/new").items.count == 2)
  }

  @Test func parts_and_movies_of_a_conversion_in_parts_are_not_sources() throws {
    let kind = DocumentKind.encodePlan.schema
    for job in ["archive/job", "archive/day"] {
      try put("\(job)/plan.json", "{\"schema\": \"\(kind)\", \"version\": 2}")
      for name in ["parts/000000/frames.mov", "movies/deep/a.mov"] { try put("\(job)/\(name)") }
    }
    // Somebody else's plan.
    try put("archive/other/plan.json", "{\"what\": \"nothing\"}")
    try put("archive/other/parts/p.mov")
    let found = try sources("archive", into: "out")
    #expect(
      names(found).map { $0.split(separator: " ")[0] } == [
        "archive/a.mov", "archive/day/b.mov", "archive/other/parts/p.mov",
      ])
    #expect(found.notes.count { $0.message.contains("is a conversion in parts") } == 2)
    // The plan that is not a movie is reported too.
    #expect(found.notes.count == 3)
    #expect(try sources("archive/day", into: "out").items.count == 1)
    // A folder named explicitly is used.
    #expect(try sources("archive/job/movies", into: "out").items.count == 1)
    let error = #expect(throws: CaptureError.self) { try sources("archive/job", into: "out") }
    #expect(error?.message.contains("holds no movie") == true)
    #expect(error?.message.contains("is a conversion in parts") == true)
  }

  @Test func a_dangling_symbolic_link_is_listed_and_fails_when_opened() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("archive/gone.mov"), withDestinationPath: "/nowhere/at/all.mov")
    let found = try sources("archive", into: "out")
    #expect(
      found.items.map(\.input)
        == ["archive/a.mov", "archive/day/b.mov", "archive/gone.mov"].map {
          folder.path($0)
        })
    let error = #expect(throws: AssetReaderError.self) {
      try AssetReader(folder.path("archive/gone.mov"))
    }
    #expect(error?.code == .fileNotFound)
  }

  @Test func files_without_movie_names_are_reported() throws {
    for name in ["tape.QT", "day/note.txt", "other.txt", "README"] { try put("archive/" + name) }
    let found = try sources("archive", into: "out")
    #expect(
      names(found).map { $0.split(separator: " ")[0] } == [
        "archive/a.mov", "archive/day/b.mov", "archive/tape.QT",
      ])
    #expect(found.notes.count == 1)
    #expect(
      found.notes.first?.message.contains("3 files without a movie's name") == true)
    #expect(found.notes.first?.message.contains("2 .txt, 1 without an extension") == true)
  }

  @Test func hidden_files_with_movie_names_are_reported() throws {
    for name in ["day/.c.mov", "._a.mov", ".trash/d.mov", ".DS_Store"] {
      try put("archive/" + name)
    }
    let found = try sources("archive", into: "out")
    #expect(found.items.count == 2 && found.notes.count == 1)
    #expect(
      found.notes.first?.message.contains(
        "2 hidden files with a movie's name skipped: ._a.mov, day/.c.mov") == true)
  }

  @Test func a_movie_whose_name_is_not_utf8_is_refused_by_name() throws {
    let bytes: [UInt8] = Array("/caf\u{E9}.mov".unicodeScalars.map { UInt8($0.value) }) + [0]
    let path = Array(folder.path("archive").utf8) + bytes
    let file = path.withUnsafeBytes { path in
      path.baseAddress.map {
        open($0.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o644)
      }
    }
    guard let file, file >= 0 else {
      try Test.cancel("this file system accepts only names in UTF-8")
    }
    close(file)
    let error = #expect(throws: CaptureError.self) { try sources("archive", into: "out") }
    #expect(error?.message.contains("archive/caf\u{FFFD}.mov: its name is not UTF-8") == true)
  }

  @Test func folder_links_are_searched_if_named_and_reported_if_found() throws {
    try put("elsewhere/c.mov")
    try FileManager.default.createSymbolicLink(
      at: folder.url("archive/link"), withDestinationURL: folder.url("elsewhere"))
    let found = try sources("archive", into: "out")
    #expect(found.items.count == 2 && found.notes.count == 1)
    #expect(found.notes.first?.message.contains("archive/link is a link to a folder") == true)
    let named = try sources("archive/link", into: "out")
    #expect(names(named) == ["archive/link/c.mov out/c.mov"] && named.notes.isEmpty)
  }

  @Test(.enabled(if: geteuid() != 0, "root reads every folder"))
  func an_unreadable_folder_is_refused() throws {
    let closed = folder.path("archive/day")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: closed)
    }
    let error = #expect(throws: CaptureError.self) { try sources("archive", into: "out") }
    #expect(error?.message.contains("archive/day cannot be read") == true)
  }

  @Test func no_movie_replaces_another_source() throws {
    try put("archive/a_hq.mov")
    try FileManager.default.linkItem(
      at: folder.url("archive/day/b.mov"), to: folder.url("archive/c_hq.mov"))
    try put("archive/c.mov")
    func sources(_ inputs: [String], reusesNames: Bool) throws -> ExportSources {
      try ExportSources(
        inputs.map { folder.path($0) }, folder: folder.path("archive"), name: "{name}_{codec}",
        codec: "hq", reusesNames: reusesNames)
    }
    for (inputs, other) in [
      (["archive/a.mov", "archive/a_hq.mov"], "archive/a_hq.mov"),
      (["archive/day/b.mov", "archive/c.mov"], "archive/day/b.mov"), (["archive"], "_hq.mov"),
    ] {
      let error = #expect(throws: CaptureError.self) { try sources(inputs, reusesNames: false) }
      #expect(error?.code == .invalidArgument)
      #expect(error?.message.contains("\(other); leave one of the two out") == true)
    }
    #expect(throws: CaptureError.self) {
      try sources(["archive/a.mov", "archive/a_hq.mov"], reusesNames: true)
    }
    // A batch into its sources' folder continues where it stopped.
    try FileManager.default.removeItem(at: folder.url("archive/c_hq.mov"))
    let again = try sources(["archive"], reusesNames: true)
    #expect(
      names(again) == [
        "archive/a.mov archive/a_hq.mov", "archive/c.mov archive/c_hq.mov",
        "archive/day/b.mov archive/day/b_hq.mov",
      ])
    #expect(again.notes.count == 1)
    #expect(
      again.notes.first?.message.contains("archive/a_hq.mov, so that is not used as a source")
        == true)
  }
}
