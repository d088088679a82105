// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// What a trigger waits for, as ``CMBufferQueue/TriggerCondition``.
public typealias CMBufferQueueTriggerCondition = Int32
/// Called when a trigger's condition becomes true.
public typealias CMBufferQueueTriggerCallback = (
  UnsafeMutableRawPointer?, CMBufferQueueTriggerToken
) -> Void

/// The queue lasts less long than a time.
public let kCMBufferQueueTrigger_WhenDurationBecomesLessThan: CMBufferQueueTriggerCondition = 1
/// The queue lasts as long as a time, or less.
public let kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo:
  CMBufferQueueTriggerCondition = 2
/// The queue lasts longer than a time.
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan: CMBufferQueueTriggerCondition = 3
/// The queue lasts as long as a time, or longer.
public let kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo:
  CMBufferQueueTriggerCondition = 4
/// The earliest time at which a buffer is shown or heard is another one.
public let kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges:
  CMBufferQueueTriggerCondition = 5
/// The latest time at which a buffer is shown or heard is another one.
public let kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges:
  CMBufferQueueTriggerCondition = 6
/// The first buffer's data are there.
public let kCMBufferQueueTrigger_WhenDataBecomesReady: CMBufferQueueTriggerCondition = 7
/// The end of the data is marked, and no buffer is left.
public let kCMBufferQueueTrigger_WhenEndOfDataReached: CMBufferQueueTriggerCondition = 8
/// The queue was reset.
public let kCMBufferQueueTrigger_WhenReset: CMBufferQueueTriggerCondition = 9
/// There are fewer buffers than a number.
public let kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan: CMBufferQueueTriggerCondition = 10
/// There are more buffers than a number.
public let kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan: CMBufferQueueTriggerCondition =
  11

extension CMBufferQueue.TriggerCondition {
  /// One of the conditions that are no numbers of buffers.
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

  /// One of the conditions that are numbers of buffers.
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
  /// Installs a trigger as Apple's calls do: the token is there before this calls the function.
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

/// Has a function called when a condition becomes true, as ``CMBufferQueue/installTrigger(condition:_:)``.
///
/// - Parameters:
///   - queue: The queue.
///   - callback: The function; nil for a trigger that is only tested.
///   - refcon: Handed to it.
///   - condition: A condition of times, data or the queue's end.
///   - time: What the queue's length is compared with; ignored by other conditions.
///   - triggerTokenOut: Set to the trigger's token, before the function is called for a condition that is
///     true already; nil if nobody wants it.
/// - Returns: ``kCMBufferQueueError_RequiredParameterMissing`` where both are nil,
///   ``kCMBufferQueueError_BadTriggerDuration`` for a time that is no number,
///   ``kCMBufferQueueError_InvalidTriggerCondition`` for a number of buffers.
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

/// Has a function called when there are fewer or more buffers than a number, as
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

/// Takes a trigger away.
///
/// - Returns: ``kCMBufferQueueError_InvalidTriggerToken`` where the queue has no such trigger.
@discardableResult
public func CMBufferQueueRemoveTrigger(
  _ queue: CMBufferQueue, triggerToken: CMBufferQueueTriggerToken
) -> OSStatus {
  CMBufferQueue.Error.status { try queue.removeTrigger(triggerToken) }
}

/// True if a trigger's condition is true now, as ``CMBufferQueue/testTrigger(_:)``.
public func CMBufferQueueTestTrigger(
  _ queue: CMBufferQueue, triggerToken: CMBufferQueueTriggerToken
) -> Bool {
  queue.testTrigger(triggerToken)
}
