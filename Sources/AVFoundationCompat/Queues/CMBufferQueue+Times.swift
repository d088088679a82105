public import MediaCore
import Synchronization

extension CMBufferQueue {
  /// How long all buffers last together; 0 without any, and invalid where one does not know its length.
  public var duration: CMTime { state.withLock { $0.duration } }

  /// The earliest time at which a buffer is decoded; invalid without any that knows it.
  public var minDecodeTimeStamp: CMTime { times(handlers.getDecodeTimeStamp).min() ?? .invalid }
  /// When the first buffer is decoded; invalid where it does not know it.
  public var firstDecodeTimeStamp: CMTime { first(handlers.getDecodeTimeStamp) }
  /// The earliest time at which a buffer is shown or heard; invalid without any that knows it.
  public var minPresentationTimeStamp: CMTime {
    state.withLock { minPresentationTime(of: $0.entries) }
  }
  /// When the first buffer is shown or heard; invalid where it does not know it.
  public var firstPresentationTimeStamp: CMTime { first(handlers.getPresentationTimeStamp) }
  /// The latest time at which a buffer is shown or heard; invalid without any that knows it.
  public var maxPresentationTimeStamp: CMTime {
    state.withLock { maxPresentationTime(of: $0.entries) }
  }
  /// When the last one of all buffers is over; invalid without any that knows its time and its length.
  public var endPresentationTimeStamp: CMTime {
    guard let time = handlers.getPresentationTimeStamp else { return .invalid }
    return state.withLock { state in
      state.entries.map { time($0.buffer) + $0.duration }.filter(\.isValid).max() ?? .invalid
    }
  }
  /// Bytes of all buffers; 0 where the handlers know no sizes.
  public var totalSize: Int {
    guard let size = handlers.getSize else { return 0 }
    return state.withLock { state in
      state.entries.reduce(0) { $0.addingSaturating(size($1.buffer)) }
    }
  }

  func minPresentationTime(of entries: [Entry]) -> CMTime {
    Self.times(handlers.getPresentationTimeStamp, of: entries).min() ?? .invalid
  }

  func maxPresentationTime(of entries: [Entry]) -> CMTime {
    Self.times(handlers.getPresentationTimeStamp, of: entries).max() ?? .invalid
  }

  private func times(_ time: CMBufferGetTimeHandler?) -> [CMTime] {
    state.withLock { Self.times(time, of: $0.entries) }
  }

  private static func times(_ time: CMBufferGetTimeHandler?, of entries: [Entry]) -> [CMTime] {
    guard let time else { return [] }
    return entries.map { time($0.buffer) }.filter(\.isValid)
  }

  private func first(_ time: CMBufferGetTimeHandler?) -> CMTime {
    guard let time else { return .invalid }
    return state.withLock { state in state.entries.first.map { time($0.buffer) } ?? .invalid }
  }

  /// The buffers that are in the queue now, the first one first.
  public var buffers: Buffers { Buffers(entries: state.withLock { $0.entries }) }

  /// Buffers as they were in a queue at one moment.
  public struct Buffers: Sequence, Sendable {
    fileprivate let entries: [Entry]

    /// Gives buffers in their order.
    public struct Iterator: IteratorProtocol {
      fileprivate var rest: ArraySlice<Entry>
      /// The next buffer.
      public mutating func next() -> (any CMBuffer)? { rest.popFirst()?.buffer }
    }

    /// The buffers in their order.
    public func makeIterator() -> Iterator { Iterator(rest: entries[...]) }
  }
}

extension CMBufferQueue.State {
  var duration: CMTime { entries.reduce(.zero) { $0 + $1.duration } }
}
