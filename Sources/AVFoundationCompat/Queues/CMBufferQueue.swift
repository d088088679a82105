import Foundation
import MediaCore
import Synchronization

/// What a queue holds: samples, pictures, blocks of bytes, or a program's own values.
public typealias CMBuffer = Sendable

/// Buffers that wait for their turn: first in, first out, or in the order of the handlers' comparison.
///
/// It may be used from any threads. Handlers are called while the queue is locked, and so must not call it.
public final class CMBufferQueue: Sendable {
  struct Entry: Sendable {
    let buffer: any CMBuffer
    /// As it was when the buffer came.
    let duration: CMTime
  }

  struct State: Sendable {
    var entries: [Entry] = []
    var hasEndOfData = false
    var validation: Validation?
    var triggers: [Trigger] = []
    var lastToken = 0
    /// Threads that are calling triggers: one entry for each call under way.
    var firing: [UInt] = []
    /// What is told when data become ready.
    var observer: ReadinessObserver?
  }

  /// What tests buffers before they are taken.
  ///
  /// Unchecked because Apple's function need not be `Sendable`: only ``enqueue(_:)`` calls it, on the thread that
  /// enqueues.
  struct Validation: @unchecked Sendable {
    let body: (CMBufferQueue, any CMBuffer) throws -> Void
  }

  let handlers: Handlers
  let capacity: CMItemCount
  let state = Mutex(State())

  /// A queue.
  ///
  /// - Parameters:
  ///   - capacity: The most buffers that it takes; 0 for no limit.
  ///   - handlers: What it asks of buffers.
  /// - Throws: Nothing; Apple's declaration throws.
  public init(capacity: CMItemCount = 0, handlers: Handlers) throws(CMBufferQueue.Error) {
    self.handlers = handlers
    self.capacity = max(capacity, 0)
    guard let name = handlers.dataBecameReadyNotification else { return }
    let observer = ReadinessObserver(name) { [weak self] in self?.noteReadiness() }
    state.withLock { $0.observer = observer }
  }

  /// Takes a buffer: behind all others, or behind the last one that the comparison does not put after it.
  ///
  /// - Throws: ``CMBufferQueue/Error``: of a full queue, behind the end of the data, from a trigger; what the
  ///   validation handler throws.
  public func enqueue(_ buffer: any CMBuffer) throws {
    try state.withLock { $0.validation }?.body(self, buffer)
    try change { state throws(CMBufferQueue.Error) in
      guard !state.hasEndOfData else { throw .enqueueAfterEndOfData }
      guard capacity == 0 || state.entries.count < capacity else { throw .queueIsFull }
      let entry = Entry(buffer: buffer, duration: handlers.getDuration(buffer))
      state.entries.insert(entry, at: place(of: buffer, in: state.entries))
    }
  }

  /// Where a buffer comes: equal ones stay in the order in which they came.
  private func place(of buffer: any CMBuffer, in entries: [Entry]) -> Int {
    guard let compare = handlers.compare else { return entries.count }
    var place = entries.count
    while place > 0, compare(buffer, entries[place - 1].buffer) == .compareLessThan { place -= 1 }
    return place
  }

  /// Gives the first buffer away; nil if there is none, and within a trigger, which must not change the queue.
  public func dequeue() -> (any CMBuffer)? { dequeue(onlyReady: false) }

  /// Gives the first buffer away where its data are ready; nil otherwise.
  public func dequeueIfDataReady() -> (any CMBuffer)? { dequeue(onlyReady: true) }

  private func dequeue(onlyReady: Bool) -> (any CMBuffer)? {
    try? change { state throws(CMBufferQueue.Error) -> (any CMBuffer)? in
      guard let first = state.entries.first, !onlyReady || isReady(first) else { return nil }
      return state.entries.removeFirst().buffer
    }
  }

  func isReady(_ entry: Entry) -> Bool { handlers.isDataReady?(entry.buffer) ?? true }

  /// Says that nothing more comes: what is enqueued after this is refused, until the queue is reset.
  ///
  /// - Throws: ``CMBufferQueue/Error`` from a trigger.
  public func markEndOfData() throws(CMBufferQueue.Error) {
    try change { state throws(CMBufferQueue.Error) in state.hasEndOfData = true }
  }

  /// Lets all buffers go, and takes new ones again.
  ///
  /// - Throws: ``CMBufferQueue/Error`` from a trigger.
  public func reset() throws(CMBufferQueue.Error) { _ = try emptied() }

  /// Lets all buffers go, and takes new ones again; calls a function with each of the old ones.
  ///
  /// - Throws: ``CMBufferQueue/Error`` from a trigger; what the function throws, the queue being empty then.
  public func reset(_ body: (any CMBuffer) throws -> Void) throws {
    for entry in try emptied() { try body(entry.buffer) }
  }

  private func emptied() throws(CMBufferQueue.Error) -> [Entry] {
    try change(isReset: true) { state throws(CMBufferQueue.Error) in
      state.hasEndOfData = false
      defer { state.entries = [] }
      return state.entries
    }
  }

  /// Has a function test each buffer before it is taken. What it throws, ``enqueue(_:)`` throws, and the queue
  /// stays as it was. It is called on the thread that enqueues, the queue not being locked.
  public func setValidationHandler(
    _ body: @escaping (CMBufferQueue, any CMBuffer) throws -> Void
  ) {
    let validation = Validation(body: body)
    state.withLock { $0.validation = validation }
  }

  // MARK: What there is

  /// The buffer that is given away next.
  public var head: (any CMBuffer)? { state.withLock { $0.entries.first?.buffer } }
  /// True without buffers.
  public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }
  /// How many buffers there are.
  public var bufferCount: CMItemCount { state.withLock { $0.entries.count } }
  /// True once the end of the data is marked, until a reset.
  public var containsEndOfData: Bool { state.withLock { $0.hasEndOfData } }
  /// True if the end of the data is marked and no buffer is left.
  public var isAtEndOfData: Bool { state.withLock { $0.isAtEnd } }
}

extension CMBufferQueue.State {
  var isAtEnd: Bool { hasEndOfData && entries.isEmpty }
}

extension CMBufferQueue: Hashable {
  /// True for the same object.
  public static func == (lhs: CMBufferQueue, rhs: CMBufferQueue) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
