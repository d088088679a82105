import Foundation
import MediaCore
import Synchronization

/// An element of a queue: a sample buffer, a pixel buffer, a block buffer, or a program's type.
public typealias CMBuffer = Sendable

/// A queue of buffers: first in, first out, or ordered by the handlers' comparison.
///
/// It may be used from any thread. Handlers are called while the queue is locked, so they must not call it.
public final class CMBufferQueue: Sendable {
  struct Entry: Sendable {
    let buffer: any CMBuffer
    /// As it was when the buffer was enqueued.
    let duration: CMTime
  }

  struct State: Sendable {
    var entries: [Entry] = []
    var hasEndOfData = false
    var validation: Validation?
    var triggers: [Trigger] = []
    var lastToken = 0
    /// Threads that are calling triggers: one entry for each call.
    var firing: [UInt] = []
    /// Observes data becoming ready.
    var observer: ReadinessObserver?
  }

  /// Validates buffers before they are enqueued.
  ///
  /// Unchecked: Apple's function need not be `Sendable`. Only ``enqueue(_:)`` calls it, on the enqueuing thread.
  struct Validation: @unchecked Sendable {
    let body: (CMBufferQueue, any CMBuffer) throws -> Void
  }

  let handlers: Handlers
  let capacity: CMItemCount
  let state = Mutex(State())

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - capacity: The most buffers in the queue; 0 for no limit.
  ///   - handlers: The handlers for its buffers.
  /// - Throws: Nothing; Apple's declaration throws.
  public init(capacity: CMItemCount = 0, handlers: Handlers) throws(CMBufferQueue.Error) {
    self.handlers = handlers
    self.capacity = max(capacity, 0)
    guard let name = handlers.dataBecameReadyNotification else { return }
    let observer = ReadinessObserver(name) { [weak self] in self?.noteReadiness() }
    state.withLock { $0.observer = observer }
  }

  /// Adds a buffer at the end, or in the order of the comparison, after buffers that compare equal.
  ///
  /// - Throws: ``CMBufferQueue/Error`` if the queue is full, if the end of data is marked, or within a trigger; also
  ///   what the validation handler throws.
  public func enqueue(_ buffer: any CMBuffer) throws {
    try state.withLock { $0.validation }?.body(self, buffer)
    try change { state throws(CMBufferQueue.Error) in
      guard !state.hasEndOfData else { throw .enqueueAfterEndOfData }
      guard capacity == 0 || state.entries.count < capacity else { throw .queueIsFull }
      let entry = Entry(buffer: buffer, duration: handlers.getDuration(buffer))
      state.entries.insert(entry, at: place(of: buffer, in: state.entries))
    }
  }

  /// The index to insert a buffer at. Equal buffers keep their order.
  private func place(of buffer: any CMBuffer, in entries: [Entry]) -> Int {
    guard let compare = handlers.compare else { return entries.count }
    var place = entries.count
    while place > 0, compare(buffer, entries[place - 1].buffer) == .compareLessThan { place -= 1 }
    return place
  }

  /// Removes and returns the first buffer; nil if there is none, or within a trigger, which must not change the
  /// queue.
  public func dequeue() -> (any CMBuffer)? { dequeue(onlyReady: false) }

  /// Removes and returns the first buffer if its data are ready; nil otherwise.
  public func dequeueIfDataReady() -> (any CMBuffer)? { dequeue(onlyReady: true) }

  private func dequeue(onlyReady: Bool) -> (any CMBuffer)? {
    try? change { state throws(CMBufferQueue.Error) -> (any CMBuffer)? in
      guard let first = state.entries.first, !onlyReady || isReady(first) else { return nil }
      return state.entries.removeFirst().buffer
    }
  }

  func isReady(_ entry: Entry) -> Bool { handlers.isDataReady?(entry.buffer) ?? true }

  /// Marks the end of data: buffers enqueued later are rejected until the queue is reset.
  ///
  /// - Throws: ``CMBufferQueue/Error`` within a trigger.
  public func markEndOfData() throws(CMBufferQueue.Error) {
    try change { state throws(CMBufferQueue.Error) in state.hasEndOfData = true }
  }

  /// Removes all buffers and the mark of the end of data.
  ///
  /// - Throws: ``CMBufferQueue/Error`` within a trigger.
  public func reset() throws(CMBufferQueue.Error) { _ = try emptied() }

  /// Removes all buffers and the mark of the end of data, then calls a function with each removed buffer.
  ///
  /// - Throws: ``CMBufferQueue/Error`` within a trigger; also what the function throws, in which case the queue is
  ///   empty.
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

  /// Sets a function that validates each buffer. What it throws, ``enqueue(_:)`` throws, and the queue is unchanged.
  /// It is called on the enqueuing thread, while the queue is not locked.
  public func setValidationHandler(
    _ body: @escaping (CMBufferQueue, any CMBuffer) throws -> Void
  ) {
    let validation = Validation(body: body)
    state.withLock { $0.validation = validation }
  }

  // MARK: State

  /// The buffer that is dequeued next.
  public var head: (any CMBuffer)? { state.withLock { $0.entries.first?.buffer } }
  public var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }
  public var bufferCount: CMItemCount { state.withLock { $0.entries.count } }
  /// True from the mark of the end of data until a reset.
  public var containsEndOfData: Bool { state.withLock { $0.hasEndOfData } }
  /// True if the end of data is marked and no buffer is left.
  public var isAtEndOfData: Bool { state.withLock { $0.isAtEnd } }
}

extension CMBufferQueue.State {
  var isAtEnd: Bool { hasEndOfData && entries.isEmpty }
}

extension CMBufferQueue: Hashable {
  public static func == (lhs: CMBufferQueue, rhs: CMBufferQueue) -> Bool { lhs === rhs }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
