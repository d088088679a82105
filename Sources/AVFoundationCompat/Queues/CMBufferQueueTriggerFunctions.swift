// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// A trigger condition, see ``CMBufferQueue/TriggerCondition``.
public typealias CMBufferQueueTriggerCondition = Int32
/// Called when a trigger's condition becomes true.
public typealias CMBufferQueueTriggerCallback = (
  UnsafeMutableRawPointer?, CMBufferQueueTriggerToken
) -> Void

public let kCMBufferQueueTrigger_WhenDurationBecomesLessThan: CMBufferQueueTriggerCondition = 1
public let kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo:
  CMBufferQueueTriggerCondition = 2
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan: CMBufferQueueTriggerCondition = 3
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo:
  CMBufferQueueTriggerCondition = 4
/// The earliest presentation time changed.
public let kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges:
  CMBufferQueueTriggerCondition = 5
/// The latest presentation time changed.
public let kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges:
  CMBufferQueueTriggerCondition = 6
/// The first buffer's data are ready.
public let kCMBufferQueueTrigger_WhenDataBecomesReady: CMBufferQueueTriggerCondition = 7
/// The end of data is marked, and no buffer is left.
public let kCMBufferQueueTrigger_WhenEndOfDataReached: CMBufferQueueTriggerCondition = 8
public let kCMBufferQueueTrigger_WhenReset: CMBufferQueueTriggerCondition = 9
public let kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan: CMBufferQueueTriggerCondition = 10
public let kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan: CMBufferQueueTriggerCondition =
  11

extension CMBufferQueue.TriggerCondition {
  /// A condition without a buffer count.
  fileprivate init(
    _ number: CMBufferQueueTriggerCondition, time: CMTime
  ) throws(CMBufferQueue.Error) {
    self =
      switch number {
      case kCMBufferQueueTrigger_WhenDurationBecomesLessThan: .whenDurationBecomesLessThan(time)
      case kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo:
        .whenDurationBecomesLessThanOrEqualTo(time)
      case kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan:
        .whenDurationBecomesGreaterThan(time)
      case kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo:
        .whenDurationBecomesGreaterThanOrEqualTo(time)
      case kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges:
        .whenMinPresentationTimeStampChanges
      case kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges:
        .whenMaxPresentationTimeStampChanges
      case kCMBufferQueueTrigger_WhenDataBecomesReady: .whenDataBecomesReady
      case kCMBufferQueueTrigger_WhenEndOfDataReached: .whenEndOfDataReached
      case kCMBufferQueueTrigger_WhenReset: .whenReset
      default: throw .invalidTriggerCondition
      }
  }

  /// A condition with a buffer count.
  fileprivate init(
    _ number: CMBufferQueueTriggerCondition, count: CMItemCount
  ) throws(CMBufferQueue.Error) {
    self =
      switch number {
      case kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan:
        .whenBufferCountBecomesLessThan(count)
      case kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan:
        .whenBufferCountBecomesGreaterThan(count)
      default: throw .invalidTriggerCondition
      }
  }
}

extension CMBufferQueue {
  /// Installs a trigger like Apple's functions: the token is set before the function is called.
  fileprivate func install(
    _ condition: TriggerCondition, _ body: CMBufferQueueTriggerHandler?,
    _ tokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?
  ) throws(CMBufferQueue.Error) {
    guard body != nil || tokenOut != nil else { throw .requiredParameterMissing }
    let trigger = try add(condition, body)
    tokenOut?.pointee = trigger.token
    call(trigger)
  }
}

/// Installs a function to call when a condition becomes true, see ``CMBufferQueue/installTrigger(condition:_:)``.
///
/// - Parameters:
///   - queue: The queue.
///   - callback: The function; nil for a trigger that is only tested.
///   - refcon: Passed to the function.
///   - condition: A condition without a buffer count.
///   - time: The duration to compare with; ignored by other conditions.
///   - triggerTokenOut: Set to the trigger's token before the function is called for a condition that is already
///     true; may be nil.
/// - Returns: ``kCMBufferQueueError_RequiredParameterMissing`` if both function and token are nil,
///   ``kCMBufferQueueError_BadTriggerDuration`` for a duration that is not numeric,
///   ``kCMBufferQueueError_InvalidTriggerCondition`` for a condition with a buffer count.
@discardableResult
public func CMBufferQueueInstallTrigger(
  _ queue: CMBufferQueue, callback: CMBufferQueueTriggerCallback?,
  refcon: UnsafeMutableRawPointer?, condition: CMBufferQueueTriggerCondition, time: CMTime,
  triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?
) -> OSStatus {
  CMBufferQueueInstallTriggerHandler(
    queue, condition, time, triggerTokenOut,
    callback.map { body in { body(refcon, $0) } })
}

/// Installs a function to call when the buffer count passes a threshold, like
/// ``CMBufferQueueInstallTrigger(_:callback:refcon:condition:time:triggerTokenOut:)``.
@discardableResult
public func CMBufferQueueInstallTriggerWithIntegerThreshold(
  _ queue: CMBufferQueue, callback: CMBufferQueueTriggerCallback?,
  refcon: UnsafeMutableRawPointer?, condition: CMBufferQueueTriggerCondition,
  threshold: CMItemCount, triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?
) -> OSStatus {
  CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(
    queue, condition, threshold, triggerTokenOut,
    callback.map { body in { body(refcon, $0) } })
}

/// Same as ``CMBufferQueueInstallTrigger(_:callback:refcon:condition:time:triggerTokenOut:)``.
@discardableResult
public func CMBufferQueueInstallTriggerHandler(
  _ queue: CMBufferQueue, _ condition: CMBufferQueueTriggerCondition, _ time: CMTime,
  _ triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?,
  _ handler: CMBufferQueueTriggerHandler?
) -> OSStatus {
  CMBufferQueue.Error.status {
    try queue.install(
      CMBufferQueue.TriggerCondition(condition, time: time), handler, triggerTokenOut)
  }
}

/// Same as ``CMBufferQueueInstallTriggerWithIntegerThreshold(_:callback:refcon:condition:threshold:triggerTokenOut:)``.
@discardableResult
public func CMBufferQueueInstallTriggerHandlerWithIntegerThreshold(
  _ queue: CMBufferQueue, _ condition: CMBufferQueueTriggerCondition, _ threshold: CMItemCount,
  _ triggerTokenOut: UnsafeMutablePointer<CMBufferQueueTriggerToken?>?,
  _ handler: CMBufferQueueTriggerHandler?
) -> OSStatus {
  CMBufferQueue.Error.status {
    try queue.install(
      CMBufferQueue.TriggerCondition(condition, count: threshold), handler, triggerTokenOut)
  }
}

/// Removes a trigger.
///
/// - Returns: ``kCMBufferQueueError_InvalidTriggerToken`` if the queue has no such trigger.
@discardableResult
public func CMBufferQueueRemoveTrigger(
  _ queue: CMBufferQueue, triggerToken: CMBufferQueueTriggerToken
) -> OSStatus {
  CMBufferQueue.Error.status { try queue.removeTrigger(triggerToken) }
}

/// True if a trigger's condition is true now, see ``CMBufferQueue/testTrigger(_:)``.
public func CMBufferQueueTestTrigger(
  _ queue: CMBufferQueue, triggerToken: CMBufferQueueTriggerToken
) -> Bool {
  queue.testTrigger(triggerToken)
}
