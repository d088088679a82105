import FoundationEssentials
import MediaCore
import QuickTime

/// The files of a take: which comes next, and what it is called.
///
/// A name that is taken is passed over: a take never ends because of a file that lies there.
struct SegmentFiles {
  /// Makes a file that is not there yet, or, where it may, replaces one.
  typealias MakeFile = @Sendable (URL) throws(QuickTimeError) -> any MovieFile

  private(set) var take: URL
  let policy: SegmentPolicy
  /// The folder of a second file of the same bytes; nil for none.
  let secondFolder: String?
  /// What is asked of the system for the threads that write into two files.
  let threads: ThreadOptions
  let makeFile: MakeFile
  /// Files that were given up: nothing more is written beside them.
  private var lost: [MovieFileCopy] = []
  /// Where the folder of the take was moved to; nil for nowhere.
  private var movedFolder: URL?
  /// The number in the next name.
  private var number = 1
  /// Names that are passed over in a row at most.
  static let mostTakenNames = 10_000

  init(
    take: URL, policy: SegmentPolicy, secondFolder: String? = nil,
    threads: ThreadOptions = .ordinary, makeFile: @escaping MakeFile
  ) {
    self.take = take
    self.policy = policy
    self.secondFolder = secondFolder
    self.threads = threads
    self.makeFile = makeFile
  }

  /// Makes the first file; a name that is taken is an error.
  mutating func first() throws(QuickTimeError) -> any MovieFile {
    let url = policy.url(ofSegment: 1, of: take)
    number = 2
    guard secondFolder != nil else { return try makeFile(url) }
    let places = places(of: url)
    guard places[0] != places[1] else {
      throw QuickTimeError(
        .invalidArgument, "\(places[0].path): both files would be this one; name another folder")
    }
    return try pair(places, isStrict: true)
  }

  /// Makes the next file.
  mutating func next() throws(QuickTimeError) -> any MovieFile {
    var passed = 0
    while true {
      let url = policy.url(ofSegment: number, of: take)
      number += 1
      do throws(QuickTimeError) {
        return secondFolder == nil ? try makeFile(url) : try pair(places(of: url), isStrict: false)
      } catch {
        // Others renamed the folder: the take goes on where its movies are.
        if error.code == .notFound, let folder = movedFolder.take() {
          take = folder.appending(path: take.lastPathComponent)
          number -= 1
          continue
        }
        passed += 1
        guard error.code == .fileExists, passed < Self.mostTakenNames else { throw error }
      }
    }
  }

  /// A movie of the take was moved, by itself or with its folder.
  mutating func follow(_ path: String) {
    movedFolder = URL(filePath: path).deletingLastPathComponent()
  }

  // MARK: Two places

  /// The file, and the one of the same name in the second folder.
  private func places(of url: URL) -> [URL] {
    let folder = URL(filePath: secondFolder ?? "", directoryHint: .isDirectory)
    return [url, folder.appending(path: url.lastPathComponent)].map(\.standardizedFileURL)
  }

  /// Makes both files of a movie.
  ///
  /// - Parameter isStrict: True to want both; false to go on with one where the other cannot be made.
  private func pair(
    _ places: [URL], isStrict: Bool
  ) throws(QuickTimeError) -> any MovieFile {
    var (files, missing): ([any MovieFile], [MovieFileCopy]) = ([], [])
    var failure: QuickTimeError?
    for place in places {
      if let known = known(place.path) {
        missing.append(
          MovieFileCopy(path: place.path, isWhole: false, message: known.message))
        continue
      }
      do throws(QuickTimeError) { files.append(try makeFile(place)) } catch {
        // A name that is taken in one place is taken in both; a folder that was renamed is no loss.
        let isMoved = error.code == .notFound && movedFolder != nil && place == places[0]
        if isStrict || error.code == .fileExists || isMoved {
          for file in files { try? file.remove() }
          throw error
        }
        failure = error
        missing.append(MovieFileCopy(path: place.path, isWhole: false, message: error.message))
      }
    }
    if files.isEmpty {
      let reason = missing.first?.message ?? "both folders are lost"
      throw failure ?? QuickTimeError(.ioFailed, reason)
    }
    return try MirroredMovieFile(files, missing: missing, threads: threads)
  }

  /// Writes no further file of the take where one was lost.
  ///
  /// - Returns: False where that place is given up already.
  mutating func giveUp(_ copy: MovieFileCopy) -> Bool {
    guard known(copy.path) == nil else { return false }
    lost.append(copy)
    return true
  }

  /// What was lost in the folder of a path.
  private func known(_ path: String) -> MovieFileCopy? {
    let folder = URL(filePath: path).deletingLastPathComponent()
    return lost.first { URL(filePath: $0.path).deletingLastPathComponent() == folder }
  }
}
