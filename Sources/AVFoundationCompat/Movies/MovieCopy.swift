import Foundation
import MediaCore
import MovieExport
import QuickTime
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Writes a movie with all of its media to a file.
struct MovieCopy {
  private var copy: TimelineCopy
  /// What the copy lacks of the movie's file, one line each.
  private let omissions: [String]

  /// - Throws: ``AVError`` for a movie, file type or option that cannot be written.
  init(
    _ movie: AVMovie, _ fileType: AVFileType, _ options: AVMovieWritingOptions
  ) throws(AVError) {
    guard !options.contains(.truncateDestinationToMovieHeaderOnly) else {
      throw AVError(
        .operationNotAllowed,
        "truncateDestinationToMovieHeaderOnly: a movie cannot be written without its media"
      )
    }
    guard fileType == .mov else {
      throw AVError(
        .operationNotSupportedForAsset,
        "a movie is written as \(AVFileType.mov.rawValue), not as \(fileType.rawValue)")
    }
    let contents = try movie.contents()
    copy = TimelineCopy(
      try movie.timeline(in: CMTimeRange(start: .zero, duration: .positiveInfinity)),
      outputPath: "")
    copy.metadata = try MovieMetadata(contents.metadata)
    copy.preferredRate = movie.preferredRate
    copy.preferredVolume = movie.preferredVolume
    let source = (movie as? AVMutableMovie)?.source
    copy.creationTime = try (source?.contents() ?? contents).index?.creationTime
    omissions = try movie.omittedTracks() + (source?.otherOmittedTracks() ?? [])
  }

  /// Writes a new file.
  ///
  /// - Returns: What it lacks or has in another form, one line each.
  @discardableResult
  func write(to path: String) throws(AVError) -> [String] {
    var copy = copy
    copy.outputPath = path
    do { return try omissions + copy.run().notes.map(\.message) } catch { throw AVError(error) }
  }

  /// Replaces an existing file, which stays unchanged until the new one is complete.
  ///
  /// - Parameter losesNothing: True to keep the existing file if the new one would lack any of its contents or change
  ///   their form.
  func replace(_ path: String, losesNothing: Bool) throws(AVError) -> [String] {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    let folder = URL(filePath: target).deletingLastPathComponent()
    let mark = Self.mark(of: target)
    let new = folder.appending(path: "\(mark)\(UUID().uuidString).mov").path
    // Holds the existing file, so that nobody starts to write it meanwhile.
    let held = try Self.open(target)
    defer { withExtendedLifetime(held) {} }
    Self.removeRemains(in: folder, mark)
    do throws(AVError) {
      let notes = try write(to: new)
      if losesNothing, !notes.isEmpty {
        throw AVError(
          .operationNotSupportedForAsset,
          "\(path) is not replaced, because the new movie would lack something: "
            + notes.joined(separator: "; ") + "; write it to another file")
      }
      try take(new, for: target)
      return notes
    } catch {
      unlink(new)
      throw error
    }
  }

  /// The start of the name of a file that will replace another. It has a hash of the target's name, which may be too
  /// long to be extended.
  private static func mark(of target: String) -> String {
    let name = Array(URL(filePath: target).lastPathComponent.utf8)
    return ".replacing-\(XXHash64.text(name.withUnsafeBytes { XXHash64.digest($0) }))-"
  }

  /// Removes files left by killed calls, but none that is being written.
  private static func removeRemains(in folder: URL, _ mark: String) {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names ?? [] where name.hasPrefix(mark) && name.hasSuffix(".mov") {
      let path = folder.appending(path: name).path
      guard let left = try? open(path) else { continue }
      unlink(path)
      try? left.close()
    }
  }

  private static func open(_ path: String) throws(AVError) -> PosixMovieFile {
    do throws(QuickTimeError) { return try PosixMovieFile(path: path, mode: .update) } catch {
      throw AVError(error)
    }
  }

  /// Renames a complete file to the name of the one that it replaces.
  private func take(_ new: String, for target: String) throws(AVError) {
    let complete = try Self.open(new)
    do throws(QuickTimeError) { try complete.synchronize() } catch { throw AVError(error) }
    var facts = stat()
    if stat(target, &facts) == 0 { _ = chmod(new, facts.st_mode & 0o7777) }
    guard rename(new, target) == 0 else {
      let reason = Errno(rawValue: errno)
      throw AVError(.unknown, "cannot replace \(target): \(reason)", errno: reason.rawValue)
    }
  }
}

/// The identity of a file and when it was changed.
struct FileState: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil if there is no file.
  init?(_ path: String) {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    (device, number) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
    (seconds, nanoseconds) = (Int(facts.st_mtim.tv_sec), Int(facts.st_mtim.tv_nsec))
  }
}
