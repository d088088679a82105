import Foundation
import MediaLibrary
import TestSupport
import Testing

@Suite struct ExportTests {
  private func filled(_ count: Int = 3) async throws -> (test: TestLibrary, assets: [Asset]) {
    let test = try TestLibrary()
    let dng = try test.folder.write(TestMedia.dng(), "IMG & <1>.dng")
    try await test.add(dng)
    for seed in 1..<count {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png"))
    }
    return (test, try test.library.fetchAssets().allObjects())
  }

  private func damage(_ path: String) throws {
    var bytes = try Data(contentsOf: URL(filePath: path))
    bytes[bytes.count / 2] ^= 0x40
    try bytes.write(to: URL(filePath: path))
  }

  @Test func an_export_is_verified_and_a_damaged_copy_is_named() async throws {
    let (test, assets) = try await filled()
    let folder = test.folder.url.appending(path: "Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.failures.isEmpty)
    #expect(report.files.count == 3)
    let sound = try CopyVerification.verify(folder: folder)
    #expect(sound.isSound && sound.verifiedCount == 3 && sound.unlisted.isEmpty)
    let victim = report.files[1].path
    try damage(folder.path + "/" + victim)
    let broken = try CopyVerification.verify(folder: folder)
    #expect(broken.damaged.map(\.path) == [victim])
    #expect(broken.verifiedCount == 2)
    try FileManager.default.removeItem(atPath: folder.path + "/" + report.files[2].path)
    #expect(
      try CopyVerification.verify(folder: folder).missing.map(\.path) == [report.files[2].path])
  }

  @Test func a_second_export_makes_a_second_manifest_and_copies_only_what_is_new() async throws {
    let (test, assets) = try await filled()
    let folder = test.folder.url.appending(path: "Copy")
    _ = try await test.library.export(Array(assets.prefix(2)), to: folder)
    let second = try await test.library.export(assets, to: folder)
    #expect(second.files.map(\.wasPresent) == [true, true, false])
    let result = try CopyVerification.verify(folder: folder)
    #expect(result.manifestCount == 2)
    #expect(result.isSound && result.verifiedCount == 3)
  }

  @Test func a_manifest_that_was_changed_is_refused() async throws {
    let (test, assets) = try await filled(1)
    let folder = test.folder.url.appending(path: "Copy")
    let report = try await test.library.export(assets, to: folder)
    try damage(try #require(report.manifest))
    let error = #expect(throws: MediaLibraryError.self) {
      try CopyVerification.verify(folder: folder)
    }
    #expect(error?.code == .invalidManifest)
  }

