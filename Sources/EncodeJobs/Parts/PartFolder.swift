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

/// A part's folder: made under another name and renamed when all in it is complete, which no file system
/// does halfway, and none onto a folder that holds something.
struct PartFolder {
  let job: EncodeJob
  let number: Int

  var path: String { job.partFolder(number) }
  var moviePath: String { path + "/" + EncodePart.movieName }

  /// What lies there.
  enum State {
    case absent
    case complete(EncodePart)
    /// A part whose frames were removed because its movie has them.
    case joined(EncodePart)
    /// Something that is not this job's part, in words.
    case unusable(String)
  }

  /// Looks what lies there.
  ///
  /// - Parameters:
  ///   - readsMovie: True to compare all bytes with the record, false to look at sizes.
  ///   - joined: What reads the movie that has the part's frames; nil to look at its size.
  /// - Throws: ``EncodeJobError/Code/temporary`` where it cannot be read now,
  ///   ``EncodeJobError/Code/otherVersion`` for a part of another version.
  func state(
    readsMovie: Bool, joined: JoinedMovieFaults? = nil
  ) throws(EncodeJobError) -> State {
    do throws(Errno) { try job.calls.find(path) } catch {
      // A stale handle is no part that is missing.
      guard error != .noSuchFileOrDirectory else { return .absent }
      throw refusal("\(path) cannot be looked at: \(error)", error)
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
    else { return .unusable("\(record) tells of another number of frames") }
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
      return .unusable("\(moviePath) is damaged: its checksum is another one")
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

  /// Beginnings of the names of folders that are being made.
  static let workPrefix = ".work-"
  /// Those of folders that were set aside.
  static let asidePrefix = ".aside-"
  /// Those of folders that movies are made in.
  static let joinPrefix = ".join-"

  /// Makes a folder to work in, which no other worker uses.
  func makeWorkFolder() throws(EncodeJobError) -> String {
    let worker = WorkerMark.current()
    let name = "\(Self.workPrefix)\(EncodeJob.partName(number))-\(worker.text)"
    let folder = job.path("\(EncodeJobLayout.parts)/\(name)")
    // A job that came from object storage without its parts has no folder for them.
    try? job.calls.makeFolder(job.path(EncodeJobLayout.parts))
    do throws(Errno) { try job.calls.makeFolder(folder) } catch {
      throw refusal("\(folder) cannot be made: \(error)", error)
    }
    return folder
  }

  /// What became of a folder that was to get the part's name.
  enum Publication {
    case published
    /// Another worker was first, with the same frames.
    case anotherWas(EncodePart)
  }

  /// Gives a folder the part's name.
  func publish(
    _ work: String, _ part: EncodePart, telling note: (String) -> Void
  ) throws(EncodeJobError) -> Publication {
    for _ in 0..<3 {
      do throws(Errno) {
        try job.calls.rename(work, path)
        Self.synchronize(job.path(EncodeJobLayout.parts))
        return .published
      } catch {
        // An answer that was lost on its way over a network: it may have been done. And file systems
        // differ in what they say of a name that is taken.
        let taken: [Errno] = [.fileExists, .directoryNotEmpty, .noSuchFileOrDirectory]
        guard taken.contains(error) || FileManager.default.fileExists(atPath: path) else {
          throw Self.unnamed(path, error)
        }
      }
      switch try state(readsMovie: true) {
      case .absent:
        guard FileManager.default.fileExists(atPath: work) else {
          throw EncodeJobError(
            .temporary, "\(work) was removed while part \(number) was made in it; call it again")
        }
      case .complete(let other), .joined(let other):
        guard other.frames == part.frames else {
          throw EncodeJobError(
            .partsDiffer,
            "part \(number) was made on \(other.work.host) with other frames than on "
              + "\(part.work.host); the machines do not decode alike: \(path) was left as it is")
        }
        return .anotherWas(other)
      case .unusable(let reason): try setAside(because: reason, telling: note)
      }
    }
    throw EncodeJobError(.temporary, "\(path): others take the name again and again")
  }

  /// Moves what is no part out of the way; nothing is removed.
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

  /// Removes the part's frames, which are in a movie that was verified; its record stays.
  ///
  /// - Returns: The bytes that they took; nil where there are none.
  func removeFrames() throws(EncodeJobError) -> Int64? {
    guard case .complete(let part) = try state(readsMovie: false) else { return nil }
    do throws(Errno) { try job.calls.unlink(moviePath) } catch {
      guard error != .noSuchFileOrDirectory else { return nil }
      throw refusal("\(moviePath) cannot be removed: \(error); the movie is complete", error)
    }
    return part.fileSize
  }

  /// The error of a part that could not be given its name.
  private static func unnamed(_ path: String, _ error: Errno) -> EncodeJobError {
    let remedy = error.remedy(writing: path)
    if RetryJudgment.isPassing(error) {
      return EncodeJobError(
        .temporary,
        "\(path): the part cannot be given its name now (\(error)); "
          + (remedy.map { $0 + ", and " } ?? "") + "call it again", errno: error)
    }
    if let remedy {
      return EncodeJobError(
        .unsuitableFolder, "\(path): the part cannot be given its name (\(error)); \(remedy)",
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

  /// Brings the names in a folder to the disk. File systems that cannot are taken at their word.
  static func synchronize(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// The machine's name, as far as a file's name may have it.
  static var host: String {
    let name = ProcessInfo.processInfo.hostName.prefix(64)
    return String(name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." ? $0 : "_" })
  }
}
