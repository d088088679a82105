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
  /// The folder of the take, from the first file on; nil where it cannot be held open.
  private var folder: MovieFolder?
  /// The number in the next name.
  private var number = 1
  /// Names that are passed over in a row at most.
  static let mostTakenNames = 10_000
  /// Times that the folder is looked for in a row at most.
  private static let mostSearches = 16

  init(
    take: URL, policy: SegmentPolicy, secondFolder: String? = nil,
    threads: ThreadOptions = .ordinary, makeFile: @escaping MakeFile
  ) {
    // Copies are told from one another by their paths.
    self.take = secondFolder == nil ? take : take.standardizedFileURL
    self.policy = policy
    self.secondFolder = secondFolder
    self.threads = threads
    self.makeFile = makeFile
  }

  /// Makes the first file; a name that is taken is an error.
  mutating func first() throws(QuickTimeError) -> any MovieFile {
    let url = policy.url(ofSegment: 1, of: take)
    number = 2
    let file = try secondFolder == nil ? makeFile(url) : firstPair()
    folder = MovieFolder(ofMovie: url.path)
    return file
  }

  /// Makes the next file, in the folder of the take where others have moved that.
  mutating func next() throws(QuickTimeError) -> any MovieFile {
    // Where it cannot be made again, the file tells so.
    if known(take.path) == nil { _ = try? findFolder() }
    var passed = 0
    while true {
      let segment = number
      number += 1
      do throws(QuickTimeError) {
        return try secondFolder == nil ? makeFile(ofSegment: segment) : pair(ofSegment: segment)
      } catch {
        passed += 1
        guard error.code == .fileExists, passed < Self.mostTakenNames else { throw error }
      }
    }
  }

  /// Lets the folder go. Before the take is told to have ended: its disk can be taken out then.
  mutating func close() { folder = nil }

  // MARK: The folder

  /// Finds the folder of the take: follows it if it was moved, and makes it again if it was
  /// deleted.
  ///
  /// - Returns: False if it is where it was, or cannot be found.
  private mutating func findFolder() throws(QuickTimeError) -> Bool {
    guard let known = folder, let change = known.noticeChange() else { return false }
    switch change {
    case .moved(let moved):
      folder = moved
      take = URL(filePath: moved.path, directoryHint: .isDirectory)
        .appending(path: take.lastPathComponent)
    case .deleted: folder = try known.restored()
    }
    return true
  }

  /// Makes the file of a segment in the folder of the take.
  private mutating func makeFile(
    ofSegment number: Int
  ) throws(QuickTimeError) -> sending any MovieFile {
    var searches = 0
    while true {
      do throws(QuickTimeError) {
        return try makeFile(policy.url(ofSegment: number, of: take))
      } catch {
        searches += 1
        // The folder may be gone since it was looked for.
        guard error.code == .notFound, searches < Self.mostSearches, try findFolder() else {
          throw error
        }
      }
    }
  }

  // MARK: Two places

  /// The file of a segment, and the one of the same name in the second folder.
  private func places(ofSegment number: Int) -> [URL] {
    let url = policy.url(ofSegment: number, of: take)
    let folder = URL(filePath: secondFolder ?? "", directoryHint: .isDirectory)
    return [url, folder.appending(path: url.lastPathComponent)].map(\.standardizedFileURL)
  }

  /// Makes the first movie's files: both, or none.
  private func firstPair() throws(QuickTimeError) -> any MovieFile {
    let places = places(ofSegment: 1)
    guard places[0] != places[1] else {
      throw QuickTimeError(
        .invalidArgument, "\(places[0].path): both files would be this one; name another folder")
    }
    let first = try makeFile(places[0])
    let second: any MovieFile
    do throws(QuickTimeError) { second = try makeFile(places[1]) } catch {
      try? first.remove()
      throw error
    }
    return try MirroredMovieFile([first, second], threads: threads)
  }

  /// Makes both files of a later movie; goes on with one where the other cannot be made.
  private mutating func pair(ofSegment number: Int) throws(QuickTimeError) -> any MovieFile {
    var (files, missing): ([any MovieFile], [MovieFileCopy]) = ([], [])
    var failure: QuickTimeError?
    for index in 0...1 {
      let place = places(ofSegment: number)[index]
      if let known = known(place.path) {
        missing.append(
          MovieFileCopy(path: place.path, isWhole: false, message: known.message))
        continue
      }
      do throws(QuickTimeError) {
        files.append(try index == 0 ? makeFile(ofSegment: number) : makeFile(place))
      } catch {
        // A name that is taken in one place is taken in both.
        if error.code == .fileExists {
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
