import SystemPackage
import Testing

@testable import MediaCore

/// The remedies if a disk takes no more data.
struct ErrnoRemedyTests {
  private func remedy(_ error: Errno, bytes: Int64, files: Int64?) -> String? {
    error.remedy(writing: "/disk/takes/a.mov") { folder in
      #expect(folder == "/disk/takes")
      return VolumeRoom(bytes: bytes, fileCount: files)
    }
  }

  @Test func a_disk_without_inodes_is_distinguished_from_a_full_one() {
    let inodes = remedy(.noSpace, bytes: 1 << 40, files: 0)
    #expect(inodes?.contains("no free inodes: delete files") == true)
    // Room for both, room for neither, and a file system that does not count files.
    for (bytes, files) in [(1 << 40, 5), (4096, 0), (1 << 40, nil)] as [(Int64, Int64?)] {
      #expect(remedy(.noSpace, bytes: bytes, files: files) == nil)
    }
    #expect(Errno.noSpace.remedy(writing: "a.mov") { _ in nil } == nil)
  }

  @Test(arguments: [
    (Errno.diskQuotaExceeded, "raise the quota"), (.readOnlyFileSystem, "mounted read-only"),
    (.staleNFSFileHandle, "mount the share again"), (.ioError, "the kernel's messages"),
  ])
  func each_kind_of_disk_failure_has_its_remedy(error: Errno, words: String) {
    // Whatever the free space.
    #expect(remedy(error, bytes: 0, files: 0)?.contains(words) == true)
  }

  @Test func errors_unrelated_to_the_disk_get_no_disk_remedy() {
    for error in [Errno.noSuchFileOrDirectory, .fileExists, .permissionDenied, .timedOut] {
      #expect(remedy(error, bytes: 0, files: 0) == nil)
    }
  }

  @Test func only_an_existing_folder_has_free_space() throws {
    let room = try #require(VolumeRoom(at: "/"))
    #expect(room.bytes >= 0 && (room.fileCount ?? 0) >= 0)
    #expect(VolumeRoom(at: "/nowhere/at/all") == nil)
  }
}
