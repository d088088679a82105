import Dispatch
import Glibc
import MediaCore
import Synchronization
import SystemPackage

/// Writes one copy of a card on a separate thread, and reads each file back.
///
/// A disk that fails is reported and no longer used: its writer keeps accepting data, and drops it, so that the
/// other copies are not affected.
final class CopyWriter: Sendable {
  /// The size and hash of a source file after it was read.
  struct Content: Sendable, Hashable {
    var size: Int64
    var hash: ContentHash
  }

  /// How reading a source file ended.
  enum Ending: Sendable {
    case complete(Content)
    /// It was not read completely or cannot be trusted. The offload reports why, once for all
    /// copies.
    case abandoned
  }

  /// What this copy does with the current file.
  private enum Step {
    /// It is written to a temporary file.
    case writing(PartFile)
    /// A file of that name exists, and is compared at the end.
    case comparing
    /// Nothing: it failed, and the failure was reported, or the file is left as it is.
    case dropping

    var part: PartFile? {
      guard case .writing(let part) = self else { return nil }
      return part
    }

    var isComparing: Bool {
      guard case .comparing = self else { return false }
      return true
    }
  }

  private struct Work: ~Copyable {
    var file: FolderListing.File?
    var step: Step = .dropping
    var report: OffloadReport.Destination
    var batch: CopyBatch
    /// Folders that were synchronized for files that already existed.
    var settledFolders: Set<[UInt8]> = []
    /// Why the disk is no longer used; nil while it is.
    var failure: ASCMHLError?
  }

  let folder: CopyFolder
  /// Paths of the card's own files that look like temporary files.
  private let reserved: Set<PathBytes>
  private let queue: DispatchQueue
  private let work: Mutex<Work>
  /// The sum of bytes written and bytes read back.
  private let progress = Atomic<Int64>(0)
  private let isFailed = Atomic<Bool>(false)

  /// - Parameters:
  ///   - listing: The contents of the card.
  ///   - copies: The number of simultaneous copies.
  init(_ folder: CopyFolder, of listing: FolderListing, oneOf copies: Int) {
    self.folder = folder
    reserved = Set(
      (listing.files + listing.manifests).map(\.path).filter { $0.hasSuffix(".part") }
        .map { PathBytes($0) })
    queue = DispatchQueue(label: "offload.\(folder.path)", qos: .userInitiated)
    work = Mutex(
      Work(
        report: OffloadReport.Destination(
          folder: folder.path, disk: Disk(holding: folder.path)),
        batch: CopyBatch(sharedBy: copies)))
  }

  /// Progress in bytes of the source: writing and reading back count half each. nil if the disk has
  /// failed.
  var bytesDone: Int64? {
    isFailed.load(ordering: .relaxed) ? nil : progress.load(ordering: .relaxed) / 2
  }

  // MARK: From the reader, in this order

  /// - Parameter keepsPresent: True to leave an existing file of that name as it is, whatever it
  ///   contains.
  func begin(_ file: FolderListing.File, keepsPresent: Bool = false) {
    queue.async { self.beginFile(file, keepsPresent: keepsPresent) }
  }

  func take(_ chunk: ChunkPool.Chunk) { queue.async { self.write(chunk.bytes) } }

  func end(_ ending: Ending) { queue.async { self.endFile(ending) } }

  /// Creates all folders, including those without files.
  func makeFolders(_ paths: [String]) { queue.async { self.makeAll(paths) } }

  /// Fails early if no manifest could be added to the copy, instead of after hours of copying.
  func checkHistory() { queue.async { self.work.withLock { self.checkHistory(&$0) } } }

  /// Flushes the waiting files to the disk.
  func settle() { queue.async { self.work.withLock { self.settle(&$0) } } }

  /// Waits for all queued work, and returns the report after `add` has completed it. ``settle()``
  /// must come before.
  func finish(
    _ add: @escaping @Sendable (inout OffloadReport.Destination) -> Void
  ) -> OffloadReport.Destination {
    queue.sync {
      work.withLock { work in
        add(&work.report)
        return work.report
      }
    }
  }

  /// Waits for all queued work, but no longer than the given time.
  ///
  /// - Returns: True if the work is done.
  func wait(seconds: Double) -> Bool {
    let group = DispatchGroup()
    queue.async(group: group) {}
    return group.wait(timeout: .now() + seconds) == .success
  }

