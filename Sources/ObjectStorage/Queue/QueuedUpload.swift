import Glibc
public import MediaCore
import SystemPackage

/// Processes a queue. Only one process at a time does so.
public struct QueuedUpload: Sendable {
  /// The queue.
  public let queue: UploadQueue
  /// Makes the destination and settings.
  private let makeCopy: @Sendable () throws(ObjectStorageError) -> RemoteCopy
  /// Called before failed uploads are retried, with the seconds until then and the first error; nil
  /// to end instead. Retried are transient failures (a lost network, a server in trouble) and a
  /// missing bucket, which somebody may create meanwhile.
  public var willWait: (@Sendable (Int, ErrorSummary) -> Void)?
  /// False if the credentials come from this process's environment, where nobody renews them while
  /// it runs: once they expire, it ends and leaves the queue to a process with new ones.
  public var mayGetNewCredentials = true
  /// Waits a second. Tests replace it.
  var waitSecond: @Sendable () -> Void = { usleep(1_000_000) }

  /// - Parameters:
  ///   - queue: The queue.
  ///   - copy: Called once there is something to send. Without credentials it fails, and the
  ///     failure is recorded in the entries.
  public init(
    _ queue: UploadQueue, copy: @escaping @Sendable () throws(ObjectStorageError) -> RemoteCopy
  ) {
    (self.queue, makeCopy) = (queue, copy)
  }

