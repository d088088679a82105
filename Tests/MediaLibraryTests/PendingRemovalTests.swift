import Foundation
import Glibc
import MediaCore
import TestSupport
import Testing

@testable import MediaLibrary

/// Pending removals of files that could not be deleted: another file in the same place stays.
@Suite struct PendingRemovalTests {
  /// FAT, exFAT and FUSE, which make up inodes.
  private static let forgetful = [0x4D44, 0x2011_BAB0, 0x6573_5546]

  @Test(arguments: forgetful)
  func a_reimported_file_survives_the_pending_removal_of_its_predecessor(
    fileSystem: Int
  ) async throws {
    let calls = FaultyFileCalls(fileSystem: fileSystem)
    let test = try TestLibrary(calls: calls)
    let file = try test.folder.write(TestMedia.png(), "Card/p.png")
    try await test.add(file)
    let asset = try #require(try test.library.fetchAssets().firstObject)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    calls.arm(.kind("unlink", errno: EBUSY))
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    calls.arm(nil)
    let path = try #require(test.originals.first)
    unlink(test.root + "/" + path)
    try await test.add(file)
    #expect(test.originals == [path])
    try test.expectSound()
  }

  @Test func a_file_recreated_after_its_removal_counts_as_another_file() throws {
    let test = try TestLibrary()
    try test.library.open()
    try test.folder.write(TestMedia.png(), "Library/2021/03/p.png")
    let files = LibraryFiles(calls: SystemLibraryFileCalls())
    let layout = LibraryLayout(test.library.url)
    let status = try #require(try files.status(test.root + "/2021/03/p.png"))
    func pending(_ status: FileStatus) throws -> [PendingRemoval] {
      var entry = JournalEntry(sequence: 1, date: 0)
      entry.unlinks = [.init(path: "2021/03/p.png", status: status)]
      var memory = LibraryMemory()
      memory.apply(entry)
      return try memory.pendingRemovals(except: [], layout, files)
    }
    #expect(try pending(status).count == 1)
    // File systems reuse the inode of a removed file.
    var earlier = status
    earlier.changed -= 1
    #expect(try pending(earlier).isEmpty)
  }

  /// As text, a combining mark forms one character with the slash before it.
  @Test(arguments: ["../\u{301}p.png", "2021/../../\u{301}/p.png", "2021//\u{301}p.png"])
  func a_leading_combining_mark_cannot_lead_out_of_the_library(path: String) throws {
    let test = try TestLibrary()
    try test.library.open()
    try test.folder.write(TestMedia.png(), "\u{301}p.png")
    let calls = SystemLibraryFileCalls(usesOpenat2: false)
    let (layout, files) = (LibraryLayout(test.library.url), LibraryFiles(calls: calls))
    let error = #expect(throws: MediaLibraryError.self) {
      try layout.path(of: path, files: files)
    }
    #expect(error?.code == .invalidPath)
    var places = CheckedPlaces(layout: layout, files: files)
    #expect(throws: MediaLibraryError.self) { try places.path(of: path) }
    let place = try layout.place("/\u{301}p.png", files)
    #expect(place == "/\u{301}p.png", "from the root on")
  }
}
