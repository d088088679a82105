import Foundation
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct ExportTests {
  @Test func verification_finds_a_damaged_or_missing_copy() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let folder = try test.folder.makeFolder("Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.failures.isEmpty)
    #expect(report.files.count == 3)
    let intact = try CopyVerification.verify(folder: folder)
    #expect(intact.isSound && intact.verifiedCount == 3 && intact.unlisted.isEmpty)
    let victim = report.files[1].path
    try TestLibrary.damage(folder.path + "/" + victim)
    let broken = try CopyVerification.verify(folder: folder)
    #expect(broken.damaged.map(\.path) == [victim])
    #expect(broken.verifiedCount == 2)
    try FileManager.default.removeItem(atPath: folder.path + "/" + report.files[2].path)
    #expect(
      try CopyVerification.verify(folder: folder).missing.map(\.path) == [report.files[2].path])
  }

  @Test func a_second_export_adds_a_manifest_and_copies_only_new_files() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let folder = try test.folder.makeFolder("Copy")
    _ = try await test.library.export(Array(assets.prefix(2)), to: folder)
    let second = try await test.library.export(assets, to: folder)
    #expect(second.files.map(\.wasPresent) == [true, true, false])
    let result = try CopyVerification.verify(folder: folder)
    #expect(result.manifestCount == 2)
    #expect(result.isSound && result.verifiedCount == 3)
  }

  /// A file copied by another program may be in the page cache only.
  @Test(arguments: [0xEF53, 0x4D44])
  func existing_copies_are_synced_before_they_are_compared(type: Int) async throws {
    let calls = FaultyFileCalls(fileSystem: type)
    let test = try TestLibrary(calls: calls)
    for seed in 1...3 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png"))
    }
    let assets = try test.library.fetchAssets().allObjects()
    let folder = try test.folder.makeFolder("Copy")
    _ = try await test.library.export(assets, to: folder)
    calls.arm(nil)
    let second = try await test.library.export(assets, to: folder)
    #expect(second.files.count == 3 && second.files.allSatisfy(\.wasPresent))
    let (trace, drops) = (calls.trace, calls.drops)
    #expect(drops.count == 3)
    let first = try #require(drops.first)
    #expect(["sync", "syncfs"].contains(trace[..<first].last { $0 != "read" }), "\(trace)")
    // On FAT: each file, and the directories: the folder, the year and the month.
    #expect(trace.count { $0 == "sync" } >= (type == 0x4D44 ? 6 : 0))
    calls.arm(.kind(type == 0x4D44 ? "sync" : "syncfs", errno: EIO))
    let failed = try await test.library.export(assets, to: folder)
    #expect(failed.files.isEmpty && failed.failures.count == 3)
  }

  @Test func concurrent_exports_into_one_folder_write_a_manifest_each() async throws {
    let (test, assets) = try await TestLibrary.filled(4)
    let folder = try test.folder.makeFolder("Copy")
    let other = try test.another()
    let same = try other.library.fetchAssets().allObjects()
    async let first = test.library.export(Array(assets.prefix(2)), to: folder)
    async let second = other.library.export(Array(same.suffix(2)), to: folder)
    let reports = try await [first, second]
    #expect(reports.allSatisfy { $0.failures.isEmpty && $0.manifest != nil })
    let found = try CopyVerification.verify(folder: folder)
    #expect(found.isSound && found.manifestCount == 2 && found.verifiedCount == 4, "\(found)")
  }

  @Test func a_modified_manifest_is_reported_and_blocks_further_exports() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let folder = try test.folder.makeFolder("Copy")
    let report = try await test.library.export(assets, to: folder)
    try TestLibrary.damage(try #require(report.manifest))
    let found = try CopyVerification.verify(folder: folder)
    #expect(!found.isSound && !found.invalidManifests.isEmpty)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.export(assets, to: folder)
    }
    #expect(error?.code == .invalidManifest)
  }

  @Test func damaged_library_files_are_not_exported() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let resource = try #require(assets[2].resources.first)
    try TestLibrary.damage(resource.fileURL.path)
    let folder = try test.folder.makeFolder("Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.files.count == 2)
    #expect(report.failures.map(\.path) == [resource.relativePath])
    #expect(try CopyVerification.verify(folder: folder).isSound)
    let verification = try await test.library.verify()
    #expect(verification.damaged.map(\.path) == [resource.relativePath])
    #expect(verification.checkedCount == 3)
  }

  @Test func nothing_is_overwritten() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let path = try #require(assets.first?.resources.first?.relativePath)
    try test.folder.write([1, 2, 3], "Copy/" + path)
    let folder = try test.folder.makeFolder("Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.files.isEmpty && report.failures.count == 1)
    #expect(try [UInt8](Data(contentsOf: folder.appending(path: path))) == [1, 2, 3])
  }

  @Test func a_name_unfit_for_manifests_is_reported_and_the_rest_exported() async throws {
    let (test, _) = try await TestLibrary.filled(2)
    try await test.add(try test.folder.write(TestMedia.png(seed: 9), "bad\u{FFFF}.png"))
    let assets = try test.library.fetchAssets().allObjects()
    let folder = try test.folder.makeFolder("Copy")
    let report = try await test.library.export(assets, to: folder)
    #expect(report.files.count == 2 && report.failures.count == 1)
    #expect(report.failures.first?.message.contains("U+FFFF") == true)
    let found = try CopyVerification.verify(folder: folder)
    #expect(found.isSound && found.verifiedCount == 2)
  }

  @Test func an_export_into_the_library_is_refused() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    for name in ["Copy", "\u{301}Copy"] {
      let inside = URL(filePath: test.root + "/" + name)
      let error = await #expect(throws: MediaLibraryError.self) {
        try await test.library.export(assets, to: inside)
      }
      #expect(error?.code == .invalidPath)
    }
  }

  @Test func an_export_through_a_link_to_the_library_is_refused() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let link = test.folder.url.appending(path: "Link")
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: URL(filePath: test.root))
    for folder in [link, link.appending(path: "not/there/yet")] {
      let error = await #expect(throws: MediaLibraryError.self) {
        try await test.library.offload(
          assets, to: [folder], deletes: true, createsFolders: true)
      }
      #expect(error?.code == .invalidPath)
    }
    // The reverse: the library by its link, the copies by its folder.
    let linked = PhotoLibrary(at: link)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await linked.offload(
        linked.fetchAssets().allObjects(), to: [URL(filePath: test.root)], deletes: true)
    }
    #expect(error?.code == .invalidPath)
    #expect(try test.library.fetchAssets().count == 1)
    #expect(!FileManager.default.fileExists(atPath: test.root + "/ascmhl"))
  }

  @Test(arguments: [true, false])
  func a_link_to_an_original_does_not_count_as_a_copy(isHardLink: Bool) async throws {
    let (test, assets) = try await TestLibrary.filled(1)
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

  @Test func a_flat_export_keeps_sidecars_beside_their_takes() async throws {
    let test = try TestLibrary()
    for (month, seed) in [(1, 1), (2, 2)] {
      let movie = try test.folder.write([], "\(month)/take.mov")
      try FileManager.default.removeItem(at: movie)
      try TestMedia.movie(movie, seed: UInt8(seed))
      let sidecar = try test.folder.write([UInt8]("{}".utf8), "\(month)/take.mov.json")
      try await test.library.performChanges {
        let request = try AssetCreationRequest.forAsset()
        request.creationDate = Date(timeIntervalSince1970: Double(month) * 40 * 86_400)
        request.addResource(with: .video, fileURL: movie)
        // Only the second has a sidecar.
        if month == 2 { request.addResource(with: .companion, fileURL: sidecar) }
      }
    }
    var options = ExportOptions()
    options.isFlat = true
    let assets = try test.library.fetchAssets().allObjects()
    let report = try await test.library.export(
      assets + assets, to: try test.folder.makeFolder("Copy"), options: options)
    #expect(report.files.map(\.path) == ["take.mov", "take-2.mov", "take-2.mov.json"])
  }

  @Test(.tags(.judges, .network), arguments: [true, false])
  func assets_named_ascmhl_do_not_take_the_manifest_folder(isFlat: Bool) async throws {
    let test = try TestLibrary()
    for (name, seed) in [("ascmhl", 1), ("ASCMHL", 2), ("ascmhl-2", 3)] {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), name))
    }
    var options = ExportOptions()
    options.isFlat = isFlat
    let folder = try test.folder.makeFolder("Copy")
    let assets = try test.library.fetchAssets().allObjects()
    // First only some of the assets: no name is given to another asset later.
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
    guard ASCMHLTool.isPresent else { try Test.cancel(ASCMHLTool.absence) }
    let judged = try ASCMHLTool.ask("verify", folder.path)
    #expect(judged.status == 0, "\(judged.output)")
  }

  @Test func swapped_files_are_reported_as_renamed() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let folder = try test.folder.makeFolder("Copy")
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
    // One file replaced by a copy of another: its content is lost.
    try Data(contentsOf: URL(filePath: first)).write(to: URL(filePath: second))
    let lost = try CopyVerification.verify(folder: folder)
    #expect(lost.damaged.count == 1 && lost.renamed.isEmpty)
  }

  @Test func manifests_of_nested_folders_are_checked_too() async throws {
    let (test, assets) = try await TestLibrary.filled(2)
    let disk = test.folder.url.appending(path: "Disk")
    let inner = try await test.library.export(
      [assets[0]], to: try test.folder.makeFolder("Disk/A001"))
    _ = try await test.library.export([assets[1]], to: try test.folder.makeFolder("Disk/A002"))
    var found = try CopyVerification.verify(folder: disk)
    #expect(found.isSound && found.verifiedCount == 2 && found.unlisted.isEmpty)
    let victim = "A001/" + (try #require(inner.files.first?.path))
    try TestLibrary.damage(disk.path + "/" + victim)
    found = try CopyVerification.verify(folder: disk)
    #expect(found.damaged.map(\.path) == [victim] && !found.isSound)
  }

  @Test(
    .tags(.judges, .network), .timeLimit(.minutes(10)),
    .enabled(if: ASCMHLTool.isPresent, ASCMHLTool.absence))
  func the_reference_tool_verifies_our_manifests_and_finds_damage() async throws {
    let (test, assets) = try await TestLibrary.filled(4)
    let folder = try test.folder.makeFolder("A002R2EC")
    let first = try await test.library.export(Array(assets.prefix(3)), to: folder)
    func ask(_ verb: String...) throws -> (status: Int32, output: String) {
      try ASCMHLTool.ask(verb[0], verb.count > 1 ? verb[1] : "-v", folder.path)
    }
    var answer = try ask("verify")
    #expect(answer.status == 0, "\(answer.output)")
    answer = try ask("verify", "-dh")
    #expect(answer.status == 0, "\(answer.output)")
    // A second generation with one new file.
    _ = try await test.library.export(assets, to: folder)
    answer = try ask("verify")
    #expect(answer.status == 0, "\(answer.output)")
    // Our reader accepts a generation made by the tool.
    answer = try ASCMHLTool.create(folder.path)
    #expect(answer.status == 0, "\(answer.output)")
    let ours = try CopyVerification.verify(folder: folder)
    #expect(ours.manifestCount == 3 && ours.isSound && ours.verifiedCount == 4)
    // Both find a damaged copy.
    try TestLibrary.damage(folder.path + "/" + first.files[0].path)
    answer = try ask("verify")
    #expect(answer.status == 11, "\(answer.output)")
    #expect(
      try CopyVerification.verify(folder: folder).damaged.map(\.path) == [first.files[0].path])
  }
}
