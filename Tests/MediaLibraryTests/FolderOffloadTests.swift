import Dispatch
import Foundation
import Glibc
import MediaCore
import MediaLibrary
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// Offloads of a library to one or more folders.
@Suite struct FolderOffloadTests {
  @Test(.enabled("/dev/shm is on the same disk as temporary files") { hasTwoDisks })
  func offloading_deletes_only_assets_whole_in_every_folder() async throws {
    let (test, assets) = try await TestLibrary.filled()
    try TestLibrary.damage(try #require(assets[0].fileURL).path)
    let other = try TemporaryFolder(in: Self.otherDisk)
    let folders = [try test.folder.makeFolder("A"), other.url]
    let result = try await test.library.offload(assets, to: folders, deletes: true)
    #expect(Set(result.deleted) == Set(assets.dropFirst().map(\.localIdentifier)))
    #expect(try test.library.fetchAssets().allObjects().map(\.localIdentifier) == [assets[0].id])
    for folder in folders { #expect(try CopyVerification.verify(folder: folder).isSound) }
  }

  /// A folder on a different disk from temporary files.
  private static let otherDisk = URL(filePath: "/dev/shm")

  private static var hasTwoDisks: Bool {
    guard let one = Disk(holding: FileManager.default.temporaryDirectory.path),
      let other = Disk(holding: otherDisk.path)
    else { return false }
    return !one.isSame(as: other)
  }

  /// An edit saved while a long copy is in progress.
  @Test func an_asset_edited_during_its_copy_is_not_deleted() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let editor = try test.another()
    let edited = assets[0]
    let image = try test.folder.write(TestMedia.png(seed: 77), "edit.png")
    let isFirst = Mutex(true)
    let result = try await test.library.offload(
      assets, to: [try test.folder.makeFolder("A")], deletes: true
    ) { step in
      let begins = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      guard begins else { return }
      let done = DispatchSemaphore(value: 0)
      Task.detached {
        _ = try? await editor.library.performChanges {
          try AssetChangeRequest.setContent(
            of: edited,
            to: ContentEditingOutput(
              adjustmentData: Data("edit".utf8), adjustmentName: "edit.xmp",
              renderedContentURL: image))
        }
        done.signal()
      }
      done.wait()
    }
    #expect(result.changed == [edited.localIdentifier])
    #expect(Set(result.deleted) == Set(assets.dropFirst().map(\.localIdentifier)))
    #expect(result.deletionFailure == nil)
    let left = try test.another().library.fetchAssets().allObjects()
    #expect(left.map(\.localIdentifier) == [edited.localIdentifier] && left[0].isEdited)
    // Another offload copies the edit and then deletes the asset.
    let again = try await test.library.offload(
      left, to: [test.folder.url.appending(path: "A")], deletes: true)
    #expect(again.deleted == [edited.localIdentifier] && again.changed.isEmpty)
    try test.expectSound()
  }

  @Test func a_failed_deletion_still_returns_the_copy_reports() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try await test.add(try test.folder.write(TestMedia.png(seed: 1), "p1.png"))
    let assets = try test.library.fetchAssets().allObjects()
    let folder = try test.folder.makeFolder("A")
    let result = try await test.library.offload(assets, to: [folder], deletes: true) { _ in
      // The copy is complete; the change in the library follows.
      calls.arm(.kind("write", errno: EIO))
    }
    #expect(result.reports.map(\.files.count) == [1] && result.deleted.isEmpty)
    #expect(result.deletionFailure?.errno == .ioError)
    calls.arm(nil)
    #expect(try test.library.fetchAssets().count == 1)
    #expect(try CopyVerification.verify(folder: folder).isSound)
  }

