public import Dispatch
public import MediaCore
import Synchronization

/// The source ranges of an encoding pass.
public final class AVAssetWriterInputPassDescription: Sendable, ComparedByIdentity {
  /// One range that covers all times.
  public let sourceTimeRanges: [CMTimeRange] = [
    CMTimeRange(start: .zero, duration: .positiveInfinity)
  ]

  init() {}
}

/// There is one pass, in which every frame is encoded: a program that loops over passes runs its loop once.
extension AVAssetWriterInput {
  public var canPerformMultiplePasses: Bool { false }

  /// All of the source, from the writer's start until ``markCurrentPassAsFinished()``; nil before and after. The
  /// program then calls ``markAsFinished()``.
  public var currentPassDescription: AVAssetWriterInputPassDescription? {
    state.withLock { $0.pass.description }
  }

  /// Marks the pass as finished, after all of its samples were appended. ``isReadyForMoreMediaData`` is false from
  /// then on.
  public func markCurrentPassAsFinished() {
    let response = state.withLock { state -> PassResponse? in
      guard state.pass.description != nil else { return nil }
      state.pass.description = nil
      state.pass.isFinished = true
      return state.pass.response.take()
    }
    response?.call()
  }

  /// Calls `block` on a queue when the pass starts (with the writer, or immediately if it has already started), and
  /// again when it has ended, with a ``currentPassDescription`` of nil. The block is released then, or when the input
  /// is finished.
  public func respondToEachPassDescription(
    on queue: DispatchQueue, using block: @escaping @Sendable () -> Void
  ) {
    let response = PassResponse(queue: queue, block: block)
    let (isUnderWay, _) = state.withLock { state -> (Bool, PassResponse?) in
      guard !state.pass.isFinished else { return (false, nil) }
      // Release a program's block outside of the lock, because its deinitialization may call the input.
      let before = state.pass.response
      state.pass.response = response
      return (state.pass.description != nil, before)
    }
    if isUnderWay { response.call() }
  }

  /// Called when the writer has started.
  func beginPass() {
    let response = state.withLock { state -> PassResponse? in
      guard state.pass.description == nil, !state.pass.isFinished else { return nil }
      state.pass.description = AVAssetWriterInputPassDescription()
      return state.pass.response
    }
    response?.call()
  }

  /// The state of the pass.
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
