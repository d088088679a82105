// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// There is no memory for a queue.
public let kCMBufferQueueError_AllocationFailed: OSStatus = -12760
/// Something is nil that must not be.
public let kCMBufferQueueError_RequiredParameterMissing: OSStatus = -12761
/// Callbacks are of another version than 0 and 1.
public let kCMBufferQueueError_InvalidCMBufferCallbacksStruct: OSStatus = -12762
/// A buffer comes behind the end of the data.
public let kCMBufferQueueError_EnqueueAfterEndOfData: OSStatus = -12763
/// There are as many buffers as the queue takes.
public let kCMBufferQueueError_QueueIsFull: OSStatus = -12764
/// A trigger's time is no number.
public let kCMBufferQueueError_BadTriggerDuration: OSStatus = -12765
/// A trigger changes its queue.
public let kCMBufferQueueError_CannotModifyQueueFromTriggerCallback: OSStatus = -12766
/// There is no such condition, or it takes another threshold.
public let kCMBufferQueueError_InvalidTriggerCondition: OSStatus = -12767
/// The queue has no such trigger.
public let kCMBufferQueueError_InvalidTriggerToken: OSStatus = -12768
/// A buffer is refused.
public let kCMBufferQueueError_InvalidBuffer: OSStatus = -12769

extension CMBufferQueue.Error {
  /// What Apple's call returns.
  static func status(of call: () throws -> Void) -> OSStatus {
    do {
      try call()
      return noErr
    } catch { return (error as? Self)?.status ?? kCMBufferQueueError_InvalidBuffer }
  }
}

/// Makes a queue.
///
/// - Parameters:
///   - allocator: Ignored.
///   - capacity: The most buffers that it takes; 0 for no limit.
///   - callbacks: What it asks of buffers.
///   - queueOut: Set to the queue; nil if there is none.
/// - Returns: ``kCMBufferQueueError_InvalidCMBufferCallbacksStruct`` for callbacks of another version.
@discardableResult
public func CMBufferQueueCreate(
  allocator: CFAllocator?, capacity: CMItemCount, callbacks: UnsafePointer<CMBufferCallbacks>,
  queueOut: UnsafeMutablePointer<CMBufferQueue?>
) -> OSStatus {
  makeQueue(capacity, queueOut) { try CMBufferQueue.Handlers(callbacks.pointee) }
}

/// Makes a queue, as ``CMBufferQueueCreate(allocator:capacity:callbacks:queueOut:)``.
@discardableResult
public func CMBufferQueueCreateWithHandlers(
  _ allocator: CFAllocator?, _ capacity: CMItemCount, _ handlers: UnsafePointer<CMBufferHandlers>,
  _ queueOut: UnsafeMutablePointer<CMBufferQueue?>
) -> OSStatus {
  makeQueue(capacity, queueOut) { try CMBufferQueue.Handlers(handlers.pointee) }
}

private func makeQueue(
  _ capacity: CMItemCount, _ queueOut: UnsafeMutablePointer<CMBufferQueue?>,
  _ handlers: () throws -> CMBufferQueue.Handlers
) -> OSStatus {
  queueOut.pointee = nil
  return CMBufferQueue.Error.status {
    queueOut.pointee = try CMBufferQueue(capacity: capacity, handlers: handlers())
  }
}

/// Takes a buffer: behind all others, or behind the last one that the comparison does not put after it.
///
/// - Returns: ``kCMBufferQueueError_QueueIsFull``, ``kCMBufferQueueError_EnqueueAfterEndOfData``,
///   ``kCMBufferQueueError_CannotModifyQueueFromTriggerCallback``, or what the validation callback returns.
@discardableResult
public func CMBufferQueueEnqueue(_ queue: CMBufferQueue, buffer buf: any CMBuffer) -> OSStatus {
  CMBufferQueue.Error.status { try queue.enqueue(buf) }
}

