import Foundation
import MediaCore
import TestSupport
import Testing

@testable import ASCMHL

/// Copies made by other programs, and copies changed afterwards.
@Suite struct CopyVerificationTests {
  private static let md5OfABC = "900150983cd24fb0d6963f7d28e17f72"

  @Test func c4_identifiers_match_the_standard() throws {
    // The identifier of empty data, as in SMPTE ST 2114 and the reference tool.
    let empty =
      "c459dsjfscH38cYeXXYogktxf4Cd9ibshE3BHUo6a58hBXmRQdZrAkZzsWcbWtDg5oQstpDuni4Hirj75GEmTc1sFT"
    #expect(C4Identifier(of: []).map { "\($0)" } == empty)
    #expect(C4Identifier(empty)?.digest == C4Identifier(of: [])?.digest)
    #expect(C4Identifier(String(empty.dropLast()) + "0") == nil)
    #expect(ContentHash(of: []).description == "ef46db3751d8e999")
  }

  @Test func a_renamed_file_is_checked_by_its_new_name() throws {
    let folder = try TemporaryFolder()
    try folder.write([UInt8]("abc".utf8), "new")
    // The second manifest has another kind of hash for the file; the hash of the first one still counts.
    try folder.writeManifests(
      [
        "<hash><path size=\"3\">old</path><md5>\(Self.md5OfABC)</md5></hash>",
        "<hash><path size=\"3\">new</path><crc32>352441c2</crc32>"
          + "<previousPath>old</previousPath></hash>",
      ])
    let found = try folder.verify()
    #expect(found.isSound && found.verifiedCount == 1 && found.unlisted.isEmpty)
    try folder.write([UInt8]("abd".utf8), "new")
    #expect(
      try folder.verify().damaged.map(\.path) == ["new"])
  }

  @Test func swapped_and_shifted_names_are_checked_by_their_new_ones() throws {
    let folder = try TemporaryFolder()
    func entry(_ path: String, _ content: String, was previous: String? = nil) -> String {
      TemporaryFolder.entry(path, content, was: previous)
    }
    for (name, content) in [("a", "two"), ("b", "one"), ("d", "three"), ("e", "four")] {
      try folder.write([UInt8](content.utf8), name)
    }
    // Two files swap names, and two move on by one letter.
    try folder.writeManifests(
      [
        entry("a", "one") + entry("b", "two") + entry("c", "three") + entry("d", "four"),
        entry("a", "two", was: "b") + entry("b", "one", was: "a") + entry("d", "three", was: "c")
          + entry("e", "four", was: "d"),
      ])
    let found = try folder.verify()
    #expect(found.isSound && found.verifiedCount == 4 && found.unlisted.isEmpty, "\(found)")
    // A file that was also changed is found under its new name.
    try folder.write([UInt8]("two".utf8), "b")
    #expect(try folder.verify().damaged.map(\.path) == ["b"])
  }

  @Test(.timeLimit(.minutes(1)))
  func many_changed_files_are_reported_quickly() throws {
    let count = 20_000
    let entries = (0..<count).map { index in
      "<hash><path>\(index)</path><xxh64>\(ContentHash(value: UInt64(index)))</xxh64></hash>"
    }
    let folder = try TemporaryFolder()
    try folder.writeManifests([entries.joined()])
    // Every file has different content, except for two that swapped names.
    let copy = try CopyFolder(folder.url.path)
    let found = try CopyVerification.verify(copy, name: "copy", homes: [""], files: []) { entry in
      let own = UInt64(entry.path) ?? 0
      let number = own < 2 ? own ^ 1 : own + 1 << 40
      return .mismatch(
        FileCheck.Mismatch(
          entry: entry, found: ["xxh64": "\(ContentHash(value: number))"], message: "is another"))
    }
    #expect(found.renamed.map(\.path) == ["0", "1"])
    #expect(found.damaged.count == count - 2)
  }

  @Test(arguments: [
    "md5": Self.md5OfABC,
    "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "xxh3": "78AF5F94892F3950", "xxh128": "06b05ab6733a618578af5f94892f3950",
    "xxh64": "44bc2cf5ad770999",
  ])
  func every_format_of_asc_mhl_is_checked(format: String, ofABC: String) throws {
    let folder = try TemporaryFolder()
    try foreignCopy(folder, hashes: [format: ofABC])
    #expect(try folder.verify().isSound)
    try folder.write([UInt8]("abd".utf8), "a")
    let damaged = try folder.verify()
    #expect(damaged.damaged.map(\.path) == ["a"] && !damaged.isSound)
  }

  @Test func files_that_cannot_be_checked_make_a_copy_unsound() throws {
    let folder = try TemporaryFolder()
    try foreignCopy(folder, hashes: ["crc32": "352441c2"])
    let found = try folder.verify()
    #expect(found.unchecked == ["a"] && found.verifiedCount == 0 && !found.isSound)
  }

  @Test func missing_paths_with_backslashes_name_the_intended_file() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", "day1/a.mov")
    try folder.write("abc", #"b\c"#)
    func hash(_ path: String) -> String {
      "<hash><path>\(path)</path><md5>\(Self.md5OfABC)</md5></hash>"
    }
    try folder.writeManifests([hash(#"day1\a.mov"#) + hash(#"b\c"#) + hash(#"day1\gone"#)])
    let found = try folder.verify()
    #expect(found.verifiedCount == 1, "a name may have a backslash")
    #expect(found.missing.map(\.path) == [#"day1\a.mov"#, #"day1\gone"#])
    #expect(
      found.missing.first?.message
        == "is missing; the manifest has backslashes instead of slashes, so day1/a.mov, which "
        + "exists, was not checked")
    #expect(found.missing.last?.message.contains("which are not separators here") == true)
  }

  @Test func two_unicode_spellings_are_two_files() throws {
    let folder = try TemporaryFolder()
    let names = ["caf\u{E9}", "cafe\u{301}"]
    try foreignCopy(
      folder, names: names, hashes: ["md5": Self.md5OfABC])
    #expect(try folder.verify().verifiedCount == 2)
    for name in names {
      try folder.write([UInt8]("abd".utf8), name)
      #expect(try folder.verify().damaged.count == 1)
      try folder.write([UInt8]("abc".utf8), name)
    }
  }

  @Test(
    .tags(.judges, .network), .timeLimit(.minutes(10)),
    .enabled(if: ASCMHLTool.isPresent, ASCMHLTool.absence))
  func nested_manifests_of_the_reference_tool_are_checked() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "card/a.mov")
    try folder.write([2], "b.mov")
    for path in [folder.url.path + "/card", folder.url.path] {
      let answer = try ASCMHLTool.create(path)
      try #require(answer.status == 0, "\(answer.output)")
    }
    var found = try folder.verify()
    #expect(found.isSound && found.verifiedCount == 2 && found.unlisted.isEmpty)
    try folder.write([3], "card/a.mov")
    #expect(
      try folder.verify().damaged.map(\.path) == ["card/a.mov"])
    // The folder is removed with its manifests.
    try FileManager.default.removeItem(atPath: folder.url.path + "/card")
    found = try folder.verify()
    #expect(found.missing.count == 1 && !found.isSound)
  }

  @Test func a_manifest_of_more_than_ten_megabytes_is_read() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", "there.mov")
    let part = String(repeating: "long-name-", count: 20)
    let name = part + "/" + part
    // The number comes first, because names with a common prefix are slow to sort.
    let others = (0..<26_000).map { TemporaryFolder.entry("\($0)\(name).mov", "abc") }
    try folder.writeManifests([TemporaryFolder.entry("there.mov", "abc") + others.joined()])
    try #require(try folder.bytes("ascmhl/0001.mhl").count > 10_000_000)
    let found = try folder.verify()
    #expect(found.verifiedCount == 1 && found.missing.count == 26_000)
    #expect(found.invalidManifests.isEmpty && !found.isSound)
  }

  @Test(arguments: Array(stride(from: 0, to: 226, by: 15)))
  func a_truncated_chain_is_reported(length: Int) throws {
    let folder = try TemporaryFolder()
    try folder.writeCopy(["a.mov": "one", "b.mov": "two"])
    #expect(try folder.verify().isSound)
    let chain = try folder.bytes("ascmhl/ascmhl_chain.xml")
    try #require(chain.count > length)
    try folder.write(Array(chain.prefix(length)), "ascmhl/ascmhl_chain.xml")
    try folder.damage("b.mov")
    let found = try folder.verify()
    #expect(
      !found.isSound && found.invalidManifests.map(\.path).contains("ascmhl/ascmhl_chain.xml"))
    // The rest of the manifest is still used.
    #expect(found.damaged.map(\.path) == ["b.mov"] && found.verifiedCount == 1)
  }

  @Test func missing_and_incomplete_chains_are_reported() throws {
    let folder = try TemporaryFolder()
    try folder.write("one", "a.mov")
    try folder.write("two", "b.mov")
    let entries = [TemporaryFolder.entry("a.mov", "one"), TemporaryFolder.entry("b.mov", "two")]
    try folder.writeManifests(entries)
    #expect(try folder.verify().isSound)
    let first = try folder.bytes("ascmhl/0001.mhl")
    try folder.write(
      TemporaryFolder.chain([("0001.mhl", first)]), "ascmhl/ascmhl_chain.xml")
    try folder.damage("b.mov")
    var found = try folder.verify()
    #expect(found.invalidManifests.map(\.path) == ["ascmhl/0002.mhl"])
    #expect(found.damaged.map(\.path) == ["b.mov"])
    try FileManager.default.removeItem(atPath: folder.path("ascmhl/ascmhl_chain.xml"))
    found = try folder.verify()
    #expect(!found.isSound && found.damaged.map(\.path) == ["b.mov"])
    // Even if all files are intact, the copy is not sound.
    try folder.write("two", "b.mov")
    #expect(try !folder.verify().isSound)
  }

  @Test(arguments: ["9223372036854775807", "0", "-1", "x"])
  func an_invalid_sequence_number_is_reported(number: String) throws {
    let folder = try TemporaryFolder()
    try folder.writeCopy(["a.mov": "one"])
    let chain = String(decoding: try folder.bytes("ascmhl/ascmhl_chain.xml"), as: UTF8.self)
    try folder.write(
      chain.replacing("sequencenr=\"1\"", with: "sequencenr=\"\(number)\""),
      "ascmhl/ascmhl_chain.xml")
    #expect(try !folder.verify().isSound)
    let error = #expect(throws: ASCMHLError.self) {
      var history = try MHLHistory(CopyFolder(folder.url.path))
      try history.prepareToAdd()
    }
    #expect(error?.code == .invalidManifest)
  }

  @Test func spaces_and_line_breaks_are_part_of_a_name() throws {
    let folder = try TemporaryFolder()
    let names = [" lead.mov", "end ", "a  b.mov", "tab\t.mov", "line\n.mov", "return\r.mov", " "]
    try folder.writeCopy(Dictionary(uniqueKeysWithValues: names.map { ($0, "abc") }))
    let found = try folder.verify()
    #expect(found.isSound && found.verifiedCount == names.count, "\(found)")
  }

  @Test func paths_leaving_the_folder_are_not_followed() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", "outside/secret.mov")
    let copy = try folder.makeFolder("copy")
    for link in ["folder", "deep"] {
      try FileManager.default.createSymbolicLink(
        at: copy.appending(path: link), withDestinationURL: folder.url.appending(path: "outside"))
    }
    try FileManager.default.createSymbolicLink(
      at: copy.appending(path: "link.mov"),
      withDestinationURL: folder.url.appending(path: "outside/secret.mov"))
    let paths = [
      "folder/secret.mov", "deep/secret.mov", "link.mov", "../outside/secret.mov",
      folder.path("outside/secret.mov"), "./../outside/secret.mov", "a//b",
    ]
    try folder.writeManifests([paths.map { TemporaryFolder.entry($0, "abc") }.joined()], in: "copy")
    let found = try CopyVerification.verify(folder: copy)
    #expect(found.verifiedCount == 0 && found.missing.isEmpty)
    #expect(Set(found.damaged.map(\.path)) == Set(paths))
  }

  /// What a full disk or a process killed between writing the manifest and the chain leaves.
  @Test(arguments: [false, true])
  func an_interrupted_history_is_completed_by_the_next_copy(hasManifest: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("one", "a.mov")
    try folder.makeFolder("ascmhl")
    if hasManifest {
      try folder.write(
        TemporaryFolder.manifest(TemporaryFolder.entry("a.mov", "one")), "ascmhl/0001_x.mhl")
    }
    #expect(try !folder.verify().isSound)
    var history = try MHLHistory(CopyFolder(folder.url.path))
    let file = MHLManifest.File(
      path: "a.mov", size: 3, modified: 0, xxh64: ContentHash(of: [UInt8]("one".utf8)), c4: nil,
      isVerified: hasManifest, hashed: 0)
    _ = try history.add(
      MHLManifest(date: 0, toolVersion: "1", files: [file], isWhole: true))
    let found = try folder.verify()
    #expect(found.isSound && found.manifestCount == (hasManifest ? 2 : 1), "\(found)")
  }

  private func file(_ path: String, _ content: String) -> MHLManifest.File {
    MHLManifest.File(
      path: path, size: Int64(content.utf8.count), modified: 0,
      xxh64: ContentHash(of: [UInt8](content.utf8)), c4: nil, isVerified: false, hashed: 0)
  }

  /// What several machines copying to one place leave if one of them wrote the chain last.
  @Test func manifests_missing_from_the_chain_are_renumbered_and_added() throws {
    let folder = try TemporaryFolder()
    try folder.writeCopy(["a.mov": "one"])
    for name in ["b", "c"] {
      try folder.write(name, name + ".mov")
      try folder.write(
        TemporaryFolder.manifest(TemporaryFolder.entry(name + ".mov", name)),
        "ascmhl/0002_\(name).mhl")
    }
    try folder.write("four", "d.mov")
    let copy = try CopyFolder(folder.url.path)
    let added = try MHLHistory.add(
      [file("d.mov", "four")], to: copy, date: 0, toolVersion: "1")
    #expect(added.path?.hasPrefix("ascmhl/0004_") == true, "\(added)")
    let found = try folder.verify()
    #expect(found.isSound && found.manifestCount == 4 && found.verifiedCount == 4, "\(found)")
    let names = try copy.names(in: "ascmhl")
    #expect(names.contains("0002_b.mhl") && names.contains("0003_c.mhl"))
    #expect(names.count == 5, "no lock file remains: \(names)")
    // With several manifests and no chain, it is unknown which are missing.
    try FileManager.default.removeItem(atPath: folder.path("ascmhl/ascmhl_chain.xml"))
    let error = #expect(throws: ASCMHLError.self) {
      try MHLHistory.add([file("d.mov", "four")], to: copy, date: 0, toolVersion: "1")
    }
    #expect(error?.code == .invalidManifest)
  }

  @Test func concurrent_copies_into_one_folder_each_have_a_manifest() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.path
    for number in 0..<12 { try folder.write("\(number)", "f\(number).mov") }
    let files = (0..<12).map { file("f\($0).mov", "\($0)") }
    let results = ConcurrentMap.results(12) { index throws(ASCMHLError) -> String? in
      try MHLHistory.add(
        [files[index]], to: CopyFolder(path), date: 0, toolVersion: "1"
      ).path
    }
    for result in results { #expect(try result.get() != nil) }
    let found = try folder.verify()
    #expect(found.isSound && found.manifestCount == 12 && found.verifiedCount == 12, "\(found)")
  }

  @Test func a_manifest_with_a_document_type_is_refused() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", "a.mov")
    let bomb =
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
    let manifest = [UInt8](
      (bomb + TemporaryFolder.manifest(TemporaryFolder.entry("a.mov", "abc"))).utf8)
    try folder.write(manifest, "ascmhl/0001.mhl")
    try folder.write(
      TemporaryFolder.chain([("0001.mhl", manifest)]), "ascmhl/ascmhl_chain.xml")
    let found = try folder.verify()
    #expect(
      !found.isSound && found.invalidManifests.first?.message.contains("document type") == true)
  }

  /// Writes files that contain `abc`, with a manifest as another program could write it.
  private func foreignCopy(
    _ folder: TemporaryFolder, names: [String] = ["a"], hashes: [String: String]
  ) throws {
    var entries = ""
    for name in names {
      try folder.write("abc", name)
      entries += "<hash><path size=\"3\">\(name)</path>"
      entries += hashes.map { "<\($0) action=\"original\">\($1)</\($0)>" }.joined() + "</hash>"
    }
    try folder.writeManifests([entries])
  }
}
