package import MediaCore
import Synchronization

/// A movie file in two places at once: both get the same bytes, and the movie survives the loss of
/// either.
///
/// Each file has its own thread, so neither disk waits for the other, and the faster one sets the
/// pace. A file is given up if its disk fails, if it falls behind by more than ``Limits/backlog``, or if it makes no
/// progress for ``Limits/patience`` while the other one does. The last file is never given up: its errors are
/// thrown like those of a single file.
///
/// A sync returns when one disk has finished it. ``confirmedSize`` is what both have.
///
/// Properties such as ``name`` are those of the first file that is left.
package final class MirroredMovieFile: MovieFile {
  /// What a file may cost the other one.
  package struct Limits: Sendable {
    /// Bytes that may wait for a file: 2.4 seconds of UHD60 in 422 HQ.
    package var backlog = 512 << 20
    /// Seconds without any progress after which a file is given up.
    package var patience = 10.0
    /// Seconds for which the first file's answer is awaited where the other one's is there. One that was
    /// late is not waited for again before it has caught up: the good disk would pay with each fragment.
    package var preference = 0.25

    package init() {}
  }

  private let shared: WaitableMutex<MirrorState>
  private let limits: Limits
  private let changes = MirrorChanges()

  /// A file of two.
  ///
  /// - Parameters:
  ///   - files: The files, the primary one first. They must not be used elsewhere afterwards.
  ///   - missing: Files that could not be created.
  ///   - threads: The scheduling to request for the writing threads.
  /// - Throws: ``QuickTimeError/Code/ioFailed`` where the system has no thread left.
  package init(
    _ files: sending [any MovieFile], missing: [MovieFileCopy] = [],
    threads: ThreadOptions = .ordinary, limits: Limits = Limits()
  ) throws(QuickTimeError) {
    self.limits = limits
    shared = WaitableMutex(
      MirrorState(
        lanes: files.map { MirrorState.Lane(name: $0.name, hasName: $0.hasName) },
        missing: missing))
    let lanes = files.map { Handover(MirrorState.UnsafeTransfer($0)) }
    do throws(QuickTimeError) {
      for index in lanes.indices { try Self.start(lanes[index], index, shared, threads) }
    } catch {
      // Nothing was written: what no thread has taken is removed here, the rest where it is.
      shared.update { state in
        state.call { file, _ in
          try? file.remove()
          return .init()
        }
        state.isClosed = true
      }
      for lane in lanes { try? lane.take()?.file.remove() }
      throw error
    }
  }

  deinit { shared.update { $0.isClosed = true } }

  private static func start(
    _ file: Handover<MirrorState.UnsafeTransfer>, _ index: Int,
    _ shared: WaitableMutex<MirrorState>, _ threads: ThreadOptions
  ) throws(QuickTimeError) {
    do throws(MediaCoreError) {
      _ = try MediaThread(name: "movie-copy-\(index)", role: .writing, options: threads) {
        guard let file = file.take()?.file else { return }
        run(file, index, shared)
      }
    } catch {
      throw QuickTimeError(.ioFailed, error.message)
    }
  }

  /// Does a file's work until nobody has any more for it.
  private static func run(
    _ file: any MovieFile, _ index: Int, _ shared: WaitableMutex<MirrorState>
  ) {
    while true {
      let next: MirrorState.Work?? = shared.wait { $0.next(index) }
      guard let work = next ?? nil else { break }
      var done = MirrorState.Done()
      switch work {
      case .write(let block, let offset):
        do throws(QuickTimeError) { try file.write([block.bytes], at: offset) } catch {
          done.failure = error
        }
      case .call(let body), .synchronize(let body, _): done = body(file, index)
      }
      let (name, hasName) = (file.name, file.hasName)
      shared.update { $0.finish(work, index, done, name: name, hasName: hasName) }
    }
    // A file that was given up is closed nowhere else.
    try? file.close()
    let returned = MirrorState.UnsafeTransfer(file)
    shared.update { $0.returned[index] = returned }
  }

  // MARK: What is told

  package var name: String { shared.withLock { $0.lead?.name ?? $0.lanes[0].name } }
  package var hasName: Bool { shared.withLock { $0.lead?.hasName ?? true } }
  package var copies: [MovieFileCopy] { shared.withLock { $0.copies } }

  // MARK: Writing

  package func write(
    _ buffers: [UnsafeRawBufferPointer], at offset: UInt64
  ) throws(QuickTimeError) {
    let block = MirrorBlock(buffers)
    while true {
      let room = shared.wait(deadline: MonotonicClock.now + 250_000_000) { state in
        state.room(for: block.bytes.count, limits)
      }
      switch room {
      case .failure(let error)?: throw error
      // It is awaited, as the only file would be: its failure belongs to this call.
      case .single?:
        shared.withLock { $0.noteWrite(upTo: offset + UInt64(block.bytes.count)) }
        return try ask { file, _ throws(QuickTimeError) in try file.write([block.bytes], at: offset)
        }
      case .both?: return shared.update { $0.write(block, at: offset, limits) }
      case nil: shared.update { $0.giveUpIdle(limits) }
      }
    }
  }

  package func truncate(to size: UInt64) throws(QuickTimeError) {
    shared.withLock { $0.noteCut(to: size) }
    try ask { file, _ throws(QuickTimeError) in try file.truncate(to: size) }
  }

  package func synchronize() throws(QuickTimeError) {
    try ask(isSync: true) { file, _ throws(QuickTimeError) in try file.synchronize() }
  }

  package var confirmedSize: UInt64? { shared.withLock { $0.confirmedSize } }

  package func synchronizeParentDirectory() throws(QuickTimeError) {
    try ask { file, _ throws(QuickTimeError) in try file.synchronizeParentDirectory() }
  }

  package func preallocate(offset: UInt64, count: UInt64) throws(QuickTimeError) -> Bool {
    try ask(isVital: false) { file, _ throws(QuickTimeError) in
      try file.preallocate(offset: offset, count: count)
    }
  }

  /// Waits until both files hold everything, or one is given up. Their threads end: a take of many movies
  /// must not keep two for each.
  ///
  /// A first file that others took away, which its disk was too slow to tell in time, is given up: the
  /// movie is the other one.
  package func close() throws(QuickTimeError) {
    defer { shared.update { $0.isClosed = true } }
    var failure: QuickTimeError?
    do throws(QuickTimeError) {
      try ask(ofAll: true) { [changes] file, index throws(QuickTimeError) in
        if let change = changes.unreportedLoss(of: index) { throw Self.loss(of: file.name, change) }
      }
    } catch { failure = error }
    try ask(isVital: false, ofAll: true) { file, _ throws(QuickTimeError) in try file.close() }
    if let failure { throw failure }
  }

  package func remove() throws(QuickTimeError) {
    try ask(isVital: false, ofAll: true) { file, _ throws(QuickTimeError) in try file.remove() }
  }

  // MARK: Reading

  package func size() throws(QuickTimeError) -> UInt64 {
    try ask { file, _ throws(QuickTimeError) in try file.size() }
  }

  package func read(
    into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws(QuickTimeError) -> Int {
    // A late answer must not be written into memory that the caller has reclaimed.
    let count = buffer.count
    let bytes = try ask { file, _ throws(QuickTimeError) in try file.bytes(at: offset, count: count)
    }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }

  package var heldSize: UInt64? {
    (try? ask(isVital: false) { file, _ throws(QuickTimeError) in file.heldSize }) ?? nil
  }

  // MARK: The names

  package func adoptName() throws(QuickTimeError) {
    // A file that keeps its other name is told of, also where it is not the first.
    let failure = Mutex<QuickTimeError?>(nil)
    try ask(isVital: false, ofAll: true) { file, _ throws(QuickTimeError) in
      do throws(QuickTimeError) { try file.adoptName() } catch {
        failure.withLock { $0 = $0 ?? error }
        throw error
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  package func forgoName() {
    try? ask(isVital: false, ofAll: true) { file, _ throws(QuickTimeError) in file.forgoName() }
  }

  /// Looks at both files. What others did to the first is returned, by a later look where its disk is
  /// late; another one that they took away or cut is given up.
  package func noticeChange(
    size: UInt64, marks: [(offset: UInt64, code: String)]
  ) -> MovieFileChange? {
    let lead = shared.withLock { $0.leadIndex }
    try? ask { [changes] file, index throws(QuickTimeError) in
      let path = file.name
      guard let change = file.noticeChange(size: size, marks: marks) else { return }
      if index == lead {
        changes.note(change, of: index)
      } else if change != .moved {
        throw Self.loss(of: path, change)
      }
    }
    return shared.withLock { $0.leadIndex }.flatMap(changes.tell)
  }

  private static func loss(of path: String, _ change: MovieFileChange) -> QuickTimeError {
    QuickTimeError(.damaged, "\(path): \(change.rawValue) by another program")
  }

  package func restoreFolder() throws(QuickTimeError) {
    guard let lost = changes.reportedLoss else { return }
    try ask(isVital: false) { file, index throws(QuickTimeError) in
      if index == lost { try file.restoreFolder() }
    }
  }

  /// Restores the file whose loss was told; the other has its name. One that cannot be restored is given
  /// up.
  package func restore() throws(QuickTimeError) {
    guard let lost = changes.reportedLoss else { return }
    try ask(ofAll: true) { file, index throws(QuickTimeError) in
      if index == lost { try file.restore() }
    }
  }

  // MARK: Asking

  /// Queues work for both files, and waits for it.
  ///
  /// - Parameters:
  ///   - isVital: True to give up a file on which the work fails, if it succeeds on the other.
  ///   - ofAll: True to wait for both, false for the first that succeeds.
  ///   - isSync: True for a sync, which also reports earlier failures that nobody waited for.
  /// - Returns: The result of the first file, or of the other one if the first fails or is late.
  private func ask<Value: Sendable>(
    isVital: Bool = true, ofAll: Bool = false, isSync: Bool = false,
    _ body: @escaping @Sendable (any MovieFile, Int) throws(QuickTimeError) -> Value
  ) throws(QuickTimeError) -> Value {
    if let files = closedFiles() { return try Self.ask(files, body) }
    let answers = MirrorAnswers<Value>()
    shared.update { state in
      state.call(isSync: isSync) { file, index in
        do throws(QuickTimeError) {
          let value = try body(file, index)
          return .init { answers.set(.success(value), index) }
        } catch {
          return .init(failure: isVital ? error : nil) { answers.set(.failure(error), index) }
        }
      }
    }
    let began = MonotonicClock.now
    let preference = shared.withLock { $0.preference(limits) }
    while true {
      let slice = MonotonicClock.now + 50_000_000
      let answer = shared.wait(deadline: slice) { state -> Result<Value, QuickTimeError>? in
        if isSync, let error = state.takePendingError() { return .failure(error) }
        if let error = state.totalLoss { return .failure(error) }
        let isLate = Double(MonotonicClock.now - began) * 1e-9 >= preference
        let answer = answers.choose(among: state.living, ofAll: ofAll, isLate: isLate)
        if answer != nil, let lead = state.leadIndex, !answers.has(lead) { state.noteLate(lead) }
        return answer
      }
      if let answer { return try answer.get() }
      shared.update { $0.giveUpIdle(limits) }
    }
  }

  /// The files that are left once their threads have given them back; nil while those run.
  private func closedFiles() -> [(index: Int, file: MirrorState.UnsafeTransfer)]? {
    shared.wait { state in
      guard state.isClosed else { return .some(nil) }
      let files = state.living.map { (index: $0, file: state.returned[$0]) }
      guard files.allSatisfy({ $0.file != nil }) else { return nil }
      return .some(files.compactMap { entry in entry.file.map { (entry.index, $0) } })
    } ?? nil
  }

  /// Has the files of a closed movie do something, on this thread.
  private static func ask<Value: Sendable>(
    _ files: [(index: Int, file: MirrorState.UnsafeTransfer)],
    _ body: (any MovieFile, Int) throws(QuickTimeError) -> Value
  ) throws(QuickTimeError) -> Value {
    var answer: Result<Value, QuickTimeError>?
    for (index, lane) in files {
      do throws(QuickTimeError) {
        let value = try body(lane.file, index)
        if case .success? = answer { continue }
        answer = .success(value)
      } catch {
        answer = answer ?? .failure(error)
      }
    }
    guard let answer else { throw QuickTimeError(.ioFailed, "both files are lost") }
    return try answer.get()
  }
}

/// What files have answered, by their places.
private final class MirrorAnswers<Value: Sendable>: Sendable {
  private let given = Mutex<[Int: Result<Value, QuickTimeError>]>([:])

  func set(_ answer: Result<Value, QuickTimeError>, _ index: Int) {
    given.withLock { $0[index] = answer }
  }

  /// True where a file has answered.
  func has(_ index: Int) -> Bool { given.withLock { $0[index] != nil } }

  /// The answer that counts; nil while it is awaited.
  func choose(
    among living: [Int], ofAll: Bool, isLate: Bool
  ) -> Result<Value, QuickTimeError>? {
    let given = given.withLock { $0 }
    let answers = living.compactMap { given[$0] }
    let good = answers.first { answer in
      if case .success = answer { true } else { false }
    }
    // Once all files that are left have answered, any success counts; before that, only the first file's.
    if answers.count == living.count { return good ?? answers.first }
    if ofAll { return nil }
    if let first = living.first, case .success? = given[first] { return given[first] }
    return isLate ? good : nil
  }
}
