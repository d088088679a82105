import AssetReader
import AssetWriter
import CaptureDevices
import Foundation
public import MediaCore
import QuickTime
import Synchronization
import SystemPackage
import TakeReports

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Exports many sources, several at a time. A failing one does not stop the others.
///
/// A batch that was interrupted, even killed, continues when it is run again with
/// ``skipsExisting``: complete movies are kept, and incomplete ones are made again, as are those
/// whose sidecar says that the source ended early. For this to work, a partial movie is removed
/// when the batch is cancelled or the disk is full.
public struct ExportBatch: Sendable {
  /// The result for a source.
  public enum Result: Sendable {
    /// The source was encoded.
    case encoded(AssetExportSession.Outcome)
    /// The movie already existed. The notes tell what could not be checked and how it was made
    /// differently.
    case skipped([ExportNote])
    /// The export failed.
    case failed(ErrorSummary)
    /// The batch was cancelled before the source was finished.
    case cancelled
  }

  /// An event, reported on any thread.
  public enum Event: Sendable {
    /// The export of a source began.
    case began(item: Int)
    /// It progressed.
    case advanced(item: Int, AssetExportSession.Progress)
    /// It ended, after this many seconds.
    case ended(item: Int, Result, seconds: Double)
  }

  /// The sources and their movies.
  public var sources: ExportSources
  /// The settings of each export; its source and output are ignored.
  public var template: AssetExportSession
  /// The number of sources encoded at the same time, from 1.
  public var jobs = 1
  /// True to skip sources whose movie exists and is complete.
  public var skipsExisting = false
  /// Called with each event. Must return immediately.
  public var onEvent: (@Sendable (Event) -> Void)?
  /// Removes a file; tests make it fail.
  var unlinkFile: @Sendable (_ path: String) throws(Errno) -> Void = {
    path throws(Errno) in try Errno.check(unlink(path))
  }

  /// Creates a batch that exports sources with the settings of `template`.
  public init(_ sources: ExportSources, as template: AssetExportSession) {
    self.sources = sources
    self.template = template
  }

  /// Exports all sources. Cancelling the task ends the batch; finished movies stay.
  ///
  /// - Returns: The result for each source, in order.
  public func run() async -> [Result] {
    let count = sources.items.count
    var results = [Result](repeating: .cancelled, count: count)
    await withTaskGroup(of: (Int, Result).self) { group in
      var next = 0
      while next < min(max(jobs, 1), count) {
        let item = next
        group.addTask { (item, await export(item)) }
        next += 1
      }
      while let (item, result) = await group.next() {
        results[item] = result
        if next < count, !Task.isCancelled {
          let item = next
          group.addTask { (item, await export(item)) }
          next += 1
        }
      }
    }
    return results
  }

  private func export(_ number: Int) async -> Result {
    let began = ContinuousClock.now
    let result = await result(of: number)
    let took = ContinuousClock.now - began
    let seconds = Double(took.components.seconds) + Double(took.components.attoseconds) * 1e-18
    onEvent?(.ended(item: number, result, seconds: seconds))
    return result
  }

  private func result(of number: Int) async -> Result {
    guard !Task.isCancelled else { return .cancelled }
    let item = sources.items[number]
    var session = template
    session.location = item.location
    session.outputPath = item.outputPath
    do {
      let existing = try ExistingMovie(path: item.outputPath, mayStay: skipsExisting)
      switch existing.state {
      case .complete where skipsExisting: return .skipped(existing.notes(wanted: session))
      case .incomplete where skipsExisting: session.overwritePolicy = .replace
      case .complete, .incomplete, .none: break
      }
      try Self.makeFolder(URL(filePath: item.outputPath).deletingLastPathComponent())
      onEvent?(.began(item: number))
      session.onProgress = { [onEvent] in onEvent?(.advanced(item: number, $0)) }
      let outcome = try await session.export()
      guard outcome.wasCancelled else { return .encoded(outcome) }
      return remove(item.outputPath).map { .failed(ErrorSummary($0)) } ?? .cancelled
    } catch {
      var left: CaptureError?
      if (error as? AssetWriterError)?.recordingSuccessfullyFinished == true {
        left = remove(item.outputPath)
      }
      if Task.isCancelled { return left.map { .failed(ErrorSummary($0)) } ?? .cancelled }
      var summary = Self.summary(error)
      if let left { summary.message += "; \(left.message)" }
      return .failed(summary)
    }
  }

  /// Creates a folder and its missing parents.
  private static func makeFolder(_ folder: URL) throws(CaptureError) {
    let missing = sequence(first: folder.standardizedFileURL) { $0.deletingLastPathComponent() }
      .prefix { !isFolder($0.path) }
    for part in missing.reversed() where mkdir(part.path, 0o777) != 0 {
      // Something that exists there is not a folder.
      let number = errno == EEXIST ? Errno.notDirectory : Errno(rawValue: errno)
      // Another job may have made it meanwhile.
      guard !isFolder(part.path) else { continue }
      throw CaptureError(
        .outputFailed,
        "\(folder.path) cannot be created: \(number); "
          + (number.remedy(writing: part.path) ?? "choose another folder"))
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a partial movie, which would later pass for a complete one, and its sidecar.
  ///
  /// - Returns: Why one of the two is still there; nil if both are gone.
  private func remove(_ path: String) -> CaptureError? {
    if let number = failure(removing: path) {
      return CaptureError(
        .outputFailed,
        "\(path) is not complete and cannot be removed: \(number); remove it, because it looks like a complete movie",
        errno: number)
    }
    let sidecar = SidecarFile(ofMovie: path).path
    return failure(removing: sidecar).map { number in
      CaptureError(
        .outputFailed,
        "\(sidecar) describes a movie that was removed, and cannot be removed itself: \(number); remove it",
        errno: number)
    }
  }

  /// Removes a file; a missing one is not an error.
  private func failure(removing path: String) -> Errno? {
    do throws(Errno) { try unlinkFile(path) } catch {
      return error == .noSuchFileOrDirectory ? nil : error
    }
    return nil
  }

  private static func summary(_ error: any Error) -> ErrorSummary {
    switch error {
    case let error as CaptureError: ErrorSummary(error)
    case let error as AssetReaderError: ErrorSummary(error)
    case let error as AssetWriterError: ErrorSummary(error)
    case let error as QuickTimeError: ErrorSummary(error)
    case let error as MediaCoreError: ErrorSummary(error)
    default: ErrorSummary(code: "unknown", message: "\(error)")
    }
  }
}
