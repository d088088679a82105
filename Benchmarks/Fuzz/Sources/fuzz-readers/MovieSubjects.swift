import Glibc
import MediaCore
import MovieTools
import QuickTime
import VideoRecorder

/// The index of a movie.
struct MovieSubject: Subject {
  let name = "movie index"
  let share = 0.32
  private let seeds: [([UInt8], Mutation)]

  init(seeds: [[UInt8]]) { self.seeds = seeds.map { ($0, Mutation(movie: $0)) } }

  func input(using random: inout SplitMix64) -> [UInt8] {
    guard let (bytes, mutation) = seeds.randomElement(using: &random) else { return [] }
    return mutation.apply(to: bytes, using: &random)
  }

  func read(_ input: [UInt8]) -> Bool {
    guard let index = try? MovieIndex(MemoryFile(input)) else { return false }
    for track in index.tracks {
      _ = track.samples.first
      _ = track.samples.last
      _ = track.samples.byteCount
      _ = track.samples.index(at: track.samples.duration - 1)
      _ = track.timecode?.start?.description
      _ = track.frameRate
      _ = track.mediaDuration.seconds
    }
    return true
  }
}

/// Recovery: makes a movie that can be read, or leaves the file unchanged.
struct RecoverySubject: Subject {
  let name = "recovery"
  let share = 0.16
  private let movies: MovieSubject

  init(seeds: [[UInt8]]) { movies = MovieSubject(seeds: seeds) }

  func input(using random: inout SplitMix64) -> [UInt8] { movies.input(using: &random) }

  func read(_ input: [UInt8]) -> Bool {
    let file = MemoryFile(input)
    guard let outcome = try? MovieRecovery.recover(file) else {
      guard file.content == input else { fatalError("recovery failed and changed the file") }
      return false
    }
    guard outcome.wasRecovered else {
      guard file.content == input else { fatalError("recovery did nothing but change the file") }
      return true
    }
    guard let index = try? MovieIndex(file), index.completion == .finished else {
      fatalError("recovery made a movie that cannot be read")
    }
    return true
  }
}

/// All of `verify`: container, bitstream and a full decode.
struct VerifierSubject: Subject {
  let name = "verify"
  let share = 0.004
  private let movies: MovieSubject
  private let file: ScratchFile

  init(seeds: [[UInt8]]) throws {
    movies = MovieSubject(seeds: seeds)
    file = try ScratchFile("take.mov")
  }

  func input(using random: inout SplitMix64) -> [UInt8] { movies.input(using: &random) }

  func read(_ input: [UInt8]) -> Bool {
    file.fill(input)
    return (try? MovieVerifier(path: file.path).run()) != nil
  }
}

/// A named file in memory, for readers that open their files themselves.
final class ScratchFile {
  let path: String
  private let folder: String

  init(_ name: String) throws {
    folder = "/dev/shm/fuzz-\(getpid())-\(name)"
    path = "\(folder)/\(name)"
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw Failure(code: errno) }
  }

  struct Failure: Error { var code: Int32 }

  deinit {
    unlink(path)
    rmdir(folder)
  }

  func fill(_ bytes: [UInt8]) {
    let descriptor = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0o600)
    guard descriptor >= 0 else { fatalError("cannot write \(path)") }
    defer { close(descriptor) }
    guard bytes.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) == bytes.count
    else {
      fatalError("cannot write \(path)")
    }
  }
}
