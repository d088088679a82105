import Foundation
import Glibc
import MediaLibrary
import TestSupport
import Testing

/// Copies to a full disk.
@Suite struct ExportDiskFullTests {
  private func filled(
    _ count: Int, _ calls: FaultyFileCalls
  ) async throws -> (TestLibrary, [Asset]) {
    let test = try TestLibrary(calls: calls)
    let files = try (0..<count).map { seed in
      try test.folder.write(TestMedia.png(seed: seed), "Card/p\(seed).png")
    }
    try await test.library.performChanges {
      for file in files {
        try AssetCreationRequest.forAsset().addResource(with: .photo, fileURL: file)
      }
    }
    return (test, try test.library.fetchAssets().allObjects())
  }

  private func parts(in folder: URL) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".part") }
  }

  /// File systems that are synced as a whole (ext4) and file by file (FAT).
  @Test(arguments: [0xEF53, 0x4D44])
  func a_full_disk_reports_every_file_not_copied(type: Int) async throws {
    let calls = FaultyFileCalls(fileSystem: type)
    let (test, assets) = try await filled(4, calls)
    let first = try #require(assets.first?.resources.first)
    let folder = try test.folder.makeFolder("Copy")
    calls.arm(.diskFull(after: Int(first.fileSize)))
    let result = try await test.library.offload(assets, to: [folder], deletes: false)
    calls.arm(nil)
    let report = try #require(result.reports.first)
    #expect(report.files.map(\.path) == [first.relativePath] && report.manifest != nil)
    #expect(
      report.failures.map(\.path)
        == assets.dropFirst().flatMap(\.resources).map(\.relativePath))
    #expect(report.failures.allSatisfy { $0.code == "diskFull" })
    let full = try #require(report.failures.first?.message)
    #expect(full.hasPrefix(report.destination + ": its disk is full"))
    #expect(full.hasSuffix("make room on it, or name a folder on another one"))
    // The same line for every remaining file.
    #expect(
      Set(report.failures.dropFirst().map(\.message))
        == ["not tried after the disk failed: " + full])
    #expect(try parts(in: folder) == [])
    #expect(try CopyVerification.verify(folder: folder).isSound)
    // Once there is room, the same call copies the rest.
    let again = try await test.library.export(assets, to: folder)
    #expect(again.failures.isEmpty && again.files.count == 4)
  }

  @Test func with_a_full_disk_only_completely_copied_assets_are_deleted() async throws {
    let calls = FaultyFileCalls()
    let (test, assets) = try await filled(3, calls)
    let folder = try test.folder.makeFolder("Copy")
    // Room for the first two files of the copy; then the disk accepts the library's own change.
    let room = assets.prefix(2).flatMap(\.resources).reduce(0) { $0 + Int($1.fileSize) }
    calls.arm(.diskFull(after: room))
    let result = try await test.library.offload(assets, to: [folder], deletes: true) { step in
      if step.fileCount == step.totalFileCount { calls.arm(nil) }
    }
    #expect(result.reports.map(\.failures.count) == [1])
    #expect(Set(result.deleted) == Set(assets.prefix(2).map(\.localIdentifier)))
    let left = try test.library.fetchAssets().allObjects()
    #expect(left.map(\.localIdentifier) == [assets[2].localIdentifier])
  }

  /// A lack of room often shows only when written data is synced.
  @Test func files_lost_to_a_failed_sync_and_those_after_them_are_reported() async throws {
    let calls = FaultyFileCalls()
    let (test, assets) = try await filled(150, calls)
    let folder = try test.folder.makeFolder("Copy")
    calls.arm(.kind("syncfs", errno: ENOSPC))
    let report = try await test.library.export(assets, to: folder)
    #expect(report.files.isEmpty && report.manifest == nil)
    #expect(Set(report.failures.map(\.path)).count == 150 && report.failures.count == 150)
    let (untried, tried) = (
      report.failures.filter { $0.message.hasPrefix("not tried after the disk failed: ") },
      report.failures.filter { $0.message.hasPrefix(report.destination + ": its disk is full") }
    )
    #expect(!untried.isEmpty && !tried.isEmpty && untried.count + tried.count == 150)
    #expect(try parts(in: folder) == [])
  }

  /// Making room on the disk would not help.
  @Test func an_exhausted_quota_is_not_reported_as_a_full_disk() async throws {
    let calls = FaultyFileCalls()
    let (test, assets) = try await filled(2, calls)
    let folder = try test.folder.makeFolder("Copy")
    calls.arm(.kind("write", errno: EDQUOT))
    let report = try await test.library.export(assets, to: folder)
    calls.arm(nil)
    let reported = try #require(report.failures.first)
    #expect(reported.code == "diskFull" && report.failures.count == 2)
    #expect(reported.message.hasPrefix(report.destination + ": its disk accepts nothing more ("))
    #expect(reported.message.contains("raise the quota") && !reported.message.contains("is full"))
  }
}
