import Foundation
import MediaCore
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
    /// Something that is not this job's part, in words.
    case unusable(String)
  }

  /// Looks what lies there.
  ///
  /// - Parameter readsMovie: True to compare all bytes with the record, false to look at sizes.
  /// - Throws: ``EncodeJobError/Code/temporary`` where it cannot be read now,
  ///   ``EncodeJobError/Code/otherVersion`` for a part of another version.
  func state(readsMovie: Bool) throws(EncodeJobError) -> State {
    guard FileManager.default.fileExists(atPath: path) else { return .absent }
    do throws(QuickTimeError) {
      return try look(readsMovie: readsMovie)
    } catch {
      throw RetryJudgment.passing(error) ?? EncodeJobError(.partDamaged, from: error)
    }
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
      part.frames.count == part.frameCount
    else { return .unusable("\(record) tells of another number of frames") }
    let file: PosixMovieFile
    do throws(QuickTimeError) {
      file = try PosixMovieFile(path: moviePath, mode: .read)
    } catch {
      guard error.code == .notFound else { throw error }
      return .unusable("\(moviePath) is missing")
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

  /// Makes a folder to work in, which no other worker uses.
  func makeWorkFolder() throws(EncodeJobError) -> String {
    let name = "\(Self.workPrefix)\(EncodeJob.partName(number))-\(Self.token())"
    let folder = job.path("\(EncodeJob.partsFolder)/\(name)")
    do throws(Errno) { try Errno.check(mkdir(folder, 0o755)) } catch {
      throw EncodeJobError(
        error == .noSuchFileOrDirectory || error == .readOnlyFileSystem
          || error == .permissionDenied
          ? .unsuitableFolder : .temporary,
        "\(folder) cannot be made: \(error)", errno: error)
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
        try Errno.check(rename(work, path))
        synchronize()
        return .published
      } catch {
        // An answer that was lost on its way over a network: it may have been done.
        let taken: [Errno] = [.fileExists, .directoryNotEmpty, .noSuchFileOrDirectory]
        guard taken.contains(error) else {
          throw EncodeJobError(
            RetryJudgment.isPassing(error) ? .temporary : .unsuitableFolder,
            "\(path): the file system does not rename a folder (\(error)); a job needs one that does, "
              + "such as ext4, XFS or NFS", errno: error)
        }
      }
      switch try state(readsMovie: true) {
      case .absent: continue
      case .complete(let other):
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
    let name = "\(Self.asidePrefix)\(EncodeJob.partName(number))-\(Self.token())"
    let target = job.path("\(EncodeJob.partsFolder)/\(name)")
    do throws(Errno) { try Errno.check(rename(path, target)) } catch {
      guard error != .noSuchFileOrDirectory else { return }
      throw EncodeJobError(
        RetryJudgment.isPassing(error) ? .temporary : .unsuitableFolder,
        "\(path) cannot be moved aside: \(error)", errno: error)
    }
    note("\(reason); it was moved to \(target), and the part is made again")
  }

  private func synchronize() {
    let folder = open(job.path(EncodeJob.partsFolder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// A name for this worker alone, on any machine.
  private static func token() -> String {
    "\(host)-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
  }

  /// The machine's name, as far as a file's name may have it.
  static var host: String {
    let name = ProcessInfo.processInfo.hostName.prefix(64)
    return String(name.map { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." ? $0 : "_" })
  }
}
