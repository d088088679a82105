import MediaCore
import ObjectStorage
import Testing

@testable import MediaLibrary

/// How a library reports failures of object storage.
struct StorageFailureTests {
  @Test func temporary_and_permanent_storage_failures_are_distinguished() {
    for code in [ObjectStorageError.Code.unreachable, .requestFailed, .busy] {
      #expect(MediaLibraryError(ObjectStorageError(code, "x")).code == .unreachable, "\(code.name)")
    }
    #expect(MediaLibraryError(ObjectStorageError(.requestRefused, "x")).code == .ioFailed)
    #expect(MediaLibraryError(ObjectStorageError(.interrupted, "x")).code == .interrupted)
    #expect(MediaLibraryError(ObjectStorageError(.accessDenied, "x")).code == .accessDenied)
  }
}
