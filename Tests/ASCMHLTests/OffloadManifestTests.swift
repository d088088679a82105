import Foundation
import TestSupport
import Testing

@testable import ASCMHL

/// The manifests of a card and of its copies.
@Suite struct OffloadManifestTests {
  @Test(arguments: ["DCIM/A001C002.mov", "ascmhl/0001_A001_2026-11-01.mhl"])
  func listed_files_missing_from_the_card_make_an_offload_unsound(path: String) throws {
    let folder = try TemporaryFolder()
    try folder.writeCard()
    try folder.write([1], "A001/" + path)
    var offload = try folder.offload(to: ["one"])
    let name = try #require(path.split(separator: "/").last.map(String.init))
    offload.calls = { place -> any FolderCalls in
      place.hasSuffix("/A001") && !place.contains("/one/")
        ? FaultyFolderCalls(.forgets(name)) : SystemFolderCalls()
    }
    let report = try offload.run()
    #expect(!report.isSound)
    let reported = report.refused.filter { $0.path == path }
    #expect(reported.contains { $0.message.contains("does not exist") }, "\(report.refused)")
  }

  @Test func a_folder_among_manifests_is_reported() throws {
    let folder = try TemporaryFolder()
    try folder.writeCard()
    try folder.write([1], "A001/DCIM/ascmhl/old/0001.mhl")
    let report = try folder.offload(to: ["one"]).run()
    #expect(report.refused.map(\.path).contains("DCIM/ascmhl/old"), "\(report.refused)")
  }

  @Test(arguments: [["one"], ["one", "two"]])
  func broken_manifests_of_a_copy_are_reported_before_copying(
    copies: [String]
  ) throws {
    let folder = try TemporaryFolder()
    try folder.writeCard()
    #expect(try folder.offload(to: copies).run().isSound)
    try folder.write([1, 2, 3], "A001/new.mov")
    try folder.write("<broken", "one/A001/ascmhl/ascmhl_chain.xml")
    let report = try folder.offload(to: copies).run()
    #expect(!report.isSound)
    let failures = try #require(report.destinations.first).failures
    #expect(failures.first?.path == "ascmhl", "\(failures)")
    #expect(failures.contains { $0.path == "new.mov" && $0.message.hasPrefix("not tried") })
    #expect(!FileManager.default.fileExists(atPath: folder.path("one/A001/new.mov")))
    for copy in report.destinations.dropFirst() {
      #expect(copy.isWhole(of: report.fileCount), "\(copy.failures)")
    }
  }

  /// The copy is made anyway, and reported as not verifiable.
  @Test func a_card_with_broken_manifests_is_copied_and_reported() throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    try folder.write("<broken", "A001/ascmhl/ascmhl_chain.xml")
    let report = try folder.offload(to: ["one"]).run()
    #expect(!report.isSound && report.refused.map(\.path) == ["ascmhl/ascmhl_chain.xml"])
    for (path, bytes) in files { #expect(try folder.bytes("one/A001/" + path) == bytes) }
  }

  @Test func the_cards_manifests_are_copied_and_reveal_damage() throws {
    let folder = try TemporaryFolder()
    try folder.write("one", "A001/a.mov")
    try folder.write("two", "A001/b.mov")
    try folder.writeManifests(
      [TemporaryFolder.entry("a.mov", "one") + TemporaryFolder.entry("b.mov", "two")], in: "A001")
    #expect(try folder.offload().run().isSound)
    let copy = folder.url.appending(path: "one/A001")
    var found = try CopyVerification.verify(folder: copy)
    #expect(found.isSound && found.manifestCount == 2)
    #expect(try folder.offload().run().isSound)
    found = try CopyVerification.verify(folder: copy)
    #expect(found.isSound && found.manifestCount == 3)
    try folder.damage("A001/b.mov")
    let report = try folder.offload(to: ["three"]).run()
    #expect(report.refused.map(\.path) == ["b.mov"] && !report.isSound)
  }

