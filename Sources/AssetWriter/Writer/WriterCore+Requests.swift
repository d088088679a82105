import Dispatch
import MediaCore

/// Programs that are asked for samples.
extension WriterCore {
  /// Calls `block` on a queue whenever an append would be taken: never twice at once, and again
  /// after it returned, until the input is finished or writing ends. It is called once more after a
  /// failure. Takes the place of an earlier request.
  func request(
    _ index: Int, on queue: DispatchQueue, _ block: @escaping @Sendable () -> Void
  ) {
    let request = MediaRequest(on: queue) { [weak self] request in
      self?.run(block, of: request, index)
    }
    let released = shared.withLock { state in
      guard state.isAsking(index) else { return WriterState.Released() }
      if state.phase.status == .failed {
        // Asked for after a failure: called for it all the same.
        state.inputs[index].readiness.request = .called(request, hasAppended: false)
        return WriterState.Released(calls: [request])
      }
      state.inputs[index].readiness.request = .waiting(request)
      return state.releaseReady()
    }
    released.resume()
  }

  private func run(_ block: () -> Void, of request: MediaRequest, _ index: Int) {
    guard shared.withLock({ $0.begin(request, of: index) }) else { return }
    block()
    switch shared.withLock({ $0.didReturn(request, of: index) }) {
    case .none: break
    case .now: request.call()
    case .later: request.callLater()
    }
  }
}

extension WriterState {
  /// When a block is to be called that has returned.
  enum NextCall {
    /// When the input takes samples again, or never.
    case none
    case now
    case later
  }

  /// True while samples of an input are asked for: it is not finished, and writing neither finished
  /// nor cancelled.
  func isAsking(_ index: Int) -> Bool {
    guard !inputs[index].isFinished, !phase.isCancelling else { return false }
    return switch phase.status {
    case .unknown, .writing, .failed: true
    case .completed, .cancelled: false
    }
  }

  /// True where a request's block is to run now.
  mutating func begin(_ request: MediaRequest, of index: Int) -> Bool {
    guard case .called(let current, _) = inputs[index].readiness.request, current === request
    else { return false }
    guard isAsking(index) else {
      inputs[index].readiness.request = .none
      return false
    }
    if phase.status == .failed {
      inputs[index].readiness.request = .none
      return true
    }
    let isReady = appendBlocker(index) == nil
    inputs[index].readiness.request =
      isReady ? .called(request, hasAppended: false) : .waiting(request)
    return isReady
  }

  /// Says when a request's block, which has run, is to run again.
  mutating func didReturn(_ request: MediaRequest, of index: Int) -> NextCall {
    guard case .called(let current, let hasAppended) = inputs[index].readiness.request,
      current === request
    else { return .none }
    guard isAsking(index) else {
      inputs[index].readiness.request = .none
      return .none
    }
    if phase.status == .failed { return .now }
    if appendBlocker(index) != nil {
      inputs[index].readiness.request = .waiting(request)
      return .none
    }
    return hasAppended ? .now : .later
  }

  /// Notes that an input took a sample.
  mutating func noteAppend(to index: Int) {
    if case .called(let request, hasAppended: false) = inputs[index].readiness.request {
      inputs[index].readiness.request = .called(request, hasAppended: true)
    }
  }
}
