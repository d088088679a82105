public import Dispatch
public import MediaCore
import Synchronization

/// What of a source a pass of encoding takes.
public final class AVAssetWriterInputPassDescription: Sendable, ComparedByIdentity {
  /// One range, of all times.
  public let sourceTimeRanges: [CMTimeRange] = [
    CMTimeRange(start: .zero, duration: .positiveInfinity)
  ]

  init() {}
}

/// One pass, in which every frame is encoded once: a program that asks for several goes through its loop one time.
extension AVAssetWriterInput {
  /// False.
  public var canPerformMultiplePasses: Bool { false }

  /// All of the source, from the writer's start until ``markCurrentPassAsFinished()``; nil before, and after: then
  /// nothing more is asked for, and the program calls ``markAsFinished()``.
  public var currentPassDescription: AVAssetWriterInputPassDescription? {
    state.withLock { $0.pass.description }
  }

  /// Says that the program has appended what the pass asked for. ``isReadyForMoreMediaData`` is false from then on.
  public func markCurrentPassAsFinished() {
    let response = state.withLock { state -> PassResponse? in
      guard state.pass.description != nil else { return nil }
      state.pass.description = nil
      state.pass.isFinished = true
      return state.pass.response.take()
    }
    response?.call()
  }

  /// Calls `block` on a queue when the pass begins, at the writer's start or at once where that was before, and again
  /// when it has ended, with ``currentPassDescription`` of nil. It is let go then, or with the end of the input.
  public func respondToEachPassDescription(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    let response = PassResponse(queue: queue, block: block)
    let (isUnderWay, _) = state.withLock { state -> (Bool, PassResponse?) in
      guard !state.pass.isFinished else { return (false, nil) }
      // What a program gave is let go outside of the lock: its end may call the input.
      let before = state.pass.response
      state.pass.response = response
      return (state.pass.description != nil, before)
    }
    if isUnderWay { response.call() }
  }

  /// The writer has started.
  func beginPass() {
    let response = state.withLock { state -> PassResponse? in
      guard state.pass.description == nil, !state.pass.isFinished else { return nil }
      state.pass.description = AVAssetWriterInputPassDescription()
      return state.pass.response
    }
    response?.call()
  }

  /// How far the pass is.
  struct Pass: Sendable {
    var description: AVAssetWriterInputPassDescription?
    var isFinished = false
    var response: PassResponse?
  }

  struct PassResponse: Sendable {
    let queue: DispatchQueue
    let block: @Sendable () -> Void

    func call() { queue.async(execute: block) }
  }
}