  // MARK: On the writer's own thread

  private func beginFile(_ file: FolderListing.File, keepsPresent: Bool) {
    work.withLock { work in
      work.file = file
      if let failure = work.failure {
        work.report.failures.append(.init(path: file.path, failure))
        return
      }
      attempt(file.path, &work) { work throws(ASCMHLError) in
        if keepsPresent, try folder.facts(file.path) != nil { return }
        work.step = try step(for: file)
      }
    }
  }

  private func step(for file: FolderListing.File) throws(ASCMHLError) -> Step {
    if let facts = try folder.facts(file.path) {
      guard facts.isRegularFile, facts.size == file.size else { throw otherBytes(file.path) }
      return .comparing
    }
    return .writing(try PartFile(for: file.path, in: folder, apartFrom: reserved))
  }

  private func otherBytes(_ path: String) -> ASCMHLError {
    ASCMHLError(
      .verificationFailed,
      "\(folder.path(of: path)): already exists with different content; copy to another folder, or move it "
        + "away")
  }

  private func write(_ bytes: UnsafeRawBufferPointer) {
    work.withLock { work in
      guard let path = work.file?.path else { return }
      attempt(path, &work) { work throws(ASCMHLError) in
        try work.step.part?.file.write(bytes)
      }
    }
    progress.wrappingAdd(Int64(bytes.count), ordering: .relaxed)
  }

  private func endFile(_ ending: Ending) {
    work.withLock { work in
      guard let file = work.file else { return }
      switch ending {
      case .complete(let content):
        attempt(file.path, &work) { work throws(ASCMHLError) in
          try complete(file, content, &work)
        }
      case .abandoned: work.step.part?.discard()
      }
      work.step = .dropping
      work.file = nil
    }
  }

  private func complete(
    _ file: FolderListing.File, _ content: Content, _ work: inout Work
  ) throws(ASCMHLError) {
    let mayWait = content.size <= WholeSynchronization.fileLimit
    let entry = CopyBatch.Entry(file: file, content: content, part: work.step.part)
    let waits: Bool
    if let part = entry.part {
      part.file.setModified(file.modified)
      waits = mayWait && folder.reachesAll(part.file)
      if !waits { try part.file.synchronize() }
    } else if work.step.isComparing {
      waits = try mayWait ? folder.reachesAll(folder.open(file.path)) : false
    } else {
      return
    }
    if waits {
      work.batch.add(entry)
      if work.batch.isFull { settle(&work) }
      return
    }
    if let part = entry.part {
      try readBack(part, entry)
    } else {
      try compare(entry, synchronizes: true)
      try settleFolders(of: file.path, &work)
    }
    Self.enter(entry, &work)
  }

  private static func enter(_ entry: CopyBatch.Entry, _ work: inout Work) {
    work.report.files.append(
      .init(
        path: entry.file.path, size: entry.content.size, xxh64: "\(entry.content.hash)",
        wasPresent: entry.wasPresent))
  }

  /// Compares a file that already existed.
  ///
  /// - Parameter synchronizes: True to sync the file first. The program that wrote it may not have
  ///   done so, and data that is only in the page cache is no copy.
  private func compare(_ entry: CopyBatch.Entry, synchronizes: Bool) throws(ASCMHLError) {
    let file = try folder.open(entry.file.path)
    // Dirty pages would stay in the cache, and be read from there.
    if synchronizes { try file.synchronize() }
    guard try content(of: file) == entry.content else {
      throw otherBytes(entry.file.path)
    }
  }

  /// Synchronizes the folders that lead to a file that already existed, each one once.
  private func settleFolders(of path: String, _ work: inout Work) throws(ASCMHLError) {
    var folder = CopyFolder.split(path).parent
    while true {
      if folder.utf8.last == UInt8(ascii: "/") { folder.removeLast() }
      if work.settledFolders.contains(Array(folder.utf8)) { return }
      try self.folder.synchronizeFolder(folder)
      work.settledFolders.insert(Array(folder.utf8))
      if folder.isEmpty { return }
      folder = CopyFolder.split(folder).parent
    }
  }

