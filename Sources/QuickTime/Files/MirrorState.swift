import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What the files of a ``MirroredMovieFile`` have to do, and which of them are left.
struct MirrorState {
  /// A piece of work for a file's thread.
  enum Work {
    case write(MirrorBlock, at: UInt64)
    case call(@Sendable (any MovieFile, Int) -> Done)
    /// A sync of the first bytes. Its failure counts even if nobody waits for it any more, because the next sync would
    /// not report it again.
    case synchronize(@Sendable (any MovieFile, Int) -> Done, upTo: UInt64)

    var byteCount: Int {
      switch self {
      case .write(let block, _): block.bytes.count
      case .call, .synchronize: 0
      }
    }
  }

  /// What came of a piece of work.
  struct Done {
    /// Why the file is to be given up; nil where it is not.
    var failure: QuickTimeError?
    /// Hands over the answer, together with what the failure means for the file.
    var answer: @Sendable () -> Void = {}
  }

  /// A file on its way to its thread or back.
  ///
  /// Unchecked: one thread has it at a time. It is taken out of its `Handover` once, by the file's own
  /// thread, and lies in ``returned`` only when that has done its last work.
  struct UnsafeTransfer: @unchecked Sendable {
    let file: any MovieFile
    init(_ file: any MovieFile) { self.file = file }
  }

  /// One of the files.
  struct Lane {
    /// Where a file stands.
    enum Standing {
      case living
      case lost(QuickTimeError)
    }

    var name: String
    var hasName: Bool
    var standing = Standing.living
    var work: [Work] = []
    var isBusy = false
    /// True from an answer that came too late until all is done that waits.
    var isLate = false
    /// Bytes from the beginning that its disk has confirmed.
    var confirmedSize: UInt64 = 0
    /// True from a failure on: a later sync confirms nothing.
    var isInDoubt = false
    /// Bytes that wait, those that are being written among them.
    var waitingBytes = 0
    /// When it last finished something, or had nothing to do.
    var progressAt = MonotonicClock.now

    var isLiving: Bool { if case .living = standing { true } else { false } }
    var isIdle: Bool { work.isEmpty && !isBusy }

    mutating func add(_ piece: Work) {
      if isIdle { progressAt = MonotonicClock.now }
      work.append(piece)
      waitingBytes += piece.byteCount
    }

    mutating func lose(_ error: QuickTimeError) {
      standing = .lost(error)
      work = []
    }
  }

  /// Whether a write finds room.
  enum Room {
    case both
    /// One file is left.
    case single
    case failure(QuickTimeError)
  }

  var lanes: [Lane]
  /// Files that could not be made.
  let missing: [MovieFileCopy]
  var isClosed = false
  /// The files whose threads have ended, by their places.
  var returned: [Int: UnsafeTransfer] = [:]
  /// A write that nobody awaited has failed on the last file, or a sync. It is told by each write until
  /// a sync has told it.
  private var pendingError: QuickTimeError?
  /// The end of what was handed over.
  private var size: UInt64 = 0
  /// The smallest size to which the file was truncated. Bytes written again after it are not confirmed.
  private var leastSize = UInt64.max

  init(lanes: [Lane], missing: [MovieFileCopy]) {
    self.lanes = lanes
    self.missing = missing
  }

  /// The places of the files that are left.
  var living: [Int] { lanes.indices.filter { lanes[$0].isLiving } }
  /// The place of the first that is left.
  var leadIndex: Int? { living.first }
  var lead: Lane? { leadIndex.map { lanes[$0] } }

  /// The files but the first that is left.
  var copies: [MovieFileCopy] {
    lanes.indices.filter { $0 != leadIndex }.map { index in
      switch lanes[index].standing {
      case .living: MovieFileCopy(path: lanes[index].name, isWhole: true)
      case .lost(let error):
        MovieFileCopy(path: lanes[index].name, isWhole: false, message: error.message)
      }
    } + missing
  }

  // MARK: Work

  /// The next work of a file's thread; `.some(nil)` for the end of work, nil to wait.
  mutating func next(_ index: Int) -> Work?? {
    guard lanes[index].isLiving else { return .some(nil) }
    guard !lanes[index].work.isEmpty else { return isClosed ? .some(nil) : nil }
    lanes[index].isBusy = true
    return .some(lanes[index].work.removeFirst())
  }

  /// Books a piece of work that is done.
  mutating func finish(
    _ work: Work, _ index: Int, _ done: Done, name: String, hasName: Bool
  ) {
    done.answer()
    lanes[index].isBusy = false
    lanes[index].waitingBytes -= work.byteCount
    lanes[index].progressAt = MonotonicClock.now
    if lanes[index].isIdle { lanes[index].isLate = false }
    (lanes[index].name, lanes[index].hasName) = (name, hasName)
    guard let failure = done.failure else {
      if case .synchronize(_, let size) = work, !lanes[index].isInDoubt {
        lanes[index].confirmedSize = max(lanes[index].confirmedSize, size)
      }
      return
    }
    guard lanes[index].isLiving else { return }
    if living.count > 1 { return lanes[index].lose(failure) }
    lanes[index].isInDoubt = true
    switch work {
    // What the disk holds is in doubt, whatever the cause.
    case .write: pendingError = pendingError ?? QuickTimeError(.ioFailed, from: failure)
    case .synchronize: pendingError = pendingError ?? failure
    case .call: break
    }
  }

