public import ASCMHL
import Dispatch
public import FoundationEssentials
import MediaCore

/// Copies a folder, such as a camera card, to object storage unchanged, with an ASC MHL manifest.
public struct FolderUpload: Sendable {
  /// The folder.
  public let source: URL
  /// The destination and settings. The address is that of the copied folder.
  public let copy: RemoteCopy

  public init(of source: URL, by copy: RemoteCopy) { (self.source, self.copy) = (source, copy) }

  /// Copies the folder. Blocks until done.
  ///
  /// - Parameters:
  ///   - isCancelled: Returns true to stop. The files copied so far get a manifest.
  ///   - progress: Called with the progress.
  /// - Throws: ``ObjectStorageError`` if the folder or the store cannot be used.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (OffloadProgress) -> Void)? = nil
  ) throws(ObjectStorageError) -> OffloadReport {
    let begin = ContinuousClock.now
    let (card, listing, history) = try open()
    var report = OffloadReport(
      source: card.path, fileCount: listing.files.count,
      byteCount: listing.files.reduce(0) { $0.addingSaturating($1.size) },
      refused: listing.others)
    report.refused += history.problems
    if let note = history.noteOfUnknownFormats(listing.files) { report.notes.append(note) }
    // The card's own manifests are not copied. Those of subfolders are copied as files, but not
    // listed in the new manifest.
    let own = MHLManifest.folderName + "/"
    let items =
      listing.files.map { item($0, card, history.entry($0.path)) }
      + listing.manifests.filter { !$0.path.hasPrefix(own) }
      .map {
        RemoteCopy.Item(path: $0.path, source: .init($0, in: card), isListed: false)
      }
    if listing.manifests.contains(where: { $0.path.hasPrefix(own) }) {
      report.notes.append(
        "\(MHLManifest.folderName): the card's own manifests are not copied, the files were compared "
          + "with them; the copy has its own")
    }
    let total = report.byteCount
    let outcome = try copy.run(items, isCancelled: isCancelled) { _, bytes in
      progress?(
        OffloadProgress(
          bytesDone: min(bytes, total), bytesTotal: total,
          seconds: (ContinuousClock.now - begin) / .seconds(1), path: ""))
    }
    report.destinations = [destination(items, outcome)]
    report.notes += outcome.notes
    report.wasInterrupted = outcome.wasInterrupted
    report.duration = (ContinuousClock.now - begin) / .seconds(1)
    return report
  }

  /// Copies the folder on a separate thread.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: (@Sendable (OffloadProgress) -> Void)? = nil
  ) async throws(ObjectStorageError) -> OffloadReport {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "upload", qos: .userInitiated).async {
        continuation.resume(
          returning: Result { () throws(ObjectStorageError) -> OffloadReport in
            try run(isCancelled: isCancelled, progress: progress)
          })
      }
    }
    return try result.get()
  }

  private func item(
    _ file: FolderListing.File, _ card: CopyFolder, _ listed: MHLEntry?
  ) -> RemoteCopy.Item {
    let xxh64 = listed?.hashes["xxh64"]?.lowercased()
    var item = RemoteCopy.Item(path: file.path, source: .init(file, in: card), xxh64: xxh64)
    if let listed, listed.isComparable, xxh64 == nil { item.listed = listed.forReading }
    return item
  }

  private func open() throws(ObjectStorageError) -> (CopyFolder, FolderListing, MHLHistory) {
    do throws(ASCMHLError) {
      var path = source.absoluteURL.standardizedFileURL.path
      while path.count > 1, path.hasSuffix("/") { path.removeLast() }
      let card = try CopyFolder(path)
      return (card, try FolderListing(card), try MHLHistory(card))
    } catch { throw ObjectStorageError(error) }
  }

  private func destination(
    _ items: [RemoteCopy.Item], _ outcome: RemoteCopy.Outcome
  ) -> OffloadReport.Destination {
    var destination = OffloadReport.Destination(
      folder: copy.address.description, manifest: outcome.manifest)
    destination.files = outcome.entries.filter { items[$0.item].isListed }.map { entry in
      OffloadReport.File(
        path: items[entry.item].path, size: entry.size, xxh64: entry.xxh64, c4: entry.c4,
        wasPresent: entry.wasPresent)
    }
    destination.failures = outcome.failures.map {
      .init(path: items[$0.item].path, $0.error)
    }
    if let failure = outcome.manifestFailure {
      destination.failures.append(.init(path: MHLManifest.folderName, failure))
    }
    return destination
  }
}
