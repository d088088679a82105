import Foundation
import Glibc
import MediaLibrary
import Synchronization
import TestSupport
import Testing

/// A small file is read only once, when it is inspected, and imported from memory.
@Suite struct SmallFileImportTests {
  @Test func files_around_the_read_size_are_imported_intact() async throws {
    let test = try TestLibrary()
    let sizes = [0, 1, 3000, 4095, 4096, 4097, 8192]
    for size in sizes {
      let head = TestMedia.png(seed: size)
      let filler = (0..<max(0, size - head.count)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let file = try test.folder.write(head + filler, "Card/\(size).png")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_234_567_890)], ofItemAtPath: file.path)
    }
    let card = test.folder.url.appending(path: "Card")
    let report = try await test.library.importFiles([card])
    #expect(report.imported.count == sizes.count)
    try test.expectSound()
    for asset in try test.library.fetchAssets().allObjects() {
      let resource = try #require(asset.resources.first)
      let source = card.appending(path: resource.originalFilename)
      #expect(try Data(contentsOf: resource.fileURL) == Data(contentsOf: source))
      let date = try FileManager.default.attributesOfItem(atPath: resource.fileURL.path)[
        .modificationDate]
      #expect(date as? Date == Date(timeIntervalSince1970: 1_234_567_890))
    }
  }

  /// A file copied some time after its inspection may have changed.
  @Test func files_changed_since_inspection_are_read_again() async throws {
    let test = try TestLibrary()
    let count = 1030
    for seed in 0..<count {
      try test.folder.write(TestMedia.png(seed: 10_000 + seed), "Card/p\(10_000 + seed).png")
    }
    let card = test.folder.url.appending(path: "Card")
    // The first block of changes takes 1,024 files; the last files are in a later block.
    let changes = try ["written", "replaced", "written, with its old date"].enumerated().map {
      try Change(
        how: $1, file: card.appending(path: "p\(10_000 + count - 1 - $0).png"), seed: 99_999 - $0)
    }
    let isChanged = Mutex(false)
    let report = try await test.library.importFiles([card]) { progress in
      let isBetween = (1..<progress.totalFileCount).contains(progress.fileCount)
      guard isBetween, !isChanged.withLock({ $0 }) else { return }
      do {
        for change in changes { try change.make() }
        isChanged.withLock { $0 = true }
      } catch { Issue.record(error) }
    }
    #expect(isChanged.withLock { $0 })
    #expect(report.imported.count == count && report.failures.isEmpty)
    for change in changes {
      let taken = try test.library.fetchAssets(
        with: FetchOptions(
          predicate: .text(change.file.deletingPathExtension().lastPathComponent)))
      let resource = try #require(taken.allObjects().first?.resources.first)
      #expect(try Data(contentsOf: resource.fileURL) == change.after, "\(change.how)")
    }
    try test.expectSound()
  }

  /// Replaces a file's content with different content of the same size.
  private struct Change {
    let how: String
    let file: URL
    let after: Data
    private let times: [timespec]

    init(how: String, file: URL, seed: Int) throws {
      (self.how, self.file) = (how, file)
      after = Data(TestMedia.png(seed: seed))
      let before = try Data(contentsOf: file)
      try #require(before.count == after.count)
      var status = stat()
      try #require(lstat(file.path, &status) == 0)
      times = [status.st_atim, status.st_mtim]
    }

    func make() throws {
      guard how != "replaced" else { return try after.write(to: file, options: .atomic) }
      let opened = try FileHandle(forWritingTo: file)
      try opened.write(contentsOf: after)
      if how != "written" { _ = futimens(opened.fileDescriptor, times) }
      try opened.close()
    }
  }
}
