public import MediaCore
import Synchronization

extension CMBufferQueue {
  /// The total duration of all buffers; 0 if empty, and invalid if a buffer's duration is unknown.
  public var duration: CMTime { state.withLock { $0.duration } }

  /// The earliest decode time; invalid if no buffer has one.
  public var minDecodeTimeStamp: CMTime { times(handlers.getDecodeTimeStamp).min() ?? .invalid }
  /// The first buffer's decode time; invalid if unknown.
  public var firstDecodeTimeStamp: CMTime { first(handlers.getDecodeTimeStamp) }
  /// The earliest presentation time; invalid if no buffer has one.
  public var minPresentationTimeStamp: CMTime {
    state.withLock { minPresentationTime(of: $0.entries) }
  }
  /// The first buffer's presentation time; invalid if unknown.
  public var firstPresentationTimeStamp: CMTime { first(handlers.getPresentationTimeStamp) }
  /// The latest presentation time; invalid if no buffer has one.
  public var maxPresentationTimeStamp: CMTime {
    state.withLock { maxPresentationTime(of: $0.entries) }
  }
  /// The latest end of a buffer; invalid if no buffer has a presentation time and a duration.
  public var endPresentationTimeStamp: CMTime {
    guard let time = handlers.getPresentationTimeStamp else { return .invalid }
    return state.withLock { state in
      state.entries.map { time($0.buffer) + $0.duration }.filter(\.isValid).max() ?? .invalid
    }
  }
  /// The total size of all buffers in bytes; 0 without a size handler.
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

  /// The buffers that are now in the queue, in order.
  public var buffers: Buffers { Buffers(entries: state.withLock { $0.entries }) }

  /// A snapshot of a queue's buffers.
  public struct Buffers: Sequence, Sendable {
    fileprivate let entries: [Entry]

    /// Iterates over the buffers in order.
    public struct Iterator: IteratorProtocol {
      fileprivate var rest: ArraySlice<Entry>
      public mutating func next() -> (any CMBuffer)? { rest.popFirst()?.buffer }
    }

    public func makeIterator() -> Iterator { Iterator(rest: entries[...]) }
  }
}

extension CMBufferQueue.State {
  var duration: CMTime { entries.reduce(.zero) { $0 + $1.duration } }
}
