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

/// A part's folder. It is created under another name and renamed when complete. Renaming is atomic,
/// and never replaces a non-empty folder.
struct PartFolder {
  let job: EncodeJob
  let number: Int

  var path: String { job.partFolder(number) }
  var moviePath: String { path + "/" + EncodePart.movieName }

  /// What exists at the part's path.
  enum State {
    case absent
    case complete(EncodePart)
    /// A part whose frames were removed because its movie has them.
    case joined(EncodePart)
    /// Something that is not this job's part, with the reason.
    case unusable(String)
  }

  /// Determines the part's state.
  ///
  /// - Parameters:
  ///   - readsMovie: True to compare all bytes with the record, false to compare sizes only.
  ///   - joined: Verifies the movie that has the part's frames; nil to compare its size only.
  /// - Throws: ``EncodeJobError/Code/temporary`` if it cannot be read now,
  ///   ``EncodeJobError/Code/otherVersion`` for a part of another version.
  func state(
    readsMovie: Bool, joined: JoinedMovieFaults? = nil
  ) throws(EncodeJobError) -> State {
    do throws(Errno) { try job.calls.find(path) } catch {
      // A stale handle does not mean that the part is missing.
      guard error != .noSuchFileOrDirectory else { return .absent }
      throw refusal("\(path) cannot be examined: \(error)", error)
    }
    let state: State
    do throws(QuickTimeError) {
      state = try look(readsMovie: readsMovie)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
    let source = job.plan.parts[number].source
    guard case .joined = state, let fault = try joined?.fault(of: source, job) else {
      return state
    }
    return .unusable(
      "\(path): its frames are in \(job.path(job.plan.sources[source].movie)), which is damaged: "
        + fault)
  }

  private func look(readsMovie: Bool) throws(QuickTimeError) -> State {
    let record = path + "/" + EncodePart.recordName
    guard let bytes = try SmallFile(path: record).read(limit: 1 << 30) else {
      return .unusable("\(record) is missing")
    }
    guard let part = try? JSONDecoder().decode(EncodePart.self, from: Data(bytes)) else {
      return .unusable("\(record) is damaged")
    }
    guard part.part == number, part.plan == job.planChecksum else {
      return .unusable("\(path) was made by another plan")
    }
    guard part.versions == job.plan.versions else {
      return .unusable(
        "\(path) was made by recordctl \(part.versions.recordctl) with libavcodec "
          + "\(part.versions.libavcodec), the plan by \(job.plan.versions.recordctl) with "
          + job.plan.versions.libavcodec)
    }
    guard part.frameCount == job.plan.parts[number].frameCount,
      part.frameSums.count == part.frameCount
    else { return .unusable("\(record) lists another number of frames") }
    let file: PosixMovieFile
    do throws(QuickTimeError) {
      file = try PosixMovieFile(path: moviePath, mode: .read)
    } catch {
      guard error.code == .notFound else { throw error }
      return job.isJoined(job.plan.parts[number].source)
        ? .joined(part) : .unusable("\(moviePath) is missing")
    }
    guard try file.size() == UInt64(clamping: part.fileSize) else {
      return .unusable("\(moviePath) has \(try file.size()) bytes, not \(part.fileSize)")
    }
    if readsMovie, try Self.checksum(file) != part.xxHash64 {
      return .unusable("\(moviePath) is damaged: its checksum differs")
    }
    return .complete(part)
  }

  private static func checksum(_ file: PosixMovieFile) throws(QuickTimeError) -> String {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 20, alignment: 4096)
    defer { buffer.deallocate() }
    var sum = XXHash64()
    var offset: UInt64 = 0
    while true {
      let count = try file.read(into: buffer, at: offset)
      guard count > 0 else { return XXHash64.text(sum.digest) }
      sum.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += UInt64(count)
    }
  }

  // MARK: Making it

  /// The prefix of the names of folders in which parts are made.
  static let workPrefix = ".work-"
  /// The prefix of the names of folders that were set aside.
  static let asidePrefix = ".aside-"
  /// The prefix of the names of folders in which movies are made.
  static let joinPrefix = ".join-"