  @Test func what_is_damaged_in_the_library_is_not_handed_on() async throws {
    let (test, assets) = try await filled()
    let resource = try #require(assets[2].resources.first)
    try damage(resource.fileURL.path)
    let folder = test.folder.url.appending(path: "Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.files.count == 2)
    #expect(report.failures.map(\.path) == [resource.relativePath])
    #expect(try CopyVerification.verify(folder: folder).isSound)
    let verification = try await test.library.verify()
    #expect(verification.damaged.map(\.path) == [resource.relativePath])
    #expect(verification.checkedCount == 3)
  }

  @Test func nothing_is_overwritten() async throws {
    let (test, assets) = try await filled(1)
    let path = try #require(assets.first?.resources.first?.relativePath)
    try test.folder.write([1, 2, 3], "Copy/" + path)
    let folder = test.folder.url.appending(path: "Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.files.isEmpty && report.failures.count == 1)
    #expect(try [UInt8](Data(contentsOf: folder.appending(path: path))) == [1, 2, 3])
  }

  @Test func offloading_deletes_only_what_is_whole_in_every_folder() async throws {
    let (test, assets) = try await filled()
    try damage(try #require(assets[0].fileURL).path)
    let folders = ["A", "B"].map { test.folder.url.appending(path: $0) }
    let result = try await test.library.offload(assets, to: folders, deletes: true)
    #expect(Set(result.deleted) == Set(assets.dropFirst().map(\.localIdentifier)))
    #expect(try test.library.fetchAssets().allObjects().map(\.localIdentifier) == [assets[0].id])
    for folder in folders { #expect(try CopyVerification.verify(folder: folder).isSound) }
  }

  @Test func an_export_into_the_library_is_refused() async throws {
    let (test, assets) = try await filled(1)
    let inside = URL(filePath: test.root + "/Copy")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.export(assets, to: inside)
    }
    #expect(error?.code == .invalidPath)
  }

  @Test func a_link_to_the_library_is_no_folder_for_copies() async throws {
    let (test, assets) = try await filled(1)
    let link = test.folder.url.appending(path: "Link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(filePath: test.root))
    for folder in [link, link.appending(path: "not/there/yet")] {
      let error = await #expect(throws: MediaLibraryError.self) {
        try await test.library.offload(assets, to: [folder], deletes: true)
      }
      #expect(error?.code == .invalidPath)
    }
    // The other way round: the library by its link, the copies by its folder.
    let linked = PhotoLibrary(at: link)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await linked.offload(
        linked.fetchAssets().allObjects(), to: [URL(filePath: test.root)], deletes: true)
    }
    #expect(error?.code == .invalidPath)
    #expect(try test.library.fetchAssets().count == 1)
    #expect(!FileManager.default.fileExists(atPath: test.root + "/ascmhl"))
  }

  @Test("The library's own file is no copy of itself", arguments: [true, false])
  func the_librarys_own_file_is_no_copy(isHardLink: Bool) async throws {
    let (test, assets) = try await filled(1)
    let path = try #require(assets.first?.resources.first?.relativePath)
    let original = URL(filePath: test.root + "/" + path)
    let copy = test.folder.url.appending(path: "Copy/" + path)
    let month = copy.deletingLastPathComponent()
    let folder = isHardLink ? month : month.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if isHardLink {
      try FileManager.default.linkItem(at: original, to: copy)
    } else {
      try FileManager.default.createSymbolicLink(
        at: month, withDestinationURL: original.deletingLastPathComponent())
    }
    let result = try await test.library.offload(
      assets, to: [test.folder.url.appending(path: "Copy")], deletes: true)
    #expect(result.deleted.isEmpty)
    #expect(result.reports.map(\.failures.count) == [1])
    #expect(try test.library.fetchAssets().count == 1)
  }

  @Test func a_folder_that_is_named_twice_is_refused() async throws {
    let (test, assets) = try await filled(1)
    let folder = test.folder.url.appending(path: "Copy")
    let again = test.folder.url.appending(path: "Copy/../Copy/")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.offload(assets, to: [folder, again], deletes: true)
    }
    #expect(error?.code == .invalidPath)
    #expect(try test.library.fetchAssets().count == 1)
  }

  @Test func identifiers_of_c4_are_those_of_the_standard() throws {
    // The identifier of nothing at all, as SMPTE ST 2114 and the reference tool have it.
    let empty =
      "c459dsjfscH38cYeXXYogktxf4Cd9ibshE3BHUo6a58hBXmRQdZrAkZzsWcbWtDg5oQstpDuni4Hirj75GEmTc1sFT"
    #expect(C4Identifier(of: []).map { "\($0)" } == empty)
    #expect(C4Identifier(empty)?.digest == C4Identifier(of: [])?.digest)
    #expect(C4Identifier(String(empty.dropLast()) + "0") == nil)
    #expect(ContentHash(of: []).description == "ef46db3751d8e999")
  }

  @Test func in_one_folder_what_belongs_to_a_take_stays_beside_it() async throws {
    let test = try TestLibrary()
    for (month, seed) in [(1, 1), (2, 2)] {
      let movie = try test.folder.write([], "\(month)/take.mov")
      try FileManager.default.removeItem(at: movie)
      try TestMedia.movie(movie, seed: UInt8(seed))
      let sidecar = try test.folder.write([UInt8]("{}".utf8), "\(month)/take.mov.json")
      try await test.library.performChanges {
        let request = AssetCreationRequest.forAsset()
        request.creationDate = Date(timeIntervalSince1970: Double(month) * 40 * 86_400)
        request.addResource(with: .video, fileURL: movie)
        // The first has none.
        if month == 2 { request.addResource(with: .companion, fileURL: sidecar) }
      }
    }
    var options = ExportOptions()
    options.isFlat = true
    let assets = try test.library.fetchAssets().allObjects()
    let report = try await test.library.export(
      assets + assets, to: test.folder.url.appending(path: "Copy"), options: options)
    // Named twice, copied once.
    #expect(report.files.map(\.path) == ["take.mov", "take-2.mov", "take-2.mov.json"])
  }

  @Test("A file with the name of the manifests' folder gets another", arguments: [true, false])
  func the_manifests_folder_is_not_taken(isFlat: Bool) async throws {
    let test = try TestLibrary()
    for (name, seed) in [("ascmhl", 1), ("ASCMHL", 2), ("ascmhl-2", 3)] {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), name))
    }
    var options = ExportOptions()
    options.isFlat = isFlat
    let folder = test.folder.url.appending(path: "Copy")
    let assets = try test.library.fetchAssets().allObjects()
    // A part of them first: nobody's name goes to another.
    let named = assets.filter { $0.originalFilename != "ascmhl-2" }
    var report = try await test.library.export(
      isFlat ? assets : named, to: folder, options: options)
    #expect(report.failures.isEmpty && report.manifest != nil)
    report = try await test.library.export(assets, to: folder, options: options)
    #expect(report.failures.isEmpty && report.files.count == 3)
    for file in report.files {
      let original = try #require(assets.first { $0.localIdentifier == file.asset })
      let source = try #require(original.fileURL)
      let copy = folder.appending(path: file.path)
      #expect(try Data(contentsOf: copy) == Data(contentsOf: source))
      #expect(!file.path.lowercased().split(separator: "/").contains("ascmhl"))
    }
    let copy = try CopyVerification.verify(folder: folder)
    #expect(copy.isSound && copy.verifiedCount == 3 && copy.unlisted.isEmpty)
    guard ASCMHLTool.isPresent else { return }
    let judged = try ASCMHLTool.ask("verify", folder.path)
    #expect(judged.status == 0, "\(judged.output)")
  }

  private static let md5OfABC = "900150983cd24fb0d6963f7d28e17f72"

  /// Writes a folder of files that hold `abc`, with a manifest as another program could write it.
  private func foreignCopy(
    _ folder: URL, names: [String] = ["a"], hashes: [String: String]
  ) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var lines: [String] = []
    for name in names {
      try Data("abc".utf8).write(to: folder.appending(path: name))
      lines.append("<hash><path size=\"3\">\(name)</path>")
      lines += hashes.map { "<\($0) action=\"original\">\($1)</\($0)>" }
      lines.append("</hash>")
    }
    try writeManifests([lines.joined(separator: "\n")], in: folder)
  }

  /// Writes manifests of these files, one after another, as another program could.
  private func writeManifests(_ generations: [String], in folder: URL) throws {
    let home = folder.appending(path: "ascmhl")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    var chain = #"<ascmhldirectory xmlns="urn:ASC:MHL:DIRECTORY:v2.0">"#
    for (index, files) in generations.enumerated() {
      let name = "000\(index + 1).mhl"
      let manifest = [UInt8](
        (#"<hashlist version="2.0" xmlns="urn:ASC:MHL:v2.0"><hashes>"# + files
          + "</hashes></hashlist>").utf8)
      try Data(manifest).write(to: home.appending(path: name))
      let c4 = try #require(C4Identifier(of: manifest))
      chain +=
        "<hashlist sequencenr=\"\(index + 1)\"><path>\(name)</path><c4>\(c4)</c4></hashlist>"
    }
    chain += "</ascmhldirectory>"
    try Data(chain.utf8).write(to: home.appending(path: "ascmhl_chain.xml"))
  }

  @Test func a_renamed_file_is_checked_by_its_new_name() throws {
    let folder = try TemporaryFolder()
    try folder.write([UInt8]("abc".utf8), "new")
    // The second manifest knows the file by another hash: what the first one said goes on counting.
    try writeManifests(
      [
        "<hash><path size=\"3\">old</path><md5>\(Self.md5OfABC)</md5></hash>",
        "<hash><path size=\"3\">new</path><crc32>352441c2</crc32>"
          + "<previousPath>old</previousPath></hash>",
      ], in: folder.url)
    let found = try CopyVerification.verify(folder: folder.url)
    #expect(found.isSound && found.verifiedCount == 1 && found.unlisted.isEmpty)
    try folder.write([UInt8]("abd".utf8), "new")
    #expect(
      try CopyVerification.verify(folder: folder.url).damaged.map(\.path) == ["new"])
  }

  @Test("Files that changed names with one another are checked by their new ones")
  func files_that_changed_names_are_checked_by_their_new_ones() throws {
    let folder = try TemporaryFolder()
    func entry(_ path: String, _ content: String, was previous: String? = nil) -> String {
      "<hash><path size=\"3\">\(path)</path>"
        + "<xxh64>\(ContentHash(of: [UInt8](content.utf8)))</xxh64>"
        + (previous.map { "<previousPath>\($0)</previousPath>" } ?? "") + "</hash>"
    }
    for (name, content) in [("a", "two"), ("b", "one"), ("d", "three"), ("e", "four")] {
      try folder.write([UInt8](content.utf8), name)
    }
    // Two change names, and two go on by one letter.
    try writeManifests(
      [
        entry("a", "one") + entry("b", "two") + entry("c", "three") + entry("d", "four"),
        entry("a", "two", was: "b") + entry("b", "one", was: "a") + entry("d", "three", was: "c")
          + entry("e", "four", was: "d"),
      ], in: folder.url)
    let found = try CopyVerification.verify(folder: folder.url)
    #expect(found.isSound && found.verifiedCount == 4 && found.unlisted.isEmpty, "\(found)")
    // What was changed as well is found by its new name.
    try folder.write([UInt8]("two".utf8), "b")
    #expect(try CopyVerification.verify(folder: folder.url).damaged.map(\.path) == ["b"])
  }

  @Test func files_that_changed_names_unseen_are_called_renamed() async throws {
    let (test, assets) = try await filled()
    let folder = test.folder.url.appending(path: "Copy")
    let paths = try await test.library.export(assets, to: folder).files.map {
      folder.path + "/" + $0.path
    }
    let (first, second) = (paths[1], paths[2])
    try FileManager.default.moveItem(atPath: first, toPath: folder.path + "/third")
    try FileManager.default.moveItem(atPath: second, toPath: first)
    try FileManager.default.moveItem(atPath: folder.path + "/third", toPath: second)
    let found = try CopyVerification.verify(folder: folder)
    #expect(found.renamed.count == 2 && found.damaged.isEmpty && !found.isSound)
    for finding in found.renamed {
      let other = finding.path.hasSuffix("p1.png") ? "p2.png" : "p1.png"
      #expect(finding.message.hasSuffix(other))
    }
    // A copy of one in the place of the other: what was there is lost.
    try Data(contentsOf: URL(filePath: first)).write(to: URL(filePath: second))
    let lost = try CopyVerification.verify(folder: folder)
    #expect(lost.damaged.count == 1 && lost.renamed.isEmpty)
  }

  @Test(
    "Every format of ASC MHL is checked",
    arguments: [
      "md5": Self.md5OfABC,
      "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
      "xxh3": "78AF5F94892F3950", "xxh128": "06b05ab6733a618578af5f94892f3950",
      "xxh64": "44bc2cf5ad770999",
    ])
  func every_format_is_checked(format: String, ofABC: String) throws {
    let folder = try TemporaryFolder()
    try foreignCopy(folder.url, hashes: [format: ofABC])
    #expect(try CopyVerification.verify(folder: folder.url).isSound)
    try folder.write([UInt8]("abd".utf8), "a")
    let damaged = try CopyVerification.verify(folder: folder.url)
    #expect(damaged.damaged.map(\.path) == ["a"] && !damaged.isSound)
  }

  @Test func what_cannot_be_checked_is_not_called_whole() throws {
    let folder = try TemporaryFolder()
    try foreignCopy(folder.url, hashes: ["crc32": "352441c2"])
    let found = try CopyVerification.verify(folder: folder.url)
    #expect(found.unchecked == ["a"] && found.verifiedCount == 0 && !found.isSound)
  }

  @Test func two_spellings_of_a_letter_are_two_files() throws {
    let folder = try TemporaryFolder()
    let names = ["caf\u{E9}", "cafe\u{301}"]
    try foreignCopy(
      folder.url, names: names, hashes: ["md5": Self.md5OfABC])
    #expect(try CopyVerification.verify(folder: folder.url).verifiedCount == 2)
    for name in names {
      try folder.write([UInt8]("abd".utf8), name)
      #expect(try CopyVerification.verify(folder: folder.url).damaged.count == 1)
      try folder.write([UInt8]("abc".utf8), name)
    }
  }

  @Test func manifests_of_folders_further_in_are_checked_too() async throws {
    let (test, assets) = try await filled(2)
    let disk = test.folder.url.appending(path: "Disk")
    let inner = try await test.library.export(
      [assets[0]], to: disk.appending(path: "A001"))
    _ = try await test.library.export([assets[1]], to: disk.appending(path: "A002"))
    var found = try CopyVerification.verify(folder: disk)
    #expect(found.isSound && found.verifiedCount == 2 && found.unlisted.isEmpty)
    let victim = "A001/" + (try #require(inner.files.first?.path))
    try damage(disk.path + "/" + victim)
    found = try CopyVerification.verify(folder: disk)
    #expect(found.damaged.map(\.path) == [victim] && !found.isSound)
  }

  @Test(
    .timeLimit(.minutes(10)),
    .enabled("ascmhl could not be installed from PyPI") {
      ASCMHLTool.isPresent
    })
  func the_reference_tool_verifies_our_manifests_and_finds_damage() async throws {
    let (test, assets) = try await filled(4)
    let folder = test.folder.url.appending(path: "A002R2EC")
    let first = try await test.library.export(Array(assets.prefix(3)), to: folder)
    func ask(_ verb: String...) throws -> (status: Int32, output: String) {
      try ASCMHLTool.ask(verb[0], verb.count > 1 ? verb[1] : "-v", folder.path)
    }
    var answer = try ask("verify")
    #expect(answer.status == 0, "\(answer.output)")
    answer = try ask("verify", "-dh")
    #expect(answer.status == 0, "\(answer.output)")
    // Another generation, of which one file is new.
    _ = try await test.library.export(assets, to: folder)
    answer = try ask("verify")
    #expect(answer.status == 0, "\(answer.output)")
    // A generation of the tool's own is read here.
    answer = try ASCMHLTool.create(folder.path)
    #expect(answer.status == 0, "\(answer.output)")
    let ours = try CopyVerification.verify(folder: folder)
    #expect(ours.manifestCount == 3 && ours.isSound && ours.verifiedCount == 4)
    // A damaged copy is found by both.
    try damage(folder.path + "/" + first.files[0].path)
    answer = try ask("verify")
    #expect(answer.status == 11, "\(answer.output)")
    #expect(
      try CopyVerification.verify(folder: folder).damaged.map(\.path) == [first.files[0].path])
  }

  @Test(
    .timeLimit(.minutes(10)),
    .enabled("ascmhl could not be installed from PyPI") {
      ASCMHLTool.isPresent
    })
  func what_the_reference_tool_leaves_to_inner_manifests_is_checked() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], "card/a.mov")
    try folder.write([2], "b.mov")
    for path in [folder.url.path + "/card", folder.url.path] {
      let answer = try ASCMHLTool.create(path)
      try #require(answer.status == 0, "\(answer.output)")
    }
    var found = try CopyVerification.verify(folder: folder.url)
    #expect(found.isSound && found.verifiedCount == 2 && found.unlisted.isEmpty)
    try folder.write([3], "card/a.mov")
    #expect(
      try CopyVerification.verify(folder: folder.url).damaged.map(\.path) == ["card/a.mov"])
    // The folder goes, with its manifests.
    try FileManager.default.removeItem(atPath: folder.url.path + "/card")
    found = try CopyVerification.verify(folder: folder.url)
    #expect(found.missing.count == 1 && !found.isSound)
  }
}
