import Dispatch
import MediaCore
import Synchronization

/// Gives samples to a delegate on its queue and to any number of asynchronous sequences, never
/// waits for either, and tells each of what it missed.
final class SampleFanout: Sendable {
  typealias Deliver = @Sendable (SampleBuffer, CaptureConnection) -> Void
  typealias Drop = @Sendable (DroppedSamples, CaptureConnection) -> Void

  private struct Delegate: Sendable {
    var queue: DispatchQueue
    var deliver: Deliver
    var drop: Drop
  }

  private struct State: Sendable {
    var depth: Int
    var delegate: Delegate?
    /// Samples on the delegate's queue that it has not finished with.
    var pending = 0
    /// Samples that are held to be told as dropped.
    var pendingDrops = 0
    var listeners: [UInt64: AsyncStream<SampleBuffer>.Continuation] = [:]
    var dropListeners: [UInt64: AsyncStream<DroppedSamples>.Continuation] = [:]
    var nextKey: UInt64 = 0
  }

  private let state: Mutex<State>

  /// A fan-out that lets each consumer be `depth` samples behind.
  init(depth: Int) { state = Mutex(State(depth: depth)) }

  /// Samples that a consumer may be behind, at least 1.
  var depth: Int {
    get { state.withLock { $0.depth } }
    set { state.withLock { $0.depth = max(newValue, 1) } }
  }

  func setDelegate(queue: DispatchQueue?, deliver: Deliver?, drop: Drop?) {
    state.withLock { state in
      guard let queue, let deliver, let drop else {
        state.delegate = nil
        return
      }
      state.delegate = Delegate(queue: queue, deliver: deliver, drop: drop)
    }
  }

  var queue: DispatchQueue? { state.withLock { $0.delegate?.queue } }

  /// Samples from now on; a listener that is `depth` behind loses what comes.
  func samples() -> AsyncStream<SampleBuffer> {
    AsyncStream(bufferingPolicy: .bufferingOldest(depth)) { continuation in
      let key = state.withLock { state in
        state.nextKey += 1
        state.listeners[state.nextKey] = continuation
        return state.nextKey
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: key) }
      }
    }
  }

  /// What is dropped from now on, for the delegate, for a sequence, or by the device.
  func drops() -> AsyncStream<DroppedSamples> {
    AsyncStream(bufferingPolicy: .bufferingOldest(1024)) { continuation in
      let key = state.withLock { state in
        state.nextKey += 1
        state.dropListeners[state.nextKey] = continuation
        return state.nextKey
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.dropListeners.removeValue(forKey: key) }
      }
    }
  }

  func send(_ sample: SampleBuffer, from connection: CaptureConnection) {
    let (delegate, isLate, listeners) = state.withLock {
      state -> (Delegate?, Bool, [AsyncStream<SampleBuffer>.Continuation]) in
      let isLate = state.delegate != nil && state.pending >= state.depth
      if state.delegate != nil, !isLate { state.pending += 1 }
      return (state.delegate, isLate, Array(state.listeners.values))
    }
    var dropped = false
    for listener in listeners {
      if case .dropped = listener.yield(sample) { dropped = true }
    }
    if let delegate, !isLate {
      delegate.queue.async { [self] in
        delegate.deliver(sample, connection)
        state.withLock { $0.pending -= 1 }
      }
    }
    guard dropped || isLate else { return }
    let drop = DroppedSamples(
      reason: .lateData, count: sample.sampleCount,
      presentationTimeStamp: sample.presentationTimeStamp)
    tell(drop, of: sample, from: connection, isLate ? delegate : nil)
  }

  /// Tells of samples that the device lost, or of one that came and cannot be given.
  func lost(
    _ drop: DroppedSamples, of sample: SampleBuffer? = nil, from connection: CaptureConnection
  ) {
    tell(drop, of: sample, from: connection, state.withLock { $0.delegate })
  }

  /// Tells the sequences, and a delegate. A sample holds the device's own memory: with more than a few of them
  /// in a delegate's queue, none is left for those that keep up.
  private func tell(
    _ drop: DroppedSamples, of sample: SampleBuffer?, from connection: CaptureConnection,
    _ delegate: Delegate?
  ) {
    for listener in state.withLock({ Array($0.dropListeners.values) }) { listener.yield(drop) }
    guard let delegate else { return }
    let holds = state.withLock { state in
      guard sample != nil, state.pendingDrops < Self.heldDrops else { return false }
      state.pendingDrops += 1
      return true
    }
    guard holds else { return delegate.queue.async { delegate.drop(drop, connection) } }
    var whole = drop
    whole.sampleBuffer = sample
    delegate.queue.async { [self, whole] in
      delegate.drop(whole, connection)
      state.withLock { $0.pendingDrops -= 1 }
    }
  }

  private static let heldDrops = 2

  /// Ends every sequence.
  func finish() {
    let (samples, drops) = state.withLock { state in
      defer {
        state.listeners = [:]
        state.dropListeners = [:]
      }
      return (Array(state.listeners.values), Array(state.dropListeners.values))
    }
    for listener in samples { listener.finish() }
    for listener in drops { listener.finish() }
  }

  deinit { finish() }
}
