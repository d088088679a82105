import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ASCMHL

/// Disks that accept a copy, and disks that fail.
@Suite struct OffloadDiskTests {
  @Test func refused_names_and_sizes_are_explained() {
    let name = ASCMHLError.system("open", "/disk/a:b", .invalidArgument)
    #expect(name.code == .invalidPath && name.message.contains("does not take the name"))
    let size = ASCMHLError.system("write", "/disk/long.mov", .fileTooLarge)
    #expect(size.code == .ioFailed && size.message.contains("cannot hold so large a file"))
    #expect(ASCMHLError.system("read", "/disk/a", .invalidArgument).code == .ioFailed)
  }

  @Test(arguments: [false, true])
  func a_failing_disk_does_not_stop_the_other(isFull: Bool) throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    var offload = try folder.offload()
    offload.calls = { path in
      guard path.hasSuffix("/one") else { return SystemFolderCalls() }
      return FaultyFolderCalls(isFull ? .diskFull(after: 1_500_000) : .synchronizeFails)
    }
    // The folders already exist, because none can be created on a full disk.
    for name in ["DCIM", "MISC/EMPTY"] { try folder.makeFolder("one/A001/" + name) }
    let report = try offload.run()
    try folder.expectWhole(files, in: "two/A001")
    #expect(!report.isSound)
    let failed = try #require(report.destinations.first)
    #expect(!failed.failures.isEmpty && !failed.isWhole(of: report.fileCount))
    // Every missing file is reported, and no partial file is left.
    let reported = Set(failed.failures.map(\.path)).union(failed.files.map(\.path))
    #expect(reported.isSuperset(of: files.keys))
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path("one"))
    #expect(!left.contains { $0.hasSuffix(".part") })
    // A second run with a working disk completes the copy.
    offload.calls = { _ in SystemFolderCalls() }
    #expect(try offload.run().isSound)
    try folder.expectWhole(files, in: "one/A001")
  }

  @Test(arguments: [true, false])
  func small_files_are_synchronized_together(isAsGood: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("A001")
    let names = (0..<600).map { "f\($0).xml" }
    for name in names { try Data(name.utf8).write(to: URL(filePath: folder.path("A001/" + name))) }
    try folder.makeFolder("one")
    var offload = FolderOffload(
      of: folder.url.appending(path: "A001"), to: [folder.url.appending(path: "one")])
    // ext4 or FAT.
    let calls = FaultyFolderCalls(nil, fileSystem: isAsGood ? 0xEF53 : 0x4D44)
    offload.calls = { path -> any FolderCalls in
      path.hasSuffix("/A001") ? SystemFolderCalls() : calls
    }
    let report = try offload.run()
    #expect(report.isSound && report.destinations[0].files.count == 600)
    let events = calls.events.withLock { $0 }
    guard isAsGood else {
      #expect(!events.contains("syncfs") && events.count { $0 == "fsync" } >= 1200)
      return
    }
    #expect(events.count { $0 == "syncfs" } == 4 && events.count { $0 == "fsync" } < 20)
    // The bytes are synced before the rename, and the rename before anything is reported.
    for name in names {
      let made = try #require(events.firstIndex(of: "create .\(name).part"))
      let named = try #require(events.firstIndex(of: "rename \(name)"))
      #expect(events[made..<named].contains("syncfs") && events[named...].contains("syncfs"))
    }
  }

  @Test func corruption_by_a_disk_is_found_by_reading_back() throws {
    let folder = try TemporaryFolder()
    try folder.writeCard()
    var offload = try folder.offload()
    offload.calls = { path in
      guard path.hasSuffix("/two") else { return SystemFolderCalls() }
      return FaultyFolderCalls(.flipsBits(suffix: "A001C001.mov.part"))
    }
    let report = try offload.run()
    #expect(report.destinations[0].failures.isEmpty)
    #expect(report.destinations[1].failures.map(\.path) == ["DCIM/A001C001.mov"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("two/A001/DCIM/A001C001.mov")))
    #expect(
      try CopyVerification.verify(folder: folder.url.appending(path: "two/A001")).isSound)
  }

  /// A file copied by another program may be in the page cache only.
  @Test(arguments: [true, false])
  func an_existing_file_is_synchronized_before_comparison(isAsGood: Bool) throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    #expect(try folder.offload(to: ["one"]).run().isSound)
    let calls = FaultyFolderCalls(nil, fileSystem: isAsGood ? 0xEF53 : 0x4D44)
    var offload = try folder.offload(to: ["one"])
    offload.calls = { path -> any FolderCalls in
      path.hasSuffix("/A001") ? SystemFolderCalls() : calls
    }
    let report = try offload.run()
    #expect(report.isSound && report.destinations[0].files.allSatisfy(\.wasPresent))
    let events = calls.events.withLock { $0 }
    let drops = events.indices.filter { events[$0] == "drop" }
    #expect(drops.count == files.count)
    for (number, drop) in drops.enumerated() {
      let before = number == 0 || !isAsGood ? events[..<drop].last : "syncfs"
      #expect(["fsync", "syncfs"].contains(before), "\(events)")
    }
    // Each file, and the entries of two folders.
    #expect(isAsGood || events.count { $0 == "fsync" } >= files.count + 2)
  }

  @Test(arguments: [Int64.max, .min, -1])
  func extreme_modification_times_do_not_trap(nanoseconds: Int64) throws {
    let folder = try TemporaryFolder()
    let copy = try CopyFolder(folder.url.path)
    try folder.write("abc", "a.mov")
    let file = try copy.extend("a.mov")
    file.setModified(nanoseconds)
    let facts = try file.facts()
    #expect(facts.size == 3 && (nanoseconds != -1 || facts.modified == -1))
  }
}
