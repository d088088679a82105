import MediaCore
import SystemPackage
import Testing

@testable import QuickTime

/// The remedies proposed when a movie's disk takes no more data.
struct DiskRemedyTests {
  @Test func a_disk_without_free_inodes_is_not_reported_as_out_of_space() {
    let error = PosixMovieFile.failure("create", "/disk/a.mov", .noSpace) { _ in
      VolumeRoom(bytes: 1 << 40, fileCount: 0)
    }
    #expect(error.code == .diskFull && error.errno == .noSpace)
    #expect(
      error.message.contains("no free inodes") && !error.message.contains("free space"))
    let full = PosixMovieFile.failure("write", "/disk/a.mov", .noSpace) { _ in
      VolumeRoom(bytes: 0, fileCount: 12)
    }
    #expect(full.code == .diskFull && full.message.contains("free space or choose another disk"))
  }

  @Test(arguments: [
    (Errno.diskQuotaExceeded, QuickTimeError.Code.diskFull, "raise the quota"),
    (.readOnlyFileSystem, .permissionDenied, "mounted read-only"),
    (.staleNFSFileHandle, .ioFailed, "mount the share again"),
    (.ioError, .ioFailed, "the kernel's messages"),
  ])
  func disk_errors_are_reported_with_a_remedy(
    number: Errno, code: QuickTimeError.Code, words: String
  ) {
    let error = PosixMovieFile.failure("write", "/disk/a.mov", number)
    #expect(error.code == code && error.errno == number)
    #expect(error.message.contains(words), "\(error)")
  }
}
