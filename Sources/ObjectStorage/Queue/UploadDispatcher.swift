import Dispatch
import FoundationEssentials
import Glibc
public import MediaCore
import Synchronization

/// Has movies uploaded by another process, so that a recorder only passes on paths and never waits.
///
/// The other process processes the address's queue and outlives this one. It retries temporary
/// failures itself. If it ends early, it is started again, after longer and longer pauses.
public final class UploadDispatcher: Sendable {
  /// A movie that was added.
  public struct Movie: Sendable, Hashable, Codable {
    /// The state of its upload.
    public enum State: String, Sendable, Hashable, Codable {
      case waiting, verified, failed
    }

    public var path: String
    public var state = State.waiting
    /// Why it was not sent. It is tried again.
    public var error: ErrorSummary?
  }

  private struct State {
    var movies: [Movie] = []
    /// The entries of movies that are not verified, by the movies' indices.
    var names: [Int: String] = [:]
    var process: DetachedProcess?
    var pause = RetryPause()
    /// Ticks until the process is started again; nil if no restart is due.
    var ticksLeft: Int?
    var reported: Set<String> = []
    /// True once an uploader of an earlier version was seen processing the queue.
    var hasEarlierUploader = false
    /// Movies, by index, that such an uploader removed from the queue and that are to be added
    /// again.
    var unproven: Set<Int> = []
    /// Movies that were added again once.
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
  ///   - queue: The queue of movies.
  ///   - removesVerified: True to remove each movie and its sidecar once both are verified.
  ///   - terms: The upload options of each movie, regardless of which process sends it.
  ///   - program: The path of the program that processes the queue.
  ///   - words: Its name and arguments.
  ///   - tell: Called once with a line for users about each failure. Must return immediately.
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

  /// Adds a movie, once. Returns immediately.
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

  /// The state of movies so far. Waits until they are in the queue.
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

  /// Makes sure, before this process ends, that another one continues with the queue.
  ///
  /// - Returns: The number of movies that still wait.
  public func leave() -> Int {
    work.sync {
      look()
      let unproven = state.withLock { $0.unproven }
      if !unproven.isEmpty { handOver(unproven) }
      // An uploader that released the queue may have checked it before the last movie was added.
      if (try? queue.isEmpty) == false, !QueuedUpload.isUnderWay(queue) {
        state.withLock { $0.process = nil }
        start()
      }
    }
    // Nobody can continue with an unreadable entry.
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

  /// Checks which entries are gone and which have failed.
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

  /// Handles a movie that was removed from the queue without a receipt. An uploader of an earlier
  /// version does that after sending it. In that case, the movie is added again, so that one of
  /// this version verifies it.
  private func doubt(_ place: Int) {
    lookForEarlierUploader()
    let (path, isAgain) = state.withLock { state in
      (
        state.movies[place].path,
        state.hasEarlierUploader && state.repeated.insert(place).inserted
      )
    }
    guard isAgain else { return note(Self.vanished, place) }
    // That uploader removes only movies that it has verified.
    if removesVerified, access(path, F_OK) != 0 { return set(.verified, place) }
    state.withLock { _ = $0.unproven.insert(place) }
    set(.waiting, place)
  }

  /// An uploader of an earlier version may still run after an update.
  private func lookForEarlierUploader() {
    guard QueuedUpload.isEarlierUnderWay(queue) else { return }
    state.withLock { $0.hasEarlierUploader = true }
    tellOnce(
      "upload to \(queue.address): an uploader of an earlier version is still running; what it sends is verified "
        + "after it has ended")
  }

  private static let vanished = ErrorSummary(
    ObjectStorageError(
      .stateFailed,
      "was removed from the queue without a record that it was verified; send it again by hand, which sends only "
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
    if state.withLock({ $0.reported.insert(line).inserted }) { tell(line) }
  }
}