  private static let ofABC = [
    "md5": "900150983cd24fb0d6963f7d28e17f72", "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "xxh3": "78af5f94892f3950", "xxh128": "06b05ab6733a618578af5f94892f3950",
    "xxh64": "44bc2cf5ad770999",
    "c4": C4Identifier(of: [UInt8]("abc".utf8)).map { "\($0)" } ?? "",
  ]

  /// A card whose manifest lists a file containing `abc`, in this format only.
  private func card(
    _ folder: TemporaryFolder, holding content: String, listedBy format: String, _ hash: String
  ) throws {
    try folder.write(content, "A001/a.mov")
    try folder.writeManifests(
      ["<hash><path size=\"3\">a.mov</path><\(format)>\(hash)</\(format)></hash>"], in: "A001")
  }

  private func manifest(_ report: OffloadReport) throws -> String {
    try String(
      contentsOfFile: try #require(report.destinations.first?.manifest), encoding: .utf8)
  }

  @Test(arguments: Self.ofABC)
  func a_file_is_compared_with_the_cards_manifest_in_every_format(
    format: String, hash: String
  ) throws {
    var folder = try TemporaryFolder()
    try card(folder, holding: "abd", listedBy: format, hash)
    let damaged = try folder.offload(to: ["one"]).run()
    #expect(damaged.refused.map(\.path) == ["a.mov"] && !damaged.isSound)
    #expect(damaged.refused.first?.message.contains("damaged on the card") == true)
    #expect(damaged.destinations.map(\.failures) == [[]])
    #expect(!FileManager.default.fileExists(atPath: folder.path("one/A001/a.mov")))
    folder = try TemporaryFolder()
    try card(folder, holding: "abc", listedBy: format, hash)
    let whole = try folder.offload(to: ["one"]).run()
    #expect(whole.isSound, "\(whole)")
    #expect(try manifest(whole).contains("action=\"verified\""))
  }

  @Test func files_with_unknown_hash_formats_are_not_marked_verified() throws {
    let folder = try TemporaryFolder()
    try card(folder, holding: "abc", listedBy: "crc32", "352441c2")
    let report = try folder.offload(to: ["one"]).run()
    #expect(report.isSound, "\(report)")
    #expect(report.notes.contains { $0.hasPrefix("a.mov: not compared") }, "\(report.notes)")
    #expect(try !manifest(report).contains("verified"))
  }

  @Test func a_file_contradicting_the_copys_manifests_is_reported() throws {
    let folder = try TemporaryFolder()
    try folder.write("abd", "A001/a.mov")
    try folder.writeManifests([TemporaryFolder.entry("a.mov", "abc")], in: "one/A001")
    let report = try folder.offload(to: ["one"]).run()
    let destination = try #require(report.destinations.first)
    #expect(!report.isSound && destination.files.isEmpty && destination.manifest == nil)
    #expect(destination.failures.map(\.code) == ["verificationFailed"])
  }

  @Test func empty_folders_have_hashes_too() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", "A001/a.mov")
    try folder.makeFolder("A001/MISC/EMPTY")
    let text = try manifest(folder.offload(to: ["one"]).run())
    for path in ["MISC", "MISC/EMPTY"] { #expect(text.contains("<path>\(path)</path>"), "\(text)") }
    // The hash of empty data, and the resulting hash of the parent folder.
    let nothing = ContentHash(of: [])
    #expect(text.contains(">\(nothing)<"))
    let hashes = MHLFolderHashes([], folders: ["MISC/EMPTY"]).folders
    #expect(hashes.map(\.path) == ["MISC", "MISC/EMPTY"])
    #expect(hashes.last?.hashes.content == nothing)
    #expect(hashes.first?.hashes.content == ContentHash(of: nothing.bytes))
    #expect(
      hashes.first?.hashes.structure
        == ContentHash(of: ContentHash(of: [UInt8]("EMPTY".utf8) + nothing.bytes).bytes))
  }
}
