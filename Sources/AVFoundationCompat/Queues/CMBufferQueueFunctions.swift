// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import MediaCore

/// The queue could not be allocated.
public let kCMBufferQueueError_AllocationFailed: OSStatus = -12760
/// A required argument is nil.
public let kCMBufferQueueError_RequiredParameterMissing: OSStatus = -12761
/// The callbacks' version is neither 0 nor 1.
public let kCMBufferQueueError_InvalidCMBufferCallbacksStruct: OSStatus = -12762
/// A buffer was enqueued after the end of data.
public let kCMBufferQueueError_EnqueueAfterEndOfData: OSStatus = -12763
/// The queue has reached its capacity.
public let kCMBufferQueueError_QueueIsFull: OSStatus = -12764
/// A trigger's duration is not numeric.
public let kCMBufferQueueError_BadTriggerDuration: OSStatus = -12765
/// A trigger tried to change its queue.
public let kCMBufferQueueError_CannotModifyQueueFromTriggerCallback: OSStatus = -12766
/// The condition is unknown, or takes another kind of threshold.
public let kCMBufferQueueError_InvalidTriggerCondition: OSStatus = -12767
public let kCMBufferQueueError_InvalidTriggerToken: OSStatus = -12768
/// The buffer was rejected.
public let kCMBufferQueueError_InvalidBuffer: OSStatus = -12769

extension CMBufferQueue.Error {
  /// The status that Apple's function would return.
  static func status(of call: () throws -> Void) -> OSStatus {
    do {
      try call()
      return noErr
    } catch { return (error as? Self)?.status ?? kCMBufferQueueError_InvalidBuffer }
  }
}

/// Creates a queue.
///
/// - Parameters:
///   - allocator: Ignored.
///   - capacity: The most buffers in the queue; 0 for no limit.
///   - callbacks: The callbacks for its buffers.
///   - queueOut: Set to the queue; nil on failure.
/// - Returns: ``kCMBufferQueueError_InvalidCMBufferCallbacksStruct`` for an unsupported version.
@discardableResult
public func CMBufferQueueCreate(
  allocator: CFAllocator?, capacity: CMItemCount, callbacks: UnsafePointer<CMBufferCallbacks>,
  queueOut: UnsafeMutablePointer<CMBufferQueue?>
) -> OSStatus {
  makeQueue(capacity, queueOut) { try CMBufferQueue.Handlers(callbacks.pointee) }
}

/// Creates a queue, like ``CMBufferQueueCreate(allocator:capacity:callbacks:queueOut:)``.
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

/// Adds a buffer at the end, or in the order of the comparison, after buffers that compare equal.
///
/// - Returns: ``kCMBufferQueueError_QueueIsFull``, ``kCMBufferQueueError_EnqueueAfterEndOfData``,
///   ``kCMBufferQueueError_CannotModifyQueueFromTriggerCallback``, or what the validation callback returns.
@discardableResult
public func CMBufferQueueEnqueue(_ queue: CMBufferQueue, buffer buf: any CMBuffer) -> OSStatus {
  CMBufferQueue.Error.status { try queue.enqueue(buf) }
}

/// Removes and returns the first buffer; nil if there is none.
public func CMBufferQueueDequeue(_ queue: CMBufferQueue) -> (any CMBuffer)? { queue.dequeue() }
/// Removes and returns the first buffer if its data are ready; nil otherwise.
public func CMBufferQueueDequeueIfDataReady(_ queue: CMBufferQueue) -> (any CMBuffer)? {
  queue.dequeueIfDataReady()
}
/// The buffer that is dequeued next.
public func CMBufferQueueGetHead(_ queue: CMBufferQueue) -> (any CMBuffer)? { queue.head }
/// Same as ``CMBufferQueueGetHead(_:)``: Swift retains the buffer in both.
public func CMBufferQueueCopyHead(_ queue: CMBufferQueue) -> (any CMBuffer)? { queue.head }
public func CMBufferQueueIsEmpty(_ queue: CMBufferQueue) -> Bool { queue.isEmpty }
public func CMBufferQueueGetBufferCount(_ queue: CMBufferQueue) -> CMItemCount {
  queue.bufferCount
}
/// Marks the end of data.
@discardableResult
public func CMBufferQueueMarkEndOfData(_ queue: CMBufferQueue) -> OSStatus {
  CMBufferQueue.Error.status { try queue.markEndOfData() }
}
/// True from the mark of the end of data until a reset.
public func CMBufferQueueContainsEndOfData(_ queue: CMBufferQueue) -> Bool {
  queue.containsEndOfData
}
/// True if the end of data is marked and no buffer is left.
public func CMBufferQueueIsAtEndOfData(_ queue: CMBufferQueue) -> Bool { queue.isAtEndOfData }
/// Removes all buffers and the mark of the end of data.
@discardableResult
public func CMBufferQueueReset(_ queue: CMBufferQueue) -> OSStatus {
  CMBufferQueue.Error.status { try queue.reset() }
}
/// Removes all buffers and the mark of the end of data, then calls a function with each removed buffer.
@discardableResult
public func CMBufferQueueResetWithCallback(
  _ queue: CMBufferQueue, callback: (any CMBuffer, UnsafeMutableRawPointer?) -> Void,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  CMBufferQueue.Error.status { try queue.reset { callback($0, refcon) } }
}
/// Calls a function with each buffer now in the queue, until it returns a status other than 0, which is returned.
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

/// The total duration of all buffers; 0 if empty.
public func CMBufferQueueGetDuration(_ queue: CMBufferQueue) -> CMTime { queue.duration }
/// The earliest decode time.
public func CMBufferQueueGetMinDecodeTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.minDecodeTimeStamp
}
/// The first buffer's decode time.
public func CMBufferQueueGetFirstDecodeTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.firstDecodeTimeStamp
}
/// The earliest presentation time.
public func CMBufferQueueGetMinPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.minPresentationTimeStamp
}
/// The first buffer's presentation time.
public func CMBufferQueueGetFirstPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.firstPresentationTimeStamp
}
/// The latest presentation time.
public func CMBufferQueueGetMaxPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.maxPresentationTimeStamp
}
/// The latest end of a buffer.
public func CMBufferQueueGetEndPresentationTimeStamp(_ queue: CMBufferQueue) -> CMTime {
  queue.endPresentationTimeStamp
}
/// The total size of all buffers in bytes.
public func CMBufferQueueGetTotalSize(_ queue: CMBufferQueue) -> Int { queue.totalSize }

/// Validates a buffer: returns 0 to accept it, or the status for the enqueuing function to return.
public typealias CMBufferValidationCallback = (
  CMBufferQueue, any CMBuffer, UnsafeMutableRawPointer?
) -> OSStatus
/// Validates a buffer: returns 0 to accept it, or the status for the enqueuing function to return.
public typealias CMBufferValidationHandler = (CMBufferQueue, any CMBuffer) -> OSStatus

/// Sets a callback that validates each buffer before it is enqueued.
@discardableResult
public func CMBufferQueueSetValidationCallback(
  _ queue: CMBufferQueue, callback: @escaping CMBufferValidationCallback,
  refcon: UnsafeMutableRawPointer?
) -> OSStatus {
  CMBufferQueueSetValidationHandler(queue) { callback($0, $1, refcon) }
}

/// Sets a handler that validates each buffer before it is enqueued.
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
