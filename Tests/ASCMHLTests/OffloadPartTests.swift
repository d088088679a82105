import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ASCMHL

/// Partial files beside their final places, while other processes write to the same folder.
@Suite struct OffloadPartTests {
  private let content = [UInt8]("what the camera recorded".utf8)
  private let part = "one/A001/.a.mov.part"

  /// An offload of a card with one file.
  private func offload(
    _ folder: TemporaryFolder, _ calls: FaultyFolderCalls? = nil
  ) throws -> FolderOffload {
    try folder.write(content, "A001/a.mov")
    var offload = FolderOffload(
      of: folder.url.appending(path: "A001"), to: [try folder.makeFolder("one")])
    offload.calls = { path -> any FolderCalls in
      guard let calls, path.hasSuffix("/one") else { return SystemFolderCalls() }
      return calls
    }
    return offload
  }

  private func expectWhole(
    _ folder: TemporaryFolder, at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try folder.bytes("one/A001/a.mov") == content, sourceLocation: location)
    let found = try CopyVerification.verify(folder: folder.url.appending(path: "one/A001"))
    #expect(
      found.isSound && found.verifiedCount == 1 && found.unlisted.isEmpty, "\(found)",
      sourceLocation: location)
  }

  /// Another process writes a file of the same name, as one without locks would.
  @Test(arguments: [FaultyFolderCalls.Call.readBack, .rename], [0xEF53, 0x4D44])
  func a_replaced_partial_file_is_neither_renamed_nor_deleted(
    call: FaultyFolderCalls.Call, fileSystem: Int
  ) throws {
    for knowsLocks in [true, false] {
      let folder = try TemporaryFolder()
      let path = folder.path(part)
      let calls = FaultyFolderCalls(
        .meanwhile(before: call) {
          unlink(path)
          try? Data("half".utf8).write(to: URL(filePath: path))
        }, fileSystem: fileSystem, knowsLocks: knowsLocks)
      let report = try offload(folder, calls).run()
      let destination = try #require(report.destinations.first)
      #expect(!report.isSound && destination.files.isEmpty && destination.manifest == nil)
      #expect(destination.failures.map(\.path) == ["a.mov"], "\(destination.failures)")
      #expect(destination.failures.first?.message.contains("replaced") == true)
      #expect(!FileManager.default.fileExists(atPath: folder.path("one/A001/a.mov")))
      #expect(try folder.bytes(part) == [UInt8]("half".utf8))
      #expect(try offload(folder).run().isSound)
      try expectWhole(folder)
    }
  }

  @Test func a_locked_partial_file_is_left_to_its_writer() throws {
    let folder = try TemporaryFolder()
    try folder.write("half", part)
    let other = try CopyFolder(folder.path("one/A001")).openToLock(".a.mov.part")
    let isLocked = other.lock()
    try #require(isLocked)
    let report = try offload(folder).run()
    let failures = try #require(report.destinations.first).failures
    #expect(!report.isSound && failures.map(\.path) == ["a.mov"])
    #expect(failures.first?.message.contains("another copy writes") == true, "\(failures)")
    #expect(try folder.bytes(part) == [UInt8]("half".utf8))
    #expect(!FileManager.default.fileExists(atPath: folder.path("one/A001/a.mov")))
    other.unlock()
    #expect(try offload(folder).run().isSound)
    try expectWhole(folder)
  }

  /// Another offload takes it for an old leftover before it is locked.
  @Test func a_partial_file_deleted_before_locking_is_created_again() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(part)
    let calls = FaultyFolderCalls(.meanwhile(before: .lock) { unlink(path) })
    #expect(try offload(folder, calls).run().isSound)
    #expect(calls.events.withLock { $0.count { $0 == "create .a.mov.part" } } == 2)
    try expectWhole(folder)
  }

  @Test func a_file_system_without_locks_is_supported() throws {
    let folder = try TemporaryFolder()
    try folder.write("left by an interrupted offload", part)
    #expect(try offload(folder, FaultyFolderCalls(nil, knowsLocks: false)).run().isSound)
    try expectWhole(folder)
    #expect(!FileManager.default.fileExists(atPath: folder.path(part)))
  }

  @Test func concurrent_offloads_report_only_complete_files() async throws {
    let folder = try TemporaryFolder()
    var files: [String: [UInt8]] = [:]
    for number in 0..<40 {
      files["f\(number).mov"] = [UInt8](repeating: UInt8(number), count: 100_000 * (number % 3) + 1)
    }
    for (path, bytes) in files { try folder.write(bytes, "A001/" + path) }
    let offload = try offload(folder)
    files["a.mov"] = content
    async let first = offload.run()
    async let second = offload.run()
    let reports = try await [first, second]
    for file in reports.flatMap(\.destinations).flatMap(\.files) {
      #expect(try folder.bytes("one/A001/" + file.path) == files[file.path], "\(file.path)")
    }
    let last = try await offload.run()
    #expect(last.isSound, "\(last)")
    let found = try CopyVerification.verify(folder: folder.url.appending(path: "one/A001"))
    #expect(found.isSound && found.verifiedCount == files.count, "\(found)")
  }

  @Test(arguments: [249, 250, 255])
  func names_of_every_length_are_copied(length: Int) throws {
    let folder = try TemporaryFolder()
    let begin = String(repeating: "\u{E9}", count: (length - 1) / 2)
    let names = ["x", "y"].map { end in
      begin + String(repeating: end, count: length - begin.utf8.count)
    }
    for name in names {
      try #require(name.utf8.count == length)
      try folder.write(name, "A001/" + name)
    }
    #expect(try offload(folder).run().isSound)
    for name in names { #expect(try folder.bytes("one/A001/" + name) == [UInt8](name.utf8)) }
    let found = try CopyVerification.verify(folder: folder.url.appending(path: "one/A001"))
    #expect(found.isSound && found.verifiedCount == 3 && found.unlisted.isEmpty, "\(found)")
  }

  @Test func a_file_changing_while_read_is_reported_once() throws {
    let folder = try TemporaryFolder()
    let offload = try offload(folder)
    let asked = Atomic(0)
    let path = folder.path("A001/a.mov")
    // Called before the file and before each piece of it.
    let report = try offload.run(isCancelled: {
      guard asked.wrappingAdd(1, ordering: .relaxed).newValue == 3 else { return false }
      try? Data("shorter".utf8).write(to: URL(filePath: path))
      return false
    })
    #expect(!report.isSound && report.refused.map(\.path) == ["a.mov"])
    #expect(report.refused.first?.message.contains("changed while it was copied") == true)
    let destination = try #require(report.destinations.first)
    #expect(destination.failures.isEmpty && destination.files.isEmpty, "\(destination)")
    #expect(folder.contents(of: "one/A001").isEmpty)
  }
}

extension TemporaryFolder {
  fileprivate func contents(of name: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []
  }
}