/// Gives the first buffer away; nil if there is none.
public func CMBufferQueueDequeue(_ queue: CMBufferQueue) -> (any CMBuffer)? { queue.dequeue() }
/// Gives the first buffer away where its data are ready; nil otherwise.
public func CMBufferQueueDequeueIfDataReady(_ queue: CMBufferQueue) -> (any CMBuffer)? {
  queue.dequeueIfDataReady()
}
/// The buffer that is given away next.
public func CMBufferQueueGetHead(_ queue: CMBufferQueue) -> (any CMBuffer)? { queue.head }
/// The same as ``CMBufferQueueGetHead(_:)``: Swift retains the buffer in both.
public func CMBufferQueueCopyHead(_ queue: CMBufferQueue) -> (any CMBuffer)? { queue.head }
/// True without buffers.
public func CMBufferQueueIsEmpty(_ queue: CMBufferQueue) -> Bool { queue.isEmpty }
/// How many buffers there are.
public func CMBufferQueueGetBufferCount(_ queue: CMBufferQueue) -> CMItemCount {
  queue.bufferCount
}
/// Says that nothing more comes.
@discardableResult
public func CMBufferQueueMarkEndOfData(_ queue: CMBufferQueue) -> OSStatus {
  CMBufferQueue.Error.status { try queue.markEndOfData() }
}
/// True once the end of the data is marked, until a reset.
public func CMBufferQueueContainsEndOfData(_ queue: CMBufferQueue) -> Bool {
  queue.containsEndOfData
}
/// True if the end of the data is marked and no buffer is left.
public func CMBufferQueueIsAtEndOfData(_ queue: CMBufferQueue) -> Bool { queue.isAtEndOfData }
/// Lets all buffers go, and takes new ones again.
@discardableResult
public func CMBufferQueueReset(_ queue: CMBufferQueue) -> OSStatus {
  CMBufferQueue.Error.status { try queue.reset() }
}
/// Lets all buffers go, and takes new ones again; calls a function with each of the old ones.
@discardableResult
public func CMBufferQueueResetWithCallback(
  _ queue: CMBufferQueue, callback: (any CMBuffer, UnsafeMutableRawPointer?) -> Void,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  CMBufferQueue.Error.status { try queue.reset { callback($0, refcon) } }
}
/// Calls a function with each buffer that is in the queue now, until it returns another number than 0, which is
/// returned.
@discardableResult
public func CMBufferQueueCallForEachBuffer(
  _ queue: CMBufferQueue, callback: (any CMBuffer, UnsafeMutableRawPointer?) -> OSStatus,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  for buffer in queue.buffers {
    let status = callback(buffer, refcon)
    if status != noErr { return status }
  }
  return noErr
}

/// How long all buffers last together; 0 without any.
public func CMBufferQueueGetDuration(_ queue: CMBufferQueue) -> CMTime { queue.duration }
/// The earliest time at which a buffer is decoded.
public func CMBufferQueueGetMinDecodeTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.minDecodeTimeStamp
}
/// When the first buffer is decoded.
public func CMBufferQueueGetFirstDecodeTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.firstDecodeTimeStamp
}
/// The earliest time at which a buffer is shown or heard.
public func CMBufferQueueGetMinPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.minPresentationTimeStamp
}
/// When the first buffer is shown or heard.
public func CMBufferQueueGetFirstPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.firstPresentationTimeStamp
}
/// The latest time at which a buffer is shown or heard.
public func CMBufferQueueGetMaxPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.maxPresentationTimeStamp
}
/// When the last one of all buffers is over.
public func CMBufferQueueGetEndPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.endPresentationTimeStamp
}
/// Bytes of all buffers.
public func CMBufferQueueGetTotalSize(_ queue: CMBufferQueue) -> Int { queue.totalSize }

/// Tests a buffer: 0 where it is taken, else what enqueuing returns.
public typealias CMBufferValidationCallback = (
  CMBufferQueue, any CMBuffer, UnsafeMutableRawPointer?
) -> OSStatus
/// Tests a buffer: 0 where it is taken, else what enqueuing returns.
public typealias CMBufferValidationHandler = (CMBufferQueue, any CMBuffer) -> OSStatus

/// Has a function test each buffer before it is taken.
@discardableResult
public func CMBufferQueueSetValidationCallback(
  _ queue: CMBufferQueue, callback: @escaping CMBufferValidationCallback,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  CMBufferQueueSetValidationHandler(queue) { callback($0, $1, refcon) }
}

/// Has a function test each buffer before it is taken.
@discardableResult
public func CMBufferQueueSetValidationHandler(
  _ queue: CMBufferQueue, _ handler: @escaping CMBufferValidationHandler
) -> OSStatus {
  queue.setValidationHandler { queue, buffer in
    let status = handler(queue, buffer)
    if status != noErr { throw CMBufferQueue.Error(status: status) }
  }
  return noErr
}