  /// Follows the same order as for a single file: flush the bytes, read them back, rename, flush
  /// the name, and only then report the file.
  private func settle(_ work: inout Work) {
    let entries = work.batch.takeAll()
    guard !entries.isEmpty else { return }
    var named: [CopyBatch.Entry] = []
    do throws(ASCMHLError) {
      // Done even after a failure: what fitted on a full disk is worth keeping.
      try folder.synchronizeAll()
      for entry in entries {
        do throws(ASCMHLError) {
          if let part = entry.part {
            try readBack(part, entry, synchronizesName: false)
          } else {
            try compare(entry, synchronizes: false)
          }
          named.append(entry)
        } catch {
          fail(entry, error, &work)
        }
      }
      // The names of files that already existed were flushed with their bytes.
      if named.contains(where: { !$0.wasPresent }) { try folder.synchronizeAll() }
      for entry in named { Self.enter(entry, &work) }
    } catch {
      for entry in named.isEmpty ? entries : named { fail(entry, error, &work) }
    }
  }

  private func fail(_ entry: CopyBatch.Entry, _ error: ASCMHLError, _ work: inout Work) {
    work.report.failures.append(.init(path: entry.file.path, error))
    entry.part?.discard()
    note(error, &work)
  }

  private func note(_ error: ASCMHLError, _ work: inout Work) {
    guard Self.endsDisk(error) else { return }
    work.failure = ASCMHLError(
      error.code, "not tried after the disk failed: \(error.message)", from: error)
    isFailed.store(true, ordering: .relaxed)
  }

  /// Reads a new file back, and renames it to its final name.
  private func readBack(
    _ part: PartFile, _ entry: CopyBatch.Entry, synchronizesName: Bool = true
  ) throws(ASCMHLError) {
    let copy = try content(of: part.file)
    guard copy == entry.content else {
      throw ASCMHLError(
        .verificationFailed,
        "\(folder.path(of: entry.file.path)): was not written as it was read (xxHash64 \(copy.hash), not "
          + "\(entry.content.hash)); check the disk")
    }
    try part.publish(synchronizes: synchronizesName)
  }

  /// Hashes a file as it is on the disk.
  private func content(of file: borrowing FileInFolder) throws(ASCMHLError) -> Content {
    file.dropCache()
    let hash = ContentHash.Stream()
    var size: Int64 = 0
    try file.forEachChunk { bytes throws(ASCMHLError) in
      hash.add(bytes)
      size += Int64(bytes.count)
      progress.wrappingAdd(Int64(bytes.count), ordering: .relaxed)
    }
    guard let value = hash.hash else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(file.path)")
    }
    return Content(size: size, hash: value)
  }

  private func checkHistory(_ work: inout Work) {
    guard work.failure == nil else { return }
    do throws(ASCMHLError) {
      var history = try MHLHistory(folder)
      try history.prepareToAdd()
    } catch {
      work.report.failures.append(.init(path: MHLManifest.folderName, error))
      work.failure = ASCMHLError(
        error.code, "not tried, as no manifest can list it: \(error.message)", from: error)
      isFailed.store(true, ordering: .relaxed)
    }
  }

  private func makeAll(_ paths: [String]) {
    work.withLock { work in
      for path in paths where work.failure == nil {
        attempt(path, &work) { _ throws(ASCMHLError) in try folder.makeFolder(path) }
      }
    }
  }

  /// Performs an action for a file. A failure is reported, and ends that file or the use of the
  /// disk.
  private func attempt(
    _ path: String, _ work: inout Work,
    _ action: (inout Work) throws(ASCMHLError) -> Void
  ) {
    do throws(ASCMHLError) { try action(&work) } catch {
      work.report.failures.append(.init(path: path, error))
      work.step.part?.discard()
      work.step = .dropping
      note(error, &work)
    }
  }

  /// True for errors that the next file would hit as well.
  private static func endsDisk(_ error: ASCMHLError) -> Bool {
    switch error.errno {
    case .noSpace, .diskQuotaExceeded, .ioError, .readOnlyFileSystem,
      .operationNotSupportedByDevice,
      .noSuchAddressOrDevice, .staleNFSFileHandle, .socketNotConnected:
      true
    default: false
    }
  }
}
