import Foundation
import TestSupport
import Testing

@testable import ASCMHL

/// Names that differ only in the Unicode spelling of a letter: equal strings, but two files.
@Suite struct OffloadSpellingTests {
  private static let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")

  /// A card with both spellings of a file name and of a folder name.
  private func files() -> [(path: String, content: String, time: Double)] {
    [
      (Self.composed + ".mov", "one", 1_500_000_000),
      (Self.decomposed + ".mov", "two", 1_600_000_000),
      (Self.composed + "/a.mov", "three", 1_500_000_000),
      (Self.decomposed + "/a.mov", "four", 1_600_000_000),
    ]
  }

  private func copied(_ folder: TemporaryFolder) throws -> OffloadReport {
    for file in files() {
      try folder.write(file.content, "A001/" + file.path)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: file.time)],
        ofItemAtPath: folder.path("A001/" + file.path))
    }
    let offload = FolderOffload(
      of: folder.url.appending(path: "A001"), to: [try folder.makeFolder("one")])
    return try offload.run()
  }

  @Test func each_unicode_spelling_has_its_own_hashes_and_times() throws {
    let folder = try TemporaryFolder()
    let report = try copied(folder)
    #expect(report.isSound, "\(report)")
    let destination = try #require(report.destinations.first)
    let manifest = try String(contentsOfFile: #require(destination.manifest), encoding: .utf8)
    for file in files() {
      let bytes = [UInt8](file.content.utf8)
      let c4 = try #require(C4Identifier(of: bytes))
      let entry = destination.files.first { $0.path.utf8.elementsEqual(file.path.utf8) }
      #expect(entry?.c4 == "\(c4)" && entry?.xxh64 == "\(ContentHash(of: bytes))")
      #expect(manifest.contains("\(c4)"))
      #expect(try folder.bytes("one/A001/" + file.path) == bytes)
    }
    let lines = manifest.split(separator: "\n")
    for day in ["2017-07-14T02:40:00", "2020-09-13T12:26:40"] {
      #expect(lines.count { $0.contains("lastmodificationdate=\"\(day)") } == 2, "\(manifest)")
    }
    let found = try CopyVerification.verify(folder: folder.url.appending(path: "one/A001"))
    #expect(found.isSound && found.verifiedCount == 4 && found.unlisted.isEmpty, "\(found)")
  }

  @Test func each_unicode_spelling_of_a_folder_has_its_own_hashes() {
    let files = files().dropFirst(2).map { file in
      MHLManifest.File(
        path: file.path, size: 0, modified: 0, xxh64: ContentHash(of: [UInt8](file.content.utf8)),
        c4: nil, isVerified: false, hashed: 0)
    }
    let found = MHLFolderHashes(files, folders: [Self.composed, Self.decomposed])
    // Sorted by bytes.
    #expect(
      found.folders.map { [UInt8]($0.path.utf8) }
        == [[UInt8](Self.decomposed.utf8), [UInt8](Self.composed.utf8)])
    let contents = [files[1], files[0]].map { ContentHash(of: $0.xxh64.bytes) }
    #expect(found.folders.map(\.hashes.content) == contents)
    let sorted = contents.sorted { $0.value < $1.value }
    #expect(found.root.content == ContentHash(of: sorted.flatMap(\.bytes)))
  }

  @Test func joined_reports_keep_both_unicode_spellings() {
    func report(_ path: String) -> OffloadReport {
      OffloadReport(
        source: "/card", fileCount: 2, byteCount: 0,
        refused: [.init(path: path, message: "is a link, not a file")])
    }
    var joined = report(Self.composed)
    joined.add(report(Self.decomposed))
    joined.add(report(Self.composed))
    #expect(joined.refused.count == 2)
  }
}
