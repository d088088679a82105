import Foundation
public import MediaCore
import Synchronization

/// Identifies a trigger of a queue.
public struct CMBufferQueueTriggerToken: Sendable, Hashable {
  fileprivate let number: Int
  /// A token is valid only for its queue.
  fileprivate let queue: ObjectIdentifier
}

/// Called when a trigger's condition becomes true.
public typealias CMBufferQueueTriggerHandler = (CMBufferQueueTriggerToken) -> Void

extension CMBufferQueue {
  /// Identifies a trigger of a queue.
  public typealias TriggerToken = CMBufferQueueTriggerToken

  /// The condition of a trigger.
  public enum TriggerCondition: Sendable, Hashable {
    case whenDurationBecomesLessThan(CMTime)
    case whenDurationBecomesLessThanOrEqualTo(CMTime)
    case whenDurationBecomesGreaterThan(CMTime)
    case whenDurationBecomesGreaterThanOrEqualTo(CMTime)
    /// ``CMBufferQueue/minPresentationTimeStamp`` changed.
    case whenMinPresentationTimeStampChanges
    /// ``CMBufferQueue/maxPresentationTimeStamp`` changed.
    case whenMaxPresentationTimeStampChanges
    /// The first buffer's data are ready.
    case whenDataBecomesReady
    /// The end of data is marked, and no buffer is left.
    case whenEndOfDataReached
    case whenReset
    case whenBufferCountBecomesLessThan(CMItemCount)
    case whenBufferCountBecomesGreaterThan(CMItemCount)
  }

  /// A condition and its last state.
  ///
  /// Unchecked: Apple's handlers need not be `Sendable`. The handler is never reassigned, and only ``fire(_:)`` calls
  /// it, on the thread that changed the queue.
  struct Trigger: @unchecked Sendable {
    let token: TriggerToken
    let condition: TriggerCondition
    let body: CMBufferQueueTriggerHandler?
    var standing: Standing
  }

  /// The state of a condition.
  enum Standing: Sendable, Equatable {
    case holds(Bool)
    /// The time whose changes fire the trigger.
    case time(CMTime)
    /// A momentary event.
    case passing
  }

  /// Installs a function to call when a condition becomes true. It runs on the thread whose call made the condition
  /// true, before that call returns. If the condition is already true, the function is called now.
  ///
  /// The function may query the queue, but must not change it.
  ///
  /// - Parameters:
  ///   - condition: The condition.
  ///   - body: The function; nil for a trigger that is only tested.
  /// - Returns: The trigger's token.
  /// - Throws: ``CMBufferQueue/Error/badTriggerDuration`` for a duration that is not numeric.
  @discardableResult
  public func installTrigger(
    condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler? = nil
  ) throws(CMBufferQueue.Error) -> TriggerToken {
    let trigger = try add(condition, body)
    call(trigger)
    return trigger.token
  }

  /// Adds a trigger; ``call(_:)`` must follow.
  func add(
    _ condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler?
  ) throws(CMBufferQueue.Error) -> Trigger {
    if let time = condition.time, !time.isNumeric { throw .badTriggerDuration }
    // See `Trigger`: Apple's handlers need not be `Sendable`.
    nonisolated(unsafe) let body = body
    return state.withLock { state in
      state.lastToken += 1
      let trigger = Trigger(
        token: TriggerToken(number: state.lastToken, queue: ObjectIdentifier(self)),
        condition: condition, body: body, standing: standing(of: condition, in: state))
      state.triggers.append(trigger)
      return trigger
    }
  }

  /// Calls a new trigger if its condition is already true.
  func call(_ trigger: Trigger) {
    if trigger.standing == .holds(true) { fire([trigger]) }
  }

  /// Removes a trigger. Its function is not called again, but another thread may still be running it.
  ///
  /// - Throws: ``CMBufferQueue/Error/invalidTriggerToken`` if the queue has no such trigger.
  public func removeTrigger(_ triggerToken: TriggerToken) throws(CMBufferQueue.Error) {
    let isKnown = state.withLock { state in
      let place = state.triggers.firstIndex { $0.token == triggerToken }
      if let place { state.triggers.remove(at: place) }
      return place != nil
    }
    guard isKnown else { throw .invalidTriggerToken }
  }

