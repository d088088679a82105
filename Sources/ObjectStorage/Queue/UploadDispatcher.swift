import Dispatch
import FoundationEssentials
import Glibc
public import MediaCore
import Synchronization

/// Has movies uploaded by another process, so that a recorder only hands over paths and never waits.
///
/// The other process works off the address's queue, and outlives this one. It retries temporary failures by itself. If
/// it ends early, it is started again, after longer and longer pauses.
public final class UploadDispatcher: Sendable {
  /// A movie that was handed over.
  public struct Movie: Sendable, Hashable, Codable {
    /// How far it is.
    public enum State: String, Sendable, Hashable, Codable {
      case waiting, verified, failed
    }

    public var path: String
    public var state = State.waiting
    /// Why it was not sent; it is tried again.
    public var error: ErrorSummary?
  }

  private struct State {
    var movies: [Movie] = []
    /// Entries of movies that are not verified, by their places.
    var names: [Int: String] = [:]
    var process: DetachedProcess?
    var pause = RetryPause()
    /// Ticks until the process is started again; nil where nothing waits for it.
    var ticksLeft: Int?
    var told: Set<String> = []
    /// True once an uploader of an earlier version was seen at the queue.
    var hasEarlierUploader = false
    /// Movies that such a one has taken out of the queue, by their places, until they are handed over again.
    var unproven: Set<Int> = []
    /// Those that were, once.
    var repeated: Set<Int> = []
  }

  /// The queue.
  public let queue: UploadQueue
  private let removesVerified: Bool
  private let terms: UploadTerms
  private let program: String
  private let words: [String]
  private let tell: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let work = DispatchQueue(label: "upload-dispatcher", qos: .utility)

  /// - Parameters:
  ///   - queue: Where movies wait.
  ///   - removesVerified: True to remove each movie and its sidecar once both are verified.
  ///   - terms: What is asked for each movie, whoever sends it.
  ///   - program: The path of what works off the queue.
  ///   - words: Its name and its arguments.
  ///   - tell: Told a line for people of each failure, once; it must return at once.
  public init(
    _ queue: UploadQueue, removesVerified: Bool, terms: UploadTerms = UploadTerms(),
    program: String,
    words: [String], tell: @escaping @Sendable (String) -> Void
  ) {
    (self.queue, self.removesVerified, self.terms) = (queue, removesVerified, terms)
    (self.program, self.words, self.tell) = (program, words, tell)
    work.async { [self] in
      // An earlier recorder may have left movies, or damage, in the queue.
      tellDamage()
      if (try? queue.isEmpty) == false { start() }
    }
    schedule()
  }

  private func schedule() {
    work.asyncAfter(deadline: .now() + 1) { [weak self] in
      guard let self else { return }
      tick()
      schedule()
    }
  }

  /// Hands a movie over, once; returns at once.
  public func add(_ given: String) {
    let path = Self.absolute(given)
    let place = state.withLock { state -> Int? in
      guard !state.movies.contains(where: { $0.path == path }) else { return nil }
      state.movies.append(Movie(path: path))
      return state.movies.count - 1
    }
    guard let place else { return }
    work.async { [self] in handOver([place]) }
  }