  /// Sends what waits and what is added meanwhile.
  ///
  /// - Returns: The report; nil if another process is processing the queue.
  /// - Throws: ``ObjectStorageError/Code/stateFailed`` if the queue cannot be read.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ObjectStorageError) -> UploadReport? {
    let begin = ContinuousClock.now
    var report = UploadReport(address: queue.address.description)
    var tried: Set<String> = []
    var pause = RetryPause()
    // An entry that was added before the lock was released found it taken: check once more.
    while true {
      try UploadJournal.makeFolder(queue.folder)
      guard let lock = try Lock.take(queue, isWorking: true) else {
        return tried.isEmpty ? nil : report
      }
      repeat {
        try sendRest(&tried, &report, isCancelled)
      } while try waits(&pause, &tried, &report, isCancelled)
      withExtendedLifetime(lock) {}
      if isCancelled() { break }
      guard try queue.names().contains(where: { !tried.contains($0) }) else { break }
    }
    report.wasInterrupted = isCancelled()
    report.duration = (ContinuousClock.now - begin) / .seconds(1)
    return report
  }

  /// Sends the entries that were not tried yet.
  private func sendRest(
    _ tried: inout Set<String>, _ report: inout UploadReport,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(ObjectStorageError) {
    while !isCancelled(), let name = try untried(tried) {
      tried.insert(name)
      do throws(ObjectStorageError) {
        guard let entry = try queue.entry(name) else { continue }
        try send(entry, name, &report, isCancelled)
      } catch {
        report.failures.append(TransferFailure(path: name, error))
      }
    }
  }

  private func untried(_ tried: Set<String>) throws(ObjectStorageError) -> String? {
    try queue.names().first { !tried.contains($0) }
  }

  /// Waits until failed entries are to be retried, or something is added.
  ///
  /// - Returns: False if there is nothing to wait for.
  private func waits(
    _ pause: inout RetryPause, _ tried: inout Set<String>, _ report: inout UploadReport,
    _ isCancelled: @Sendable () -> Bool
  ) throws(ObjectStorageError) -> Bool {
    guard let willWait, !isCancelled(), let failure = try awaitedFailure() else { return false }
    let seconds = pause.take()
    willWait(seconds, failure)
    for _ in 0..<seconds {
      waitSecond()
      if isCancelled() { return false }
      guard try untried(tried) == nil else {
        pause = RetryPause()
        return true
      }
    }
    (tried, report.failures) = ([], [])
    return true
  }

  /// The first failure among the waiting entries that is retried; nil if there is none.
  private func awaitedFailure() throws(ObjectStorageError) -> ErrorSummary? {
    for name in try queue.names() {
      // An unreadable entry is reported separately.
      guard let failure = (try? queue.entry(name))?.failure else { continue }
      guard
        mayGetNewCredentials || failure.code != ObjectStorageError.Code.credentialsExpired.name
      else { continue }
      if Self.awaitedCodes.contains(failure.code) { return failure }
    }
    return nil
  }

  private static let awaitedCodes = Set(
    (ObjectStorageError.passingCodes + [.bucketNotFound]).map(\.name))

  /// True while a process processes the queue. It checks the queue once more after releasing it.
  static func isUnderWay(_ queue: UploadQueue) -> Bool {
    // If the lock cannot be opened at all, the process that takes it reports why.
    do { return try Lock.take(queue, isWorking: false) == nil } catch { return false }
  }

  /// True while a process of an earlier version processes the queue. It removes verified entries
  /// without a receipt.
  static func isEarlierUnderWay(_ queue: UploadQueue) -> Bool {
    isUnderWay(queue) && !Lock.isMarked(queue)
  }

  /// Processes the queue on a separate thread.
  public func run(
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws(ObjectStorageError) -> UploadReport? {
    try await OwnThread.run { () throws(ObjectStorageError) in
      try run(isCancelled: isCancelled)
    }
  }

  private static let oldEntry =
    "a movie was queued by a version that did not record whether its object must be locked; it was locked only if "
    + "this upload asks for it"

  private static func note(_ text: String, in report: inout UploadReport) {
    if !report.notes.contains(text) { report.notes.append(text) }
  }

  private func send(
    _ entry: UploadQueue.Entry, _ name: String, _ report: inout UploadReport,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(ObjectStorageError) {
    var failure: ErrorSummary?
    do throws(ObjectStorageError) {
      guard let path = entry.remainingPath else { return try queue.complete(name) }
      let copy = try makeCopy()
      let terms = entry.terms ?? UploadTerms()
      if entry.terms == nil { Self.note(Self.oldEntry, in: &report) }
      if let error = terms.refusal(of: copy) {
        // The entry is left unchanged, because its own recorder may be about to send it.
        return report.failures.append(TransferFailure(path: entry.path, error))
      }
      var upload = FileUpload(of: [path], by: terms.adopted(by: copy))
      upload.removesVerified = entry.removesVerified
      upload.willRemove = { () throws(ObjectStorageError) in
        var entry = entry
        entry.isVerified = true
        try queue.write(entry, name)
      }
      let sent = try upload.run(isCancelled: isCancelled)
      if sent.wasInterrupted { return }
      report.files += sent.files
      report.failures += sent.failures
      for note in sent.notes { Self.note(note, in: &report) }
      report.sentByteCount += sent.sentByteCount
      failure = sent.failures.first.map { ErrorSummary(code: $0.code, message: $0.message) }
    } catch {
      if error.code == .interrupted { return }
      report.failures.append(TransferFailure(path: entry.path, error))
      failure = ErrorSummary(error)
    }
    guard let failure else { return try queue.complete(name) }
    var entry = entry
    entry.failure = failure
    try queue.write(entry, name)
  }
}

extension UploadQueue.Entry {
  /// The path to send: the movie, or the sidecar if the process was killed after removing the
  /// movie; nil if both were removed.
  fileprivate var remainingPath: String? {
    guard isVerified, access(path, F_OK) != 0 else { return path }
    let sidecar = path + SidecarDigest.suffix
    return access(sidecar, F_OK) == 0 ? sidecar : nil
  }
}

/// A lock file that one process at a time holds. An uploader writes a mark into it which says that
/// it leaves receipts; earlier versions write no mark and leave no receipts.
private final class Lock {
  private let file: Int32
  private let isWorking: Bool

  private static let word = Array("leaves receipts\n".utf8)

  private static func path(_ queue: UploadQueue) -> String { queue.folder + "/lock" }

  /// Takes the lock; nil if another process has it.
  ///
  /// Not a failing initializer: releasing its object would close a descriptor that another thread
  /// may have been given meanwhile.
  static func take(_ queue: UploadQueue, isWorking: Bool) throws(ObjectStorageError) -> Lock? {
    let path = Self.path(queue)
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw UploadJournal.stateFailure(path, "cannot be opened", Errno(rawValue: errno))
    }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let error = Errno(rawValue: errno)
      close(file)
      if error == .wouldBlock { return nil }
      throw UploadJournal.stateFailure(path, "cannot be locked", error)
    }
    return Lock(file, isWorking: isWorking)
  }

  private init(_ file: Int32, isWorking: Bool) {
    (self.file, self.isWorking) = (file, isWorking)
    if isWorking { _ = pwrite(file, Self.word, Self.word.count, 0) }
  }

  /// True if the process that holds the queue's lock leaves receipts.
  static func isMarked(_ queue: UploadQueue) -> Bool {
    var facts = stat()
    return stat(path(queue), &facts) == 0 && facts.st_size > 0
  }

  deinit {
    // The next holder may be of an earlier version, which leaves no receipts.
    if isWorking { _ = ftruncate(file, 0) }
    // Unlock explicitly: if another thread is starting a program at this moment, closing alone
    // releases the lock only later.
    _ = flock(file, LOCK_UN)
    close(file)
  }
}
