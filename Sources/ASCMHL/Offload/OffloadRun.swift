import FoundationEssentials
import Glibc
import MediaCore
import Synchronization

/// Performs one offload, from the first file to the manifests.
struct OffloadRun {
  let card: CopyFolder
  let listing: FolderListing
  let writers: [CopyWriter]
  /// The card's own manifests.
  let history: MHLHistory
  let offload: FolderOffload
  let total: Int64
  let progress: (@Sendable (OffloadProgress) -> Void)?
  private let pool = ChunkPool(count: 32)
  private let identifiers = C4Lane()
  private let begin = ContinuousClock.now

  init(
    card: CopyFolder, listing: FolderListing, writers: [CopyWriter], history: MHLHistory,
    offload: FolderOffload, total: Int64, progress: (@Sendable (OffloadProgress) -> Void)?
  ) {
    (self.card, self.listing, self.writers) = (card, listing, writers)
    (self.history, self.offload, self.total, self.progress) = (history, offload, total, progress)
  }

  func copy(isCancelled: () -> Bool, into report: inout OffloadReport) {
    let files = listing.files.filter { file in
      guard let refusal = Self.refusal(file.path) else { return true }
      report.refused.append(.init(path: file.path, message: refusal))
      return false
    }
    for writer in writers { writer.makeFolders(listing.folders) }
    // The card's own manifests are copied too, but no manifest lists them.
    let chain = MHLManifest.folderName + "/" + MHLManifest.chainName
    for file in listing.manifests {
      // An existing chain in the copy may list our generations too, so it is kept.
      _ = copy(file, keepsPresent: file.path == chain, isCancelled, into: &report)
    }
    var own = history
    // If the card's own history is broken, so are those of its copies; such copies are still better
    // than none.
    if (try? own.prepareToAdd()) != nil {
      for writer in writers { writer.checkHistory() }
      waitForWriters()
    }
    var copied: [FolderListing.File] = []
    for file in files {
      if isCancelled() { break }
      if copy(file, isCancelled, into: &report) { copied.append(file) }
    }
    report.wasInterrupted = isCancelled()
    for writer in writers { writer.settle() }
    waitForWriters()
    let c4 = identifiers.identifiers()
    for writer in writers { report.destinations.append(finish(writer, copied, c4)) }
    let time = begin.duration(to: .now).components
    report.duration = Double(time.seconds) + Double(time.attoseconds) / 1e18
  }

  /// Why a file cannot be copied at all; nil if it can.
  private static func refusal(_ path: String) -> String? {
    do throws(ASCMHLError) {
      try MHLManifest.check(path)
      return nil
    } catch { return error.message }
  }

  /// Reads a file, and passes it to all writers.
  ///
  /// - Returns: False if the file was not read completely.
  private func copy(
    _ file: FolderListing.File, keepsPresent: Bool = false, _ isCancelled: () -> Bool,
    into report: inout OffloadReport
  ) -> Bool {
    for writer in writers { writer.begin(file, keepsPresent: keepsPresent) }
    guard writers.contains(where: { $0.bytesDone != nil }) else {
      for writer in writers { writer.end(.abandoned) }
      return false
    }
    identifiers.begin()
    do throws(ASCMHLError) {
      guard let content = try read(file, isCancelled) else {
        for writer in writers { writer.end(.abandoned) }
        return false
      }
      for writer in writers { writer.end(.complete(content)) }
      identifiers.end(file.path)
      return true
    } catch {
      for writer in writers { writer.end(.abandoned) }
      report.refused.append(.init(path: file.path, message: error.message))
      return false
    }
  }

