import Dispatch
import MediaCore
import Synchronization

/// Gives samples to a delegate on its queue and to any number of asynchronous sequences, never
/// waits for either, and tells each of what it missed.
final class SampleFanout: Sendable {
  fileprivate struct State: Sendable {
    var depth: Int
    var delegate: SampleHandler?
    /// Takes the delegate's place while there is one.
    var substitute: Substitute?
    /// Samples on the delegate's queue that it has not finished with.
    var pending = 0
    /// Samples that are held to be told as dropped.
    var pendingDrops = 0
    /// Notices of drops on the delegate's queue.
    var pendingNotices = 0
    /// What was dropped behind those, one for each reason: told when the delegate is done with them.
    var heldNotices: [DroppedSamples] = []
    var listeners: [UInt64: AsyncStream<SampleBuffer>.Continuation] = [:]
    var dropListeners: [UInt64: AsyncStream<DroppedSamples>.Continuation] = [:]
    var nextKey: UInt64 = 0

    /// Who samples go to.
    var receiver: SampleHandler? { substitute?.handler ?? delegate }
  }

  fileprivate struct Substitute: Sendable {
    let owner: ObjectIdentifier
    let handler: SampleHandler
  }

  fileprivate static let heldDrops = 2
  /// A delegate that is blocked for hours has no more notices than these in its queue.
  fileprivate static let noticeLimit = 64

  private let state: Mutex<State>
  private let delivery: any SampleDelivery

  /// A fan-out that lets each consumer be `depth` samples behind.
  ///
  /// - Parameter delivery: Brings samples to the delegate's form; sequences have them as they come.
  init(depth: Int, _ delivery: any SampleDelivery) {
    state = Mutex(State(depth: depth))
    self.delivery = delivery
  }

  /// Samples that a consumer may be behind, at least 1.
  var depth: Int {
    get { state.withLock { $0.depth } }
    set { state.withLock { $0.depth = max(newValue, 1) } }
  }

  func setDelegate(_ handler: SampleHandler?) { state.withLock { $0.delegate = handler } }

  /// Puts a handler in the delegate's place, which is kept meanwhile; nil takes out the owner's own one.
  func setSubstitute(_ handler: SampleHandler?, of owner: ObjectIdentifier) {
    state.withLock { state in
      if let handler {
        state.substitute = Substitute(owner: owner, handler: handler)
      } else if state.substitute?.owner == owner {
        state.substitute = nil
      }
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

  /// Hands on what a device says: a sample where it fits; one that does not is told as lost.
  func receive(
    _ event: CaptureEvent, from connection: CaptureConnection, fits: (SampleBuffer) -> Bool
  ) {
    switch event {
    case .sample(let sample) where fits(sample): send(sample, from: connection)
    case .sample(let sample):
      let drop = DroppedSamples(
        reason: .formatMismatch, count: sample.sampleCount,
        presentationTimeStamp: sample.presentationTimeStamp)
      lost(drop, of: sample, from: connection)
    case .lost(let count, let reason, let time):
      lost(
        DroppedSamples(reason: reason, count: count, presentationTimeStamp: time),
        from: connection)
    default: break
    }
  }

  private func send(_ sample: SampleBuffer, from connection: CaptureConnection) {
    let isDue = delivery.isDue(sample)
    let (delegate, isLate, listeners) = state.withLock {
      state -> (SampleHandler?, Bool, [AsyncStream<SampleBuffer>.Continuation]) in
      let receiver = isDue ? state.receiver.flatMap { $0.isWanted() ? $0 : nil } : nil
      let isLate = receiver != nil && state.pending >= state.depth
      if receiver != nil, !isLate { state.pending += 1 }
      return (receiver, isLate, Array(state.listeners.values))
    }
    var dropped = false
    for listener in listeners {
      if case .dropped = listener.yield(sample) { dropped = true }
    }
    if let delegate, !isLate {
      delivery.willGive(sample)
      delegate.queue.async { [self] in
        switch delivery.outcome(of: sample) {
        case .given(let made): delegate.deliver(made, connection)
        case .kept: break
        case .impossible: delegate.drop(DroppedSamples(unfit: sample), connection)
        }
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
  private func lost(
    _ drop: DroppedSamples, of sample: SampleBuffer? = nil, from connection: CaptureConnection
  ) {
    tell(drop, of: sample, from: connection, state.withLock { $0.receiver })
  }

  /// Tells the sequences, and a delegate. A sample holds the device's own memory: with more than a few of them
  /// in a delegate's queue, none is left for those that keep up.
  private func tell(
    _ drop: DroppedSamples, of sample: SampleBuffer?, from connection: CaptureConnection,
    _ delegate: SampleHandler?
  ) {
    for listener in state.withLock({ Array($0.dropListeners.values) }) { listener.yield(drop) }
    guard let delegate, let notice = state.withLock({ $0.notice(drop, of: sample) }) else { return }
    delegate.queue.async { [self] in
      delegate.drop(notice, connection)
      for held in state.withLock({ $0.didTell(notice) }) { delegate.drop(held, connection) }
    }
  }

  /// Ends every sequence, and tells the delegate that nothing comes.
  func finish() {
    let (samples, drops, receiver) = state.withLock { state in
      defer {
        state.listeners = [:]
        state.dropListeners = [:]
      }
      return (
        Array(state.listeners.values), Array(state.dropListeners.values), state.receiver
      )
    }
    if let receiver { receiver.queue.async { receiver.stop() } }
    for listener in samples { listener.finish() }
    for listener in drops { listener.finish() }
  }

  deinit { finish() }
}

extension SampleFanout.State {
  /// The notice of a drop for the delegate's queue; nil where it is told with others, later.
  fileprivate mutating func notice(
    _ drop: DroppedSamples, of sample: SampleBuffer?
  ) -> DroppedSamples? {
    guard heldNotices.isEmpty, pendingNotices < SampleFanout.noticeLimit else {
      if let place = heldNotices.firstIndex(where: { $0.reason == drop.reason }) {
        heldNotices[place].count += drop.count
      } else {
        heldNotices.append(drop)
      }
      return nil
    }
    pendingNotices += 1
    var notice = drop
    if sample != nil, pendingDrops < SampleFanout.heldDrops {
      pendingDrops += 1
      notice.sampleBuffer = sample
    }
    return notice
  }

  /// Books that the delegate was told.
  ///
  /// - Returns: What it is to be told besides: with the last notice all that was held behind them.
  fileprivate mutating func didTell(_ notice: DroppedSamples) -> [DroppedSamples] {
    pendingNotices -= 1
    if notice.sampleBuffer != nil { pendingDrops -= 1 }
    guard pendingNotices == 0 else { return [] }
    defer { heldNotices = [] }
    return heldNotices
  }
}