  /// True if a trigger's condition is true now; false for an unknown trigger. Conditions on changed times and resets
  /// are momentary and never true.
  public func testTrigger(_ triggerToken: TriggerToken) -> Bool {
    state.withLock { state in
      guard let trigger = state.triggers.first(where: { $0.token == triggerToken }) else {
        return false
      }
      return standing(of: trigger.condition, in: state) == .holds(true)
    }
  }

  // MARK: Changes

  /// Changes the queue, then calls the triggers whose conditions became true.
  func change<Result: Sendable>(
    isReset: Bool = false, _ body: (inout State) throws(CMBufferQueue.Error) -> Result
  ) throws(CMBufferQueue.Error) -> Result {
    let thread = UInt(pthread_self())
    let (result, fired) = try state.withLock { state throws(CMBufferQueue.Error) in
      guard !state.firing.contains(thread) else { throw .cannotModifyQueueFromTriggerCallback }
      let result = try body(&state)
      return (result, becameTrue(in: &state, isReset: isReset))
    }
    fire(fired)
    return result
  }

  /// Called when a buffer's data became ready.
  func noteReadiness() { fire(state.withLock { becameTrue(in: &$0, isReset: false) }) }

  private func becameTrue(in state: inout State, isReset: Bool) -> [Trigger] {
    var fired: [Trigger] = []
    for place in state.triggers.indices {
      let trigger = state.triggers[place]
      let now = standing(of: trigger.condition, in: state)
      state.triggers[place].standing = now
      let isDue: Bool =
        switch now {
        case .holds(let holds): holds && now != trigger.standing
        case .time: now != trigger.standing
        case .passing: isReset
        }
      if isDue, trigger.body != nil { fired.append(trigger) }
    }
    return fired
  }

  private func fire(_ triggers: [Trigger]) {
    guard !triggers.isEmpty else { return }
    let thread = UInt(pthread_self())
    state.withLock { $0.firing.append(thread) }
    for trigger in triggers where has(trigger.token) { trigger.body?(trigger.token) }
    state.withLock { state in
      if let place = state.firing.lastIndex(of: thread) { state.firing.remove(at: place) }
    }
  }

  /// False once the trigger was removed, possibly by another trigger's function.
  private func has(_ token: TriggerToken) -> Bool {
    state.withLock { $0.triggers.contains { $0.token == token } }
  }

  private func standing(of condition: TriggerCondition, in state: State) -> Standing {
    switch condition {
    case .whenDurationBecomesLessThan(let time): .holds(Self.holds(state.duration, <, time))
    case .whenDurationBecomesLessThanOrEqualTo(let time):
      .holds(Self.holds(state.duration, <=, time))
    case .whenDurationBecomesGreaterThan(let time): .holds(Self.holds(state.duration, >, time))
    case .whenDurationBecomesGreaterThanOrEqualTo(let time):
      .holds(Self.holds(state.duration, >=, time))
    case .whenMinPresentationTimeStampChanges: .time(minPresentationTime(of: state.entries))
    case .whenMaxPresentationTimeStampChanges: .time(maxPresentationTime(of: state.entries))
    case .whenDataBecomesReady: .holds(state.entries.first.map(isReady) ?? false)
    case .whenEndOfDataReached: .holds(state.isAtEnd)
    case .whenReset: .passing
    case .whenBufferCountBecomesLessThan(let count): .holds(state.entries.count < count)
    case .whenBufferCountBecomesGreaterThan(let count): .holds(state.entries.count > count)
    }
  }

  /// An unknown duration is neither less nor greater.
  private static func holds(
    _ duration: CMTime, _ compare: (CMTime, CMTime) -> Bool, _ time: CMTime
  ) -> Bool { duration.isValid && compare(duration, time) }
}

extension CMBufferQueue.TriggerCondition {
  /// The duration that the queue's is compared with.
  fileprivate var time: CMTime? {
    switch self {
    case .whenDurationBecomesLessThan(let time), .whenDurationBecomesLessThanOrEqualTo(let time),
      .whenDurationBecomesGreaterThan(let time),
      .whenDurationBecomesGreaterThanOrEqualTo(let time):
      time
    default: nil
    }
  }
}