  @Test func two_folders_on_one_disk_count_as_one_copy() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let folders = [try test.folder.makeFolder("A"), try test.folder.makeFolder("B")]
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.offload(assets, to: folders, deletes: true)
    }
    #expect(error?.code == .invalidPath)
    #expect(error?.message.contains("one copy") == true)
    #expect(try test.library.fetchAssets().count == 1)
    // Two copies are made if the originals stay.
    let result = try await test.library.offload(assets, to: folders, deletes: false)
    #expect(result.reports.allSatisfy { $0.failures.isEmpty && $0.disk != nil })
  }

  @Test func progress_of_several_destinations_follows_the_slowest() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let folders = [try test.folder.makeFolder("A"), try test.folder.makeFolder("B")]
    let reported = Mutex<[LibraryProgress]>([])
    let result = try await test.library.offload(assets, to: folders, deletes: false) { step in
      reported.withLock { $0.append(step) }
    }
    #expect(result.reports.map { URL(filePath: $0.destination).lastPathComponent } == ["A", "B"])
    for folder in folders { #expect(try CopyVerification.verify(folder: folder).isSound) }
    let steps = reported.withLock { $0 }
    let last = try #require(steps.last)
    #expect(last.fileCount == assets.reduce(0) { $0 + $1.resources.count } && last.fileCount > 0)
    #expect(last.byteCount == last.totalByteCount && last.fileCount == last.totalFileCount)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.byteCount <= $1.byteCount })
  }

  @Test func a_cancelled_offload_lists_complete_copies_and_deletes_nothing() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let folder = try test.folder.makeFolder("A")
    let copying = SelfCancelled<[ExportReport]>()
    let reports = try await copying.value { [library = test.library] in
      try await library.offload(assets, to: [folder], deletes: true) { step in
        if step.fileCount == 1 { copying.cancel() }
      }.reports
    }
    let report = try #require(reports.first)
    #expect(report.wasInterrupted && report.failures.isEmpty)
    #expect(report.files.count == 1 && report.manifest != nil)
    #expect(try test.library.fetchAssets().count == assets.count)
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(!left.contains { $0.hasSuffix(".part") })
    #expect(try CopyVerification.verify(folder: folder).isSound)
    // The same call copies what is missing.
    let rest = try await test.library.offload(assets, to: [folder], deletes: false)
    let resources = assets.flatMap(\.resources)
    #expect(rest.reports[0].files.count == resources.count)
    #expect(rest.reports[0].files.count(where: \.wasPresent) == 1)
    #expect(try CopyVerification.verify(folder: folder).isSound)
  }

  @Test func an_unusable_destination_does_not_affect_the_others() async throws {
    let (test, assets) = try await TestLibrary.filled()
    let folders = [try test.folder.makeFolder("A"), try test.folder.makeFolder("B")]
    // No manifest can be added to a truncated history.
    try test.folder.write([1, 2, 3], "B/ascmhl/ascmhl_chain.xml")
    let reports = try await test.library.offload(assets, to: folders, deletes: false).reports
    #expect(reports.map { URL(filePath: $0.destination).lastPathComponent } == ["A", "B"])
    #expect(reports[0].failures.isEmpty && reports[0].manifest != nil)
    #expect(reports[1].files.isEmpty && reports[1].failures.count == 1)
    #expect(reports[1].failures.first?.message.contains("ascmhl") == true)
    // If no folder can be used, the call fails with the reason.
    await #expect(throws: MediaLibraryError.self) {
      try await test.library.offload(assets, to: [folders[1]], deletes: false)
    }
  }

  @Test func a_missing_destination_is_refused_with_its_disk_named() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let folder = test.folder.url.appending(path: "not/mounted")
    let disk = try #require(Disk(holding: folder.path))
    for offloads in [true, false] {
      let error = await #expect(throws: MediaLibraryError.self) {
        if offloads {
          _ = try await test.library.offload(assets, to: [folder], deletes: false)
        } else {
          _ = try await test.library.export(assets, to: folder)
        }
      }
      #expect(error?.code == .fileNotFound)
      #expect(error?.message.contains(disk.mountPoint) == true)
    }
    #expect(!FileManager.default.fileExists(atPath: test.folder.url.path + "/not"))
    let made = try await test.library.offload(
      assets, to: [folder], deletes: false, createsFolders: true)
    #expect(try made.reports.count == 1 && CopyVerification.verify(folder: folder).isSound)
  }

  @Test(arguments: [true, false])
  func a_file_in_place_of_a_destination_folder_is_refused(creates: Bool) async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let file = try test.folder.write([1], "Copy")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.offload(
        assets, to: [file], deletes: false, createsFolders: creates)
    }
    #expect(error?.code == .invalidPath)
    #expect(error?.message.hasSuffix("Copy: is not a folder; name a folder") == true)
  }

  @Test func a_destination_given_twice_is_refused() async throws {
    let (test, assets) = try await TestLibrary.filled(1)
    let folder = try test.folder.makeFolder("Copy")
    let again = test.folder.url.appending(path: "Copy/../Copy/")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.offload(assets, to: [folder, again], deletes: true)
    }
    #expect(error?.code == .invalidPath)
    #expect(try test.library.fetchAssets().count == 1)
  }
}
