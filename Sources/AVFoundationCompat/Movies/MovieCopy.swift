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

/// The writing of a movie to a file with all of its media.
struct MovieCopy {
  private var copy: TimelineCopy
  /// What of the movie's file the copy has not, a line each.
  private let leftOut: [String]

  /// Looks at what is asked for.
  ///
  /// - Throws: ``AVError`` for what cannot be written.
  init(
    _ movie: AVMovie, _ fileType: AVFileType, _ options: AVMovieWritingOptions
  ) throws(AVError) {
    guard !options.contains(.truncateDestinationToMovieHeaderOnly) else {
      throw AVError(
        .operationNotAllowed,
        "truncateDestinationToMovieHeaderOnly: a movie whose media lie in other files is not written"
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
    leftOut = try movie.tracksLeftOut() + (source?.otherTracksLeftOut() ?? [])
  }

  /// Writes a new file.
  ///
  /// - Returns: What it lacks, or has in another form, a line each.
  @discardableResult
  func write(to path: String) throws(AVError) -> [String] {
    var copy = copy
    copy.outputPath = path
    do { return try leftOut + copy.run().notes.map(\.message) } catch { throw AVError(error) }
  }

  /// Writes a file in the place of one that exists, which stays as it is until the new one is complete.
  ///
  /// - Parameter losesNothing: True to leave the file alone where the new one lacks anything of it, or has it in
  ///   another form.
  func replace(_ path: String, losesNothing: Bool) throws(AVError) -> [String] {
    let target = URL(filePath: path).resolvingSymlinksInPath().path
    let folder = URL(filePath: target).deletingLastPathComponent()
    let mark = Self.mark(of: target)
    let new = folder.appending(path: "\(mark)\(UUID().uuidString).mov").path
    // Nobody may begin to write it meanwhile.
    let held = try Self.open(target)
    defer { withExtendedLifetime(held) {} }
    Self.removeRemains(in: folder, mark)
    do throws(AVError) {
      let notes = try write(to: new)
      if losesNothing, !notes.isEmpty {
        throw AVError(
          .operationNotSupportedForAsset,
          "\(path) stays as it is, for the movie in its place would lack something: "
            + notes.joined(separator: "; ") + "; write it to another file")
      }
      try take(new, for: target)
      return notes
    } catch {
      unlink(new)
      throw error
    }
  }

  /// What the name of a file begins with that is to take another one's place. A name as long as a folder allows has no
  /// room for more.
  private static func mark(of target: String) -> String {
    let name = Array(URL(filePath: target).lastPathComponent.utf8)
    return ".replacing-\(XXHash64.text(name.withUnsafeBytes { XXHash64.digest($0) }))-"
  }

  /// Removes what earlier calls left that were killed; not what is being written.
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

  /// Gives a complete file the name of another.
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

/// Which file lies at a place, and when it was changed.
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
