import Foundation
public import MediaCore
import Synchronization

/// A trigger of a queue.
public struct CMBufferQueueTriggerToken: Sendable, Hashable {
  fileprivate let number: Int
  /// Tokens are of their own queue.
  fileprivate let queue: ObjectIdentifier
}

/// Called when a trigger's condition becomes true.
public typealias CMBufferQueueTriggerHandler = (CMBufferQueueTriggerToken) -> Void

extension CMBufferQueue {
  /// A trigger of a queue.
  public typealias TriggerToken = CMBufferQueueTriggerToken

  /// What a trigger waits for.
  public enum TriggerCondition: Sendable, Hashable {
    /// The queue lasts less long than this.
    case whenDurationBecomesLessThan(CMTime)
    /// The queue lasts as long as this, or less.
    case whenDurationBecomesLessThanOrEqualTo(CMTime)
    /// The queue lasts longer than this.
    case whenDurationBecomesGreaterThan(CMTime)
    /// The queue lasts as long as this, or longer.
    case whenDurationBecomesGreaterThanOrEqualTo(CMTime)
    /// ``CMBufferQueue/minPresentationTimeStamp`` is another one.
    case whenMinPresentationTimeStampChanges
    /// ``CMBufferQueue/maxPresentationTimeStamp`` is another one.
    case whenMaxPresentationTimeStampChanges
    /// The first buffer's data are there.
    case whenDataBecomesReady
    /// The end of the data is marked, and no buffer is left.
    case whenEndOfDataReached
    /// The queue was reset.
    case whenReset
    /// There are fewer buffers than this.
    case whenBufferCountBecomesLessThan(CMItemCount)
    /// There are more buffers than this.
    case whenBufferCountBecomesGreaterThan(CMItemCount)
  }

  /// A condition, and how it stood.
  ///
  /// Unchecked because Apple's handlers need not be `Sendable`: only ``fire(_:)`` calls it, on the thread that
  /// changed the queue, and nobody sets it again.
  struct Trigger: @unchecked Sendable {
    let token: TriggerToken
    let condition: TriggerCondition
    let body: CMBufferQueueTriggerHandler?
    var standing: Standing
  }

  /// How a condition stands.
  enum Standing: Sendable, Equatable {
    /// True or not.
    case holds(Bool)
    /// The time whose changes are told.
    case time(CMTime)
    /// An event, which passes.
    case passing
  }

  /// Has a function called when a condition becomes true: on the thread whose call made it so, before that call
  /// returns. Where the condition is true already it is called now.
  ///
  /// The function may ask the queue, but not change it.
  ///
  /// - Parameters:
  ///   - condition: What is waited for.
  ///   - body: The function; nil for a trigger that is only tested.
  /// - Returns: What names the trigger.
  /// - Throws: ``CMBufferQueue/Error/badTriggerDuration`` for a time that is no number.
  @discardableResult
  public func installTrigger(
    condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler? = nil
  ) throws(CMBufferQueue.Error) -> TriggerToken {
    let trigger = try add(condition, body)
    call(trigger)
    return trigger.token
  }

  /// Adds a trigger, which ``call(_:)`` has yet to be asked for.
  func add(
    _ condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler?
  ) throws(CMBufferQueue.Error) -> Trigger {
    if let time = condition.time, !time.isNumeric { throw .badTriggerDuration }
    // Apple's handler need not be `Sendable`: see `Trigger`.
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

  /// Calls a new trigger where its condition is true already.
  func call(_ trigger: Trigger) {
    if trigger.standing == .holds(true) { fire([trigger]) }
  }

  /// Takes a trigger away: its function is not called any more, but that another thread may be calling it now.
  ///
  /// - Throws: ``CMBufferQueue/Error/invalidTriggerToken`` where the queue has no such trigger.
  public func removeTrigger(_ triggerToken: TriggerToken) throws(CMBufferQueue.Error) {
    let isKnown = state.withLock { state in
      let place = state.triggers.firstIndex { $0.token == triggerToken }
      if let place { state.triggers.remove(at: place) }
      return place != nil
    }
    guard isKnown else { throw .invalidTriggerToken }
  }

  /// True if a trigger's condition is true now. Changes of a time and resets are events, which are never true;
  /// nor is a trigger that the queue does not have.
  public func testTrigger(_ triggerToken: TriggerToken) -> Bool {
    state.withLock { state in
      guard let trigger = state.triggers.first(where: { $0.token == triggerToken }) else {
        return false
      }
      return standing(of: trigger.condition, in: state) == .holds(true)
    }
  }

  // MARK: Changes

  /// Changes the queue, and then calls the triggers whose conditions became true.
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

  /// Some buffer's data are there.
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

  /// False once the trigger was taken away, as by the function of another one.
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

  /// A length that is not known is neither less nor greater.
  private static func holds(
    _ duration: CMTime, _ compare: (CMTime, CMTime) -> Bool, _ time: CMTime
  ) -> Bool { duration.isValid && compare(duration, time) }
}

extension CMBufferQueue.TriggerCondition {
  /// The length that the queue's is compared with.
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
