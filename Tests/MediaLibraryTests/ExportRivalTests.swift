import Foundation
import Glibc
import MediaLibrary
import TestSupport
import Testing

/// Two exports that write the same files into one folder at the same time.
@Suite struct ExportRivalTests {
  /// File systems that are synced as a whole (ext4) and file by file (FAT).
  private static let types = [0xEF53, 0x4D44]

  private func filled(_ calls: any LibraryFileCalls) async throws -> (TestLibrary, [Asset]) {
    let test = try TestLibrary(calls: calls)
    for seed in 1...2 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png"))
    }
    return (test, try test.library.fetchAssets().allObjects())
  }

  /// The temporary place of a file while it is written.
  private func part(of path: String, in folder: URL) -> URL {
    let target = folder.appending(path: path)
    return target.deletingLastPathComponent()
      .appending(path: "." + target.lastPathComponent + ".part")
  }

  private func isThere(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

  @Test(arguments: ExportRival.Moment.allCases, types)
  func a_file_replaced_while_written_does_not_count_as_a_copy(
    moment: ExportRival.Moment, type: Int
  ) async throws {
    for knowsLocks in [true, false] {
      let calls = ExportRival(fileSystem: type)
      let (test, assets) = try await filled(calls)
      let folder = try test.folder.makeFolder("Copy")
      calls.arm(moment, knowsLocks: knowsLocks)
      let result = try await test.library.offload(assets, to: [folder], deletes: true)
      let report = try #require(result.reports.first)
      #expect(report.files.count == 1 && report.failures.count == 1)
      let failure = try #require(report.failures.first)
      #expect(failure.code == (moment == .locking ? "fileInUse" : "verificationFailed"))
      // Only the other file is copied, listed and deleted.
      #expect(result.deleted == assets.map(\.localIdentifier).filter { $0 != failure.asset })
      let left = try test.library.fetchAssets().allObjects()
      #expect(left.map(\.localIdentifier) == [failure.asset])
      let manifest = try String(
        contentsOf: URL(filePath: try #require(report.manifest)), encoding: .utf8)
      #expect(!manifest.contains(failure.path))
      // The other program's file stays.
      let target = folder.appending(path: failure.path)
      let other = moment == .renaming ? target : part(of: failure.path, in: folder)
      #expect(isThere(target) == (moment == .renaming))
      #expect(try [UInt8](Data(contentsOf: other)) == ExportRival.bytes)
    }
  }

  @Test(arguments: types)
  func a_file_being_written_by_another_export_is_left_alone(type: Int) async throws {
    let (test, assets) = try await filled(ExportRival(fileSystem: type))
    let folder = try test.folder.makeFolder("Copy")
    let path = try #require(assets.first?.resources.first?.relativePath)
    let part = part(of: path, in: folder)
    try FileManager.default.createDirectory(
      at: part.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(ExportRival.bytes).write(to: part)
    let descriptor = open(part.path, O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    defer { close(descriptor) }
    let result = try await test.library.offload(assets, to: [folder], deletes: true)
    let report = try #require(result.reports.first)
    #expect(report.files.count == 1 && report.failures.map(\.path) == [path])
    #expect(report.failures.first?.code == "fileInUse")
    #expect(report.failures.first?.message.contains("another export") == true)
    #expect(result.deleted == [assets[1].localIdentifier])
    #expect(try [UInt8](Data(contentsOf: part)) == ExportRival.bytes)
    #expect(!isThere(folder.appending(path: path)))
    // Once unlocked, it is a leftover of a killed export.
    try #require(flock(descriptor, LOCK_UN) == 0)
    let again = try await test.library.offload([assets[0]], to: [folder], deletes: true)
    #expect(again.reports.allSatisfy { $0.failures.isEmpty })
    #expect(again.deleted == [assets[0].localIdentifier] && !isThere(part))
    #expect(try CopyVerification.verify(folder: folder).isSound)
  }

  @Test(arguments: types)
  func leftovers_are_removed_on_file_systems_without_locks(type: Int) async throws {
    let calls = ExportRival(fileSystem: type)
    let (test, assets) = try await filled(calls)
    let folder = try test.folder.makeFolder("Copy")
    let parts = assets.flatMap(\.resources).map { part(of: $0.relativePath, in: folder) }
    for part in parts {
      try FileManager.default.createDirectory(
        at: part.deletingLastPathComponent(), withIntermediateDirectories: true)
    }
    // A link is not a file being written, and its target belongs to someone else.
    let victim = try test.folder.write([7], "victim")
    try Data(ExportRival.bytes).write(to: parts[0])
    try FileManager.default.createSymbolicLink(at: parts[1], withDestinationURL: victim)
    calls.arm(nil, knowsLocks: false)
    let report = try await test.library.export(assets, to: folder)
    #expect(report.failures.isEmpty && report.files.count == 2)
    #expect(!parts.contains(where: isThere))
    #expect(try [UInt8](Data(contentsOf: victim)) == [7])
    #expect(try CopyVerification.verify(folder: folder).isSound)
  }

  @Test(arguments: types)
  func concurrent_exports_of_the_same_files_make_whole_copies(type: Int) async throws {
    let test = try TestLibrary(calls: ExportRival(fileSystem: type))
    for seed in 1...20 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png"))
    }
    let other = try test.another(calls: ExportRival(fileSystem: type))
    let assets = try test.library.fetchAssets().allObjects()
    let same = try other.library.fetchAssets().allObjects()
    let folder = try test.folder.makeFolder("Copy")
    async let first = test.library.export(assets, to: folder)
    async let second = other.library.export(same, to: folder)
    let reports = try await [first, second]
    // A file fails if the other export is writing it, and gets its name only when it is complete.
    for failure in reports.flatMap(\.failures) {
      #expect(["fileInUse", "ioFailed"].contains(failure.code), "\(failure.message)")
    }
    #expect(Set(reports.flatMap(\.files).map(\.path)).count == assets.count)
    for resource in assets.flatMap(\.resources) {
      let copy = folder.appending(path: resource.relativePath)
      #expect(try Data(contentsOf: copy) == Data(contentsOf: resource.fileURL))
    }
    let found = try CopyVerification.verify(folder: folder)
    #expect(found.isSound && found.verifiedCount == assets.count, "\(found)")
  }
}
