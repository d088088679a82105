import Foundation
import Glibc
import MediaCore
import MediaLibrary
import SystemPackage
import TestSupport
import Testing

/// Disks that fail during a rebuild.
@Suite struct RebuildFaultTests {
  /// Saves a photo that is moved into the library.
  private func save(_ test: TestLibrary) async throws -> URL {
    let file = try test.folder.write(TestMedia.dng(), "IMG_1.dng")
    try await test.add(file, moves: true)
    return file
  }

  /// A change is in the journal, the catalogue is lost, and the disk fails before the change's file can be moved: the
  /// file is not missing, and is moved by a later rebuild.
  @Test func a_rebuild_waits_for_the_files_of_a_change_on_a_failing_disk() async throws {
    let whole = FaultyFileCalls()
    let example = try TestLibrary(calls: whole)
    try example.library.open()
    whole.arm(nil)
    _ = try await save(example)
    var hasWaited = false
    for point in 0..<whole.trace.count {
      let calls = FaultyFileCalls()
      let test = try TestLibrary(calls: calls)
      try test.library.open()
      calls.arm(.deadFrom(point))
      let file = try? await save(test)
      test.library.close()
      for suffix in ["", "-wal", "-shm"] {
        unlink(test.root + "/.medialibrary/catalogue.sqlite" + suffix)
      }
      func isOutside() -> Bool {
        FileManager.default.fileExists(atPath: test.folder.path("IMG_1.dng"))
      }
      let wasOutside = isOutside()
      let failing = FaultyFileCalls()
      failing.arm(.statuses(of: "IMG_1.dng", errno: EIO))
      var hasFailed = false
      do { _ = try test.another(calls: failing).library.rebuild() } catch {
        let errno = (error as? MediaLibraryError)?.errno
        #expect(errno == .ioError, "call \(point): \(error)")
        hasFailed = true
      }
      let report = try test.another().library.rebuild()
      #expect(report.missingFiles.isEmpty, "call \(point)")
      try test.openAfterCrash()
      try test.expectSound()
      #expect(isOutside() == test.originals.isEmpty, "call \(point): the moved file exists once")
      #expect(file == nil || !isOutside(), "call \(point)")
      hasWaited = hasWaited || hasFailed && wasOutside && !isOutside()
    }
    #expect(hasWaited)
  }

  @Test func a_rebuild_on_a_failing_disk_forgets_no_asset() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    _ = try await save(test)
    let before = try #require(try test.library.fetchAssets().firstObject)
    let year = String(try #require(test.originals.first).prefix { $0 != "/" })
    calls.arm(.statuses(of: year, errno: EIO))
    let error = #expect(throws: MediaLibraryError.self) { try test.library.rebuild() }
    #expect(error?.errno == .ioError)
    calls.arm(nil)
    let report = try test.library.rebuild()
    #expect(report.missingFiles.isEmpty && report.adoptedFiles.isEmpty)
    let after = try #require(try test.library.fetchAssets().firstObject)
    #expect(after.localIdentifier == before.localIdentifier)
    try test.expectSound()
  }
}