  /// Creates a working folder that no other worker uses.
  func makeWorkFolder() throws(EncodeJobError) -> String {
    let worker = WorkerMark.current()
    let name = "\(Self.workPrefix)\(EncodeJob.partName(number))-\(worker.text)"
    let folder = job.path("\(EncodeJobLayout.parts)/\(name)")
    // A job copied from object storage without its parts lacks their folder.
    try? job.calls.makeFolder(job.path(EncodeJobLayout.parts))
    do throws(Errno) { try job.calls.makeFolder(folder) } catch {
      throw refusal("\(folder) cannot be created: \(error)", error)
    }
    return folder
  }

  /// The result of publishing a part.
  enum Publication {
    case published
    /// Another worker was first, with the same frames.
    case anotherWas(EncodePart)
  }

  /// Publishes a working folder as the part.
  func publish(
    _ work: String, _ part: EncodePart, telling note: (String) -> Void
  ) throws(EncodeJobError) -> Publication {
    for _ in 0..<3 {
      do throws(Errno) {
        try job.calls.rename(work, path)
        Self.synchronize(job.path(EncodeJobLayout.parts))
        return .published
      } catch {
        // If a network file system loses the reply, the rename may have succeeded anyway. Also,
        // file systems report an existing name with different errors.
        let taken: [Errno] = [.fileExists, .directoryNotEmpty, .noSuchFileOrDirectory]
        guard taken.contains(error) || FileManager.default.fileExists(atPath: path) else {
          throw Self.unnamed(path, error)
        }
      }
      switch try state(readsMovie: true) {
      case .absent:
        guard FileManager.default.fileExists(atPath: work) else {
          throw EncodeJobError(
            .temporary,
            "\(work) was removed while part \(number) was encoded in it; run the command again")
        }
      case .complete(let other), .joined(let other):
        guard other.frames == part.frames else {
          throw EncodeJobError(
            .partsDiffer,
            "part \(number) was made on \(other.work.host) with other frames than on "
              + "\(part.work.host); the machines do not decode alike: \(path) was left unchanged")
        }
        return .anotherWas(other)
      case .unusable(let reason): try setAside(because: reason, telling: note)
      }
    }
    throw EncodeJobError(.temporary, "\(path): other processes keep taking the name")
  }

  /// Moves an invalid part out of the way without deleting it.
  func setAside(
    because reason: String, telling note: (String) -> Void
  ) throws(EncodeJobError) {
    let worker = WorkerMark.current()
    let name = "\(Self.asidePrefix)\(EncodeJob.partName(number))-\(worker.text)"
    let target = job.path("\(EncodeJobLayout.parts)/\(name)")
    do throws(Errno) { try job.calls.rename(path, target) } catch {
      guard error != .noSuchFileOrDirectory else { return }
      throw refusal("\(path) cannot be moved aside: \(error)", error)
    }
    note("\(reason); it was moved to \(target), and the part is made again")
  }

  /// Removes the part's frames, which are in a verified movie. The record stays.
  ///
  /// - Returns: The size of the removed frames in bytes; nil if there were none.
  func removeFrames() throws(EncodeJobError) -> Int64? {
    guard case .complete(let part) = try state(readsMovie: false) else { return nil }
    do throws(Errno) { try job.calls.unlink(moviePath) } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw refusal("\(moviePath) cannot be removed: \(error); the movie is complete", error)
    }
    return part.fileSize
  }

  /// The error of a part that could not be published.
  private static func unnamed(_ path: String, _ error: Errno) -> EncodeJobError {
    let remedy = error.remedy(writing: path)
    if RetryJudgment.isPassing(error) {
      return EncodeJobError(
        .temporary,
        "\(path): the part cannot be renamed to its final name now (\(error)); "
          + (remedy.map { $0 + ", and " } ?? "") + "call it again", errno: error)
    }
    if let remedy {
      return EncodeJobError(
        .unsuitableFolder,
        "\(path): the part cannot be renamed to its final name (\(error)); \(remedy)",
        errno: error)
    }
    return EncodeJobError(
      .unsuitableFolder,
      "\(path): the file system does not rename a folder (\(error)); a job needs one that does, such "
        + "as ext4, XFS or NFS", errno: error)
  }

  private func refusal(_ message: String, _ error: Errno) -> EncodeJobError {
    .refusal(message, at: path, error)
  }

  /// Flushes a folder's entries to disk. Failure is ignored, because some file systems do not
  /// support it.
  static func synchronize(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// The host name, restricted to characters allowed in file names.
  static var host: String {
    let name = ProcessInfo.processInfo.hostName.prefix(64)
    return String(name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." ? $0 : "_" })
  }
}
