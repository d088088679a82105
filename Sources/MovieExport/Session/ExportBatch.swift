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

/// Exports of many sources, some of them at a time. One that fails does not keep the others.
///
/// A batch that was ended, killed even, goes on where it was when it is run again with
/// ``skipsExisting``: a movie that is complete is not made again, one that is not is made anew, and so is
/// one whose sidecar says that its source ended before its time. So that this holds, what there is of a
/// movie when the batch is cancelled or the disk is full is removed.
public struct ExportBatch: Sendable {
  /// What became of a source.
  public enum Result: Sendable {
    /// A movie.
    case encoded(AssetExportSession.Outcome)
    /// The movie existed already; the notes say what could not be checked, and how it was made otherwise.
    case skipped([ExportNote])
    /// Why there is no movie.
    case failed(ErrorSummary)
    /// The batch was cancelled before it was done.
    case cancelled
  }

  /// What happens, on any thread.
  public enum Event: Sendable {
    /// A source's turn has come.
    case began(item: Int)
    /// Frames of it are done.
    case advanced(item: Int, AssetExportSession.Progress)
    /// It is done, in this many seconds.
    case ended(item: Int, Result, seconds: Double)
  }

  /// What is made of what.
  public var sources: ExportSources
  /// How; its source and output do not count.
  public var template: AssetExportSession
  /// Sources that are encoded at a time, from 1.
  public var jobs = 1
  /// True to leave out sources whose movie is there and complete.
  public var skipsExisting = false
  /// Told of all that happens; it must return at once.
  public var onEvent: (@Sendable (Event) -> Void)?

  /// A batch of sources that are exported as `template` says.
  public init(_ sources: ExportSources, as template: AssetExportSession) {
    self.sources = sources
    self.template = template
  }

  /// Exports all. Cancelling the task ends it; what was done stays.
  ///
  /// - Returns: What became of each source, in their order.
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
      Self.remove(item.outputPath)
      return .cancelled
    } catch {
      if (error as? AssetWriterError)?.recordingSuccessfullyFinished == true {
        Self.remove(item.outputPath)
      }
      if Task.isCancelled { return .cancelled }
      return .failed(Self.summary(error))
    }
  }

  /// Makes a folder, and those that lead to it, as far as they are missing.
  private static func makeFolder(_ folder: URL) throws(CaptureError) {
    let missing = sequence(first: folder.standardizedFileURL) { $0.deletingLastPathComponent() }
      .prefix { !isFolder($0.path) }
    for part in missing.reversed() where mkdir(part.path, 0o777) != 0 {
      // What exists is not a folder.
      let number = errno == EEXIST ? Errno.notDirectory : Errno(rawValue: errno)
      // Another job may have made it meanwhile.
      guard !isFolder(part.path) else { continue }
      throw CaptureError(
        .outputFailed,
        "\(folder.path) cannot be made: \(number); "
          + (number.remedy(writing: part.path) ?? "choose another folder"))
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes a part of a movie, which would pass for a whole one later.
  private static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
    try? FileManager.default.removeItem(atPath: SidecarFile(ofMovie: path).path)
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
