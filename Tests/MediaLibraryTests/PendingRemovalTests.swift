import Foundation
import Glibc
import MediaLibrary
import TestSupport
import Testing

/// What is to go and could not: another file in its place stays.
@Suite struct PendingRemovalTests {
  /// FAT, exFAT and FUSE.
  private static let forgetful = [0x4D44, 0x2011_BAB0, 0x6573_5546]

  @Test(arguments: forgetful)
  func a_file_that_is_taken_in_again_stays_where_its_like_could_not_be_removed(
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
}
