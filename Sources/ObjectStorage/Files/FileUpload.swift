import ASCMHL
import Dispatch
import MediaCore

/// Sends files and folders unchanged: takes with their sidecars, segments, job folders.
///
/// A file becomes `ADDRESS/NAME`, a file in a folder `ADDRESS/NAME/PATH`. A movie that does not match the checksum
/// in its sidecar is not sent. Nothing is overwritten, and no manifest is written, because several machines may
/// send to one address.
public struct FileUpload: Sendable {
  /// The files and folders.
  public let paths: [String]
  /// The destination and settings.
  public let copy: RemoteCopy
  /// True to remove each file after its object is verified.
  public var removesVerified = false
  /// Called once everything is verified, before anything is removed.
  var willRemove: (@Sendable () throws(ObjectStorageError) -> Void)?

  public init(of paths: [String], by copy: RemoteCopy) { (self.paths, self.copy) = (paths, copy) }

  /// Sends the files. Blocks until done.
  ///
  /// - Parameters:
  ///   - isCancelled: Returns true to stop. The next run continues.
  ///   - progress: Called with the number of bytes done, and of all bytes.
  /// - Throws: ``ObjectStorageError`` if a path, the server, the bucket or the credentials cannot
  ///   be used. Later failures are in the report.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) throws(ObjectStorageError) -> UploadReport {
    let begin = ContinuousClock.now
    let local = try LocalFiles(paths)
    try copy.check(isCancelled: isCancelled)
    let client = try copy.client(isCancelled)
    let total = local.files.reduce(Int64(0)) { $0.addingSaturating($1.item.source.size) }
    let meter = SendMeter { progress(min($0, total), total) }
    var report = UploadReport(address: copy.address.description)
    report.failures = local.failures
    if local.hiddenCount > 0 {
      report.notes.append(
        local.hiddenCount == 1
          ? "1 file is left out because its name, or a folder's, begins with a dot: such files are incomplete or leftovers"
          : "\(local.hiddenCount) files are left out because their names, or folders', begin with a dot: "
            + "such files are incomplete or leftovers")
    }
    let sent = SentFiles(
      of: ([copy.account.endpoint.description, copy.address.description] + paths).joined(
        separator: "\0"),
      in: copy.settings.stateFolder)
    var work = Work(copy: copy, client: client, meter: meter, isCancelled: isCancelled, sent: sent)
    for file in local.files {
      if isCancelled() { break }
      work.send(file, removesVerified: removesVerified, &report)
    }
    if removesVerified, !report.files.isEmpty {
      try willRemove?()
      work.removeVerified(local.files, &report)
    }
    report.wasInterrupted = isCancelled()
    if report.isSound { sent.forget() }
    report.sentByteCount = meter.sentByteCount
    report.duration = (ContinuousClock.now - begin) / .seconds(1)
    return report
  }

  /// Sends the files on a separate thread.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false },
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(ObjectStorageError) -> UploadReport {
    try await OwnThread.run { () throws(ObjectStorageError) in
      try run(isCancelled: isCancelled, progress: progress)
    }
  }

  /// Sends the files in turn.
  private struct Work {
    let copy: RemoteCopy
    let client: StorageClient
    let meter: SendMeter
    let isCancelled: @Sendable () -> Bool
    let sent: SentFiles
    private var dead: ObjectStorageError?
    /// Files that failed, and whether another call may send them.
    private var failed: [(folder: String, path: String, mayPass: Bool)] = []
    /// Files that are in the store, with their state when they were sent.
    private var verified: [[UInt8]: FileFacts] = [:]

    init(
      copy: RemoteCopy, client: StorageClient, meter: SendMeter,
      isCancelled: @escaping @Sendable () -> Bool, sent: SentFiles
    ) {
      (self.copy, self.client, self.meter, self.isCancelled) = (copy, client, meter, isCancelled)
      self.sent = sent
    }

    mutating func send(
      _ file: LocalFiles.File, removesVerified: Bool, _ report: inout UploadReport
    ) {
      do throws(ObjectStorageError) {
        if let dead { throw ObjectStorageError(dead.code, "not tried after: \(dead.message)") }
        try checkCompanions(file)
        let (item, facts) = try judged(file.item, removesVerified: removesVerified)
        let outcome = try copy.send(item, client, meter, isCancelled)
        let address = copy.address.appending(item.path).description
        sent.note(facts, at: address, xxh64: outcome.xxh64)
        verified[Array(file.item.path.utf8)] = facts
        report.files.append(
          .init(
            path: file.path, address: address, size: outcome.size, xxh64: outcome.xxh64,
            wasPresent: outcome.wasPresent))
        for note in outcome.notes where !report.notes.contains(note) { report.notes.append(note) }
      } catch {
        if error.code == .interrupted { return }
        if error.code == .objectExists, isMadeByAnother(file.item) {
          return report.notes.append(
            "\(file.path): another worker encoded the part as well; its record is kept")
        }
        if error.endsDestination { dead = dead ?? error }
        failed.append(
          (CopyFolder.split(file.item.path).parent, file.item.path, error.isWorthRetrying))
        report.failures.append(TransferFailure(path: file.path, error))
      }
    }

    private func isMadeByAnother(_ item: RemoteCopy.Item) -> Bool {
      (try? PartRecord.areAlike(item, copy.address.appending(item.path).key, client)) == true
    }

    /// Adds what is known of a file from its sidecar or an earlier call of this command.
    private func judged(
      _ item: RemoteCopy.Item, removesVerified: Bool
    ) throws(ObjectStorageError) -> (RemoteCopy.Item, FileFacts) {
      var item = item
      let source = item.source
      let facts: FileFacts
      let sidecar: FileFacts?
      do throws(ASCMHLError) {
        facts = try source.folder.open(source.path).facts()
        sidecar = try source.folder.facts(source.path + SidecarDigest.suffix)
      } catch { throw ObjectStorageError(error) }
      (item.source.size, item.source.modified) = (facts.size, facts.modified)
      if let sidecar, let digest = try SidecarDigest(of: source.path, in: source.folder) {
        guard digest.isComplete else {
          throw ObjectStorageError(
            .sourceFailed,
            "\(source.folder.path(of: source.path)): is being recorded, or was not finished; wait, or "
              + "recover it")
        }
        item.xxh64 = digest.xxh64
        // A file that changed later must be read, as must one that will be removed.
        item.trustsHash =
          digest.xxh64 != nil && !removesVerified && facts.modified <= sidecar.modified
      }
      // An earlier call that was killed already read it.
      if !removesVerified, !item.trustsHash,
        let hash = sent.hash(of: facts, at: copy.address.appending(item.path).description),
        item.xxh64 == nil || item.xxh64 == hash
      {
        (item.xxh64, item.trustsHash) = (hash, true)
      }
      return (item, facts)
    }

    /// Checks that a sidecar is sent after its movie, and any other document after all files of its
    /// folder.
    private func checkCompanions(_ file: LocalFiles.File) throws(ObjectStorageError) {
      let path = file.item.path
      guard path.hasSuffix(SidecarDigest.suffix), !failed.isEmpty else { return }
      let movie = String(path.dropLast(SidecarDigest.suffix.count))
      let folder = CopyFolder.split(path).parent
      let name = CopyFolder.split(file.item.source.path)
      let movieName = name.parent + name.name.dropLast(SidecarDigest.suffix.count)
      let isSidecar = (try? file.item.source.folder.facts(movieName)) != nil
      guard
        let other = failed.first(where: {
          isSidecar ? $0.path == movie : $0.folder == folder && $0.path != path
        })
      else { return }
      throw ObjectStorageError(
        other.mayPass ? .requestFailed : .sourceFailed,
        "\(file.path): is not sent, because \(other.path) is missing")
    }

    /// Removes verified files, a movie and its sidecar together.
    mutating func removeVerified(_ files: [LocalFiles.File], _ report: inout UploadReport) {
      let given = Set(files.map { Array($0.item.path.utf8) })
      let places = Dictionary(
        report.files.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
      for file in files {
        guard let place = places[file.path] else { continue }
        // A movie stays if its sidecar failed or was never tried.
        let sidecar = Array((file.item.path + SidecarDigest.suffix).utf8)
        guard !given.contains(sidecar) || verified[sidecar] != nil else { continue }
        do throws(ObjectStorageError) {
          try remove(file)
          report.files[place].wasRemoved = true
        } catch { report.failures.append(TransferFailure(path: file.path, error)) }
      }
    }

    private func remove(_ file: LocalFiles.File) throws(ObjectStorageError) {
      let source = file.item.source
      do throws(ASCMHLError) {
        // A file that has replaced it since was not sent.
        guard let sent = verified[Array(file.item.path.utf8)],
          try source.folder.facts(source.path) == sent
        else {
          throw ASCMHLError(
            .fileNotFound, "\(file.path): changed after it was sent; it is not removed")
        }
        try source.folder.remove(source.path)
      } catch { throw ObjectStorageError(error) }
    }
  }
}

/// Runs blocking work on a separate thread.
enum OwnThread {
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws(ObjectStorageError) -> Value
  ) async throws(ObjectStorageError) -> Value {
    let result = await withCheckedContinuation { continuation in
      DispatchQueue(label: "object-storage", qos: .utility).async {
        continuation.resume(
          returning: Result { () throws(ObjectStorageError) -> Value in try work() })
      }
    }
    return try result.get()
  }
}