  /// Gives each file that is left something to do.
  mutating func call(
    isSync: Bool = false, _ body: @escaping @Sendable (any MovieFile, Int) -> Done
  ) {
    for index in living {
      lanes[index].add(isSync ? .synchronize(body, upTo: size) : .call(body))
    }
  }

  /// Bytes from the beginning that each file that is left has on its disk.
  var confirmedSize: UInt64 {
    living.reduce(leastSize) { min($0, lanes[$1].confirmedSize) }
  }

  /// Takes note that bytes are handed over.
  mutating func noteWrite(upTo end: UInt64) { size = max(size, end) }

  /// Takes note that the file is cut.
  mutating func noteCut(to end: UInt64) {
    size = min(size, end)
    leastSize = min(leastSize, end)
  }

  /// Seconds for which the first file's answer is awaited where the other one's is there: none for one that
  /// was late and has not caught up.
  func preference(_ limits: MirroredMovieFile.Limits) -> Double {
    lead?.isLate == true ? 0 : limits.preference
  }

  /// Takes note that a file's answer was not waited for any longer.
  mutating func noteLate(_ index: Int) { lanes[index].isLate = !lanes[index].isIdle }

  mutating func takePendingError() -> QuickTimeError? {
    defer { pendingError = nil }
    return pendingError
  }

  // MARK: Room

  /// Whether bytes may be handed over; nil to wait until a file has room.
  mutating func room(for count: Int, _ limits: MirroredMovieFile.Limits) -> Room? {
    if let pendingError { return .failure(pendingError) }
    let living = living
    guard living.count > 1 else { return .single }
    return living.contains { hasRoom(lanes[$0], count, limits) } ? .both : nil
  }

  /// Why nothing answers any more; nil while a file is left.
  var totalLoss: QuickTimeError? {
    guard living.isEmpty else { return nil }
    for lane in lanes { if case .lost(let error) = lane.standing { return error } }
    return QuickTimeError(.ioFailed, "there is no file")
  }

  /// Hands bytes over. A file that has no room for them, while the other has, is given up; the last one
  /// never is, also where the other was lost since it was asked for room.
  mutating func write(_ block: MirrorBlock, at offset: UInt64, _ limits: MirroredMovieFile.Limits) {
    noteWrite(upTo: offset + UInt64(block.bytes.count))
    for index in living {
      if living.count == 1 || hasRoom(lanes[index], block.bytes.count, limits) {
        lanes[index].add(.write(block, at: offset))
      } else {
        lanes[index].lose(
          QuickTimeError(
            .ioFailed,
            "\(lanes[index].name): the disk is too slow: \(lanes[index].waitingBytes) bytes wait for it"
          ))
      }
    }
  }

  private func hasRoom(
    _ lane: Lane, _ count: Int, _ limits: MirroredMovieFile.Limits
  ) -> Bool {
    lane.waitingBytes == 0 || lane.waitingBytes + count <= limits.backlog
  }

  /// Gives up a file that makes no progress, if another one has finished all its work.
  mutating func giveUpIdle(_ limits: MirroredMovieFile.Limits) {
    let now = MonotonicClock.now
    for index in living where !lanes[index].isIdle && living.count > 1 {
      let still = Double(now - lanes[index].progressAt) * 1e-9
      let isOtherWell = living.contains { other in
        other != index
          && (lanes[other].isIdle || Double(now - lanes[other].progressAt) * 1e-9 < still / 2)
      }
      guard still > limits.patience, isOtherWell else { continue }
      lanes[index].lose(
        QuickTimeError(
          .ioFailed,
          "\(lanes[index].name): the disk has done nothing for \(Int(still.rounded())) seconds"))
    }
  }
}

/// Bytes that several files write: a copy, in whole blocks of the disk's size where it is one.
final class MirrorBlock: @unchecked Sendable {
  // Sendable: written by the initializer alone.
  let bytes: UnsafeRawBufferPointer
  private let memory: UnsafeMutableRawPointer

  init(_ buffers: [UnsafeRawBufferPointer]) {
    let count = buffers.reduce(0) { $0 + $1.count }
    memory = .allocate(byteCount: max(count, 1), alignment: Int(FileLayout.blockSize))
    var place = 0
    for buffer in buffers where !buffer.isEmpty {
      (memory + place).copyMemory(
        from: buffer.baseAddress ?? UnsafeRawPointer(memory), byteCount: buffer.count)
      place += buffer.count
    }
    bytes = UnsafeRawBufferPointer(start: memory, count: count)
  }

  deinit { memory.deallocate() }
}