  /// What became of movies so far; waits until they are handed over.
  public func movies(_ paths: [String]) -> [Movie] {
    work.sync { look() }
    let movies = state.withLock { $0.movies }
    return paths.map(Self.absolute).map { path in
      movies.first { $0.path == path } ?? Movie(path: path)
    }
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).absoluteURL.standardizedFileURL.path
  }

  /// Sees to it, before this process ends, that somebody goes on with what waits.
  ///
  /// - Returns: How many movies wait still.
  public func leave() -> Int {
    work.sync {
      look()
      let unproven = state.withLock { $0.unproven }
      if !unproven.isEmpty { handOver(unproven) }
      // An uploader that has released the queue may have looked into it before the last movie was added.
      if (try? queue.isEmpty) == false, !QueuedUpload.isUnderWay(queue) {
        state.withLock { $0.process = nil }
        start()
      }
    }
    // With an entry that cannot be read nobody goes on.
    let unread = ObjectStorageError.Code.stateFailed.name
    return state.withLock { state in
      state.names.keys.count { state.movies[$0].error?.code != unread }
    }
  }

  // MARK: On the queue

  private func handOver(_ places: Set<Int>) {
    for place in places.sorted() {
      let path = state.withLock { state in
        state.unproven.remove(place)
        return state.movies[place].path
      }
      do throws(ObjectStorageError) {
        let name = try queue.add(path, removesVerified: removesVerified, terms: terms)
        state.withLock { $0.names[place] = name }
      } catch {
        note(ErrorSummary(error), place)
      }
    }
    state.withLock { $0.pause = RetryPause() }
    start()
  }

  private func start() {
    guard state.withLock({ $0.process == nil }) else { return }
    do throws(ObjectStorageError) {
      try UploadJournal.makeFolder(queue.folder)
      let process = try DetachedProcess(program, words, logPath: queue.folder + "/log")
      state.withLock { $0.process = process }
    } catch {
      tellOnce(error)
      state.withLock { $0.ticksLeft = RetryPause.longest }
    }
  }

  private func tick() {
    look()
    let process = state.withLock { $0.process }
    if let process, process.outcome() != nil {
      // It may have ended because another uploader holds the queue.
      lookForEarlierUploader()
      state.withLock { state in
        state.process = nil
        state.ticksLeft = state.pause.take()
      }
    }
    let isDue = state.withLock { state in
      guard state.process == nil, let left = state.ticksLeft else { return false }
      state.ticksLeft = left > 1 ? left - 1 : nil
      return left <= 1
    }
    guard isDue, (try? queue.isEmpty) == false else { return }
    start()
  }

  /// Reports unreadable entries that no recorder knows any more.
  private func tellDamage() {
    do throws(ObjectStorageError) {
      for name in try queue.names() {
        do throws(ObjectStorageError) { _ = try queue.entry(name) } catch { tellOnce(error) }
      }
    } catch { tellOnce(error) }
  }

  /// Looks which entries are gone, and which have failed.
  private func look() {
    for (place, name) in state.withLock({ $0.names }) {
      do throws(ObjectStorageError) {
        if let entry = try queue.entry(name) {
          if let failure = entry.failure { note(failure, place) } else { set(.waiting, place) }
        } else {
          let isVerified = try queue.takeReceipt(name)
          state.withLock { $0.names[place] = nil }
          if isVerified { set(.verified, place) } else { doubt(place) }
        }
      } catch {
        note(ErrorSummary(error), place)
      }
    }
    let unproven = state.withLock { $0.unproven }
    guard !unproven.isEmpty, !QueuedUpload.isEarlierUnderWay(queue) else { return }
    handOver(unproven)
  }

  /// A movie was taken out of the queue, and nobody says that it was verified. An uploader of an earlier version
  /// does that when it has sent it: then it is handed over again, for one of this version to verify.
  private func doubt(_ place: Int) {
    lookForEarlierUploader()
    let (path, isAgain) = state.withLock { state in
      (
        state.movies[place].path,
        state.hasEarlierUploader && state.repeated.insert(place).inserted
      )
    }
    guard isAgain else { return note(Self.vanished, place) }
    // It removes what it has verified, and nothing else.
    if removesVerified, access(path, F_OK) != 0 { return set(.verified, place) }
    state.withLock { _ = $0.unproven.insert(place) }
    set(.waiting, place)
  }

  /// Such a one may still run after an update.
  private func lookForEarlierUploader() {
    guard QueuedUpload.isEarlierUnderWay(queue) else { return }
    state.withLock { $0.hasEarlierUploader = true }
    tellOnce(
      "upload to \(queue.address): an uploader of an earlier version is at it; what it sends is verified once it "
        + "has ended")
  }

  private static let vanished = ErrorSummary(
    ObjectStorageError(
      .stateFailed,
      "was taken out of the queue, and nothing says that it was verified; send it again by hand, which sends only "
        + "what is missing"))

  private func set(_ present: Movie.State, _ place: Int) {
    state.withLock { state in
      state.movies[place].state = present
      state.movies[place].error = nil
    }
  }

  private func note(_ failure: ErrorSummary, _ place: Int) {
    let path = state.withLock { state in
      state.movies[place].state = .failed
      state.movies[place].error = failure
      return state.movies[place].path
    }
    let name = URL(filePath: path).lastPathComponent
    tellOnce("upload of \(name) to \(queue.address): \(failure.message)")
  }

  private func tellOnce(_ error: ObjectStorageError) {
    tellOnce("upload to \(queue.address): \(error.message)")
  }

  private func tellOnce(_ line: String) {
    if state.withLock({ $0.told.insert(line).inserted }) { tell(line) }
  }
}