  /// - Returns: nil if the user cancelled.
  private func read(
    _ file: FolderListing.File, _ isCancelled: () -> Bool
  ) throws(ASCMHLError) -> CopyWriter.Content? {
    let source = try card.open(file.path)
    let hash = ContentHash.Stream()
    let listed = history.entry(file.path)
    let check = try check(of: listed, file.path)
    var offset: Int64 = 0
    while true {
      if isCancelled() { return nil }
      let chunk = try pool.chunk { memory throws(ASCMHLError) in
        try source.read(into: memory, at: offset)
      }
      guard let chunk else { break }
      hash.add(chunk.bytes)
      check?.add(chunk.bytes)
      offset += Int64(chunk.bytes.count)
      for writer in writers { writer.take(chunk) }
      identifiers.take(chunk)
      tell(file.path)
    }
    guard let value = hash.hash else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(file.path)")
    }
    let facts = try source.facts()
    guard offset == file.size, facts.size == file.size, facts.modified == file.modified else {
      throw ASCMHLError(
        .verificationFailed, "\(file.path): changed while it was copied; run the offload again")
    }
    if let objection = check?.objection() ?? Self.objection(to: value, by: listed) {
      throw ASCMHLError(
        .verificationFailed,
        "\(file.path): is damaged on the card, by the card's own manifest: \(objection)")
    }
    return CopyWriter.Content(size: offset, hash: value)
  }

  /// Computes the hashes that the card's own manifests list. nil if they list no known format, or
  /// list the xxHash64, which is computed anyway.
  private func check(
    of listed: MHLEntry?, _ path: String
  ) throws(ASCMHLError) -> FileCheck.Stream? {
    guard let listed, listed.isComparable, listed.hashes["xxh64"] == nil else { return nil }
    guard let stream = FileCheck.Stream(listed.forReading) else {
      throw ASCMHLError(.ioFailed, "no memory to hash \(path)")
    }
    return stream
  }

  private static func objection(to hash: ContentHash, by listed: MHLEntry?) -> String? {
    guard listed?.agrees(xxh64: hash, c4: nil) == false else { return nil }
    return "its xxHash64 is \(hash), not \(listed?.hashes["xxh64"] ?? "")"
  }

  private func tell(_ path: String) {
    guard let progress else { return }
    let done = writers.compactMap(\.bytesDone).min() ?? 0
    let time = begin.duration(to: .now).components
    progress(
      OffloadProgress(
        bytesDone: min(done, total), bytesTotal: total,
        seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18, path: path))
  }

  private func waitForWriters() {
    for writer in writers {
      while !writer.wait(seconds: 0.2) { tell("") }
    }
  }

  /// Completes the report of a copy, and writes its manifest.
  private func finish(
    _ writer: CopyWriter, _ copied: [FolderListing.File], _ c4: [PathBytes: C4Identifier]
  ) -> OffloadReport.Destination {
    let modified = Dictionary(copied.map { (PathBytes($0.path), $0.modified) }) { first, _ in
      first
    }
    let places = Dictionary(copied.enumerated().map { (PathBytes($1.path), $0) }) { first, _ in
      first
    }
    return writer.finish { report in
      // Sorted in the card's order: small files are reported late, when they are flushed.
      report.files = report.files
        .compactMap { file in places[PathBytes(file.path)].map { (place: $0, file: file) } }
        .sorted { $0.place < $1.place }.map { $0.file }
      for index in report.files.indices {
        report.files[index].c4 = c4[PathBytes(report.files[index].path)].map { "\($0)" }
      }
      guard !report.files.isEmpty else { return }
      addManifest(to: writer.folder, modified, c4, &report)
    }
  }

  private func addManifest(
    to folder: CopyFolder, _ modified: [PathBytes: Int64], _ c4: [PathBytes: C4Identifier],
    _ report: inout OffloadReport.Destination
  ) {
    do throws(ASCMHLError) {
      let (path, contradicted) = try MHLHistory.add(
        listed(report.files, modified, c4), to: folder, date: offload.now(),
        toolVersion: offload.toolVersion)
      report.manifest = path.map { folder.path(of: $0) }
      let paths = Set(contradicted.map { PathBytes($0.path) })
      report.files.removeAll { paths.contains(PathBytes($0.path)) }
      report.failures += contradicted.map {
        .init(path: $0.path, MHLHistory.contradiction($0))
      }
    } catch {
      report.failures.append(.init(path: MHLManifest.folderName, error))
    }
  }

  private func listed(
    _ files: [OffloadReport.File], _ modified: [PathBytes: Int64],
    _ c4: [PathBytes: C4Identifier]
  ) -> [MHLManifest.File] {
    let now = offload.now()
    return files.compactMap { file in
      guard let hash = ContentHash(file.xxh64) else { return nil }
      // Files that the card's manifests list were compared with them while they were read.
      let wasCompared = history.entry(file.path)?.isComparable == true
      let path = PathBytes(file.path)
      return MHLManifest.File(
        path: file.path, size: file.size, modified: Double(modified[path] ?? 0) / 1e9,
        xxh64: hash, c4: c4[path], isVerified: wasCompared, hashed: now)
    }
  }
}
