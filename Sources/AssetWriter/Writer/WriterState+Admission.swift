import MediaCore

/// What may be appended now, and who is waiting for that.
extension WriterState {
  /// What can stand in the way of an append to an input.
  enum AppendBlocker: Equatable {
    /// Writing as a whole.
    case phase
    case inputFinished
    case sessionNotStarted
    case sessionEnded
    case full
    /// The input is ahead of the slowest one, whose place this is.
    case tooFarAhead(of: Int)

    var isLead: Bool { if case .tooFarAhead = self { true } else { false } }
  }

  /// The most severe obstacle to an append to an input; nil for none.
  func appendBlocker(_ index: Int) -> AppendBlocker? {
    switch phase {
    case .holding(_, nil), .writing: break
    default: return .phase
    }
    if inputs[index].isFinished { return .inputFinished }
    switch session {
    case .none: return .sessionNotStarted
    case .ended: return .sessionEnded
    case .running: break
    }
    if inputs[index].isFull { return .full }
    return leadBlocker(index)
  }

  /// As ``appendBlocker(_:)``, in words for the caller.
  func appendError(_ index: Int) -> AssetWriterError? {
    guard let blocker = appendBlocker(index) else { return nil }
    let input = inputs[index]
    switch blocker {
    case .phase: return phase.statusError ?? phase.failure
    case .inputFinished:
      return AssetWriterError(
        .inputFinished, "\(input.name) was marked as finished; append before that")
    case .sessionNotStarted:
      return AssetWriterError(
        .sessionNotStarted, "no session was started; call startSession(atSourceTime:) first")
    case .sessionEnded:
      return AssetWriterError(.sessionNotStarted, "the session was ended; append before that")
    case .full:
      return AssetWriterError(
        .notReady,
        "\(input.name) has as much in its queue as it may; wait until isReadyForMoreMediaData")
    case .tooFarAhead(let slowest):
      let lead = Int(input.acceptedTime - inputs[slowest].acceptedTime)
      return AssetWriterError(
        .trackTooFarAhead,
        "\(input.name) is \(lead) s ahead of \(inputs[slowest].name); append to that, or mark it "
          + "as finished")
    }
  }

  /// A live source cannot wait: only others are held back for the sake of interleaving.
  private func leadBlocker(_ index: Int) -> AppendBlocker? {
    guard !inputs[index].isRealTime else { return nil }
    var slowest: Int?
    for other in inputs.indices where other != index && !inputs[other].isFinished {
      if let best = slowest, inputs[best].acceptedTime <= inputs[other].acceptedTime { continue }
      slowest = other
    }
    guard let slowest else { return nil }
    let lead = inputs[index].acceptedTime - inputs[slowest].acceptedTime
    return lead > configuration.interleavingLimit ? .tooFarAhead(of: slowest) : nil
  }

  // MARK: Those who wait

  /// Those who waited for an input, to be resumed without the lock.
  struct Released {
    var waiters: [CheckedContinuation<Void, Never>] = []
    var leadWaiters: [CheckedContinuation<Bool, Never>] = []
    /// Requests whose blocks are to be called.
    var calls: [MediaRequest] = []

    func resume() {
      for waiter in waiters { waiter.resume() }
      for waiter in leadWaiters { waiter.resume(returning: true) }
      for request in calls { request.call() }
    }
  }

  /// Releases waiters of inputs that have room now, and calls requests of those that are ready.
  mutating func releaseReady() -> Released {
    var released = Released()
    for index in inputs.indices {
      let readiness = inputs[index].readiness
      guard
        !readiness.waiters.isEmpty || !readiness.leadWaiters.isEmpty || readiness.request.isWaiting
      else { continue }
      let blocker = appendBlocker(index)
      if blocker != .full {
        released.waiters += readiness.waiters
        inputs[index].readiness.waiters = []
      }
      if !readiness.leadWaiters.isEmpty, blocker?.isLead != true {
        released.leadWaiters += readiness.leadWaiters.values
        inputs[index].readiness.leadWaiters = [:]
      }
      guard blocker == nil, case .waiting(let request) = readiness.request else { continue }
      inputs[index].readiness.request = .called(request, hasAppended: false)
      released.calls.append(request)
    }
    return released
  }

  /// Releases everyone: nothing will be as they wait for it. A request is called once more after a
  /// failure, to learn of it.
  mutating func releaseAll() -> Released {
    var released = Released()
    for index in inputs.indices {
      released.waiters += inputs[index].readiness.waiters
      released.leadWaiters += inputs[index].readiness.leadWaiters.values
      let request = inputs[index].readiness.request
      inputs[index].readiness = .init()
      switch request {
      case .waiting(let request) where phase.status == .failed && isAsking(index):
        inputs[index].readiness.request = .called(request, hasAppended: false)
        released.calls.append(request)
      case .called where phase.status == .failed: inputs[index].readiness.request = request
      default: break
      }
    }
    return released
  }

  /// Nothing more comes to an input: those who wait for it will be refused, and others may go on
  /// without it.
  mutating func finishInput(_ index: Int) -> Released {
    inputs[index].isFinished = true
    inputs[index].readiness.request = .none
    let own = inputs[index].readiness
    inputs[index].readiness.waiters = []
    inputs[index].readiness.leadWaiters = [:]
    var released = releaseReady()
    released.waiters += own.waiters
    released.leadWaiters += own.leadWaiters.values
    return released
  }
}
