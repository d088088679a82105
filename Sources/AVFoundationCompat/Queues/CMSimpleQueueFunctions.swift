// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The queue could not be allocated.
public let kCMSimpleQueueError_AllocationFailed: OSStatus = -12770
/// A required argument is nil.
public let kCMSimpleQueueError_RequiredParameterMissing: OSStatus = -12771
/// The capacity is negative.
public let kCMSimpleQueueError_ParameterOutOfRange: OSStatus = -12772
/// The queue has reached its capacity.
public let kCMSimpleQueueError_QueueIsFull: OSStatus = -12773

/// Creates a queue of pointers.
///
/// - Parameters:
///   - allocator: Ignored.
///   - capacity: The most pointers in the queue.
///   - queueOut: Set to the queue; nil on failure.
/// - Returns: ``kCMSimpleQueueError_ParameterOutOfRange`` for a negative capacity.
@discardableResult
public func CMSimpleQueueCreate(
  allocator: CFAllocator?, capacity: Int32, queueOut: UnsafeMutablePointer<CMSimpleQueue?>
) -> OSStatus {
  queueOut.pointee = try? CMSimpleQueue(capacity: Int(capacity))
  return queueOut.pointee == nil ? kCMSimpleQueueError_ParameterOutOfRange : noErr
}

/// Adds a pointer at the end. Returns ``kCMSimpleQueueError_QueueIsFull`` if the queue is full.
@discardableResult
public func CMSimpleQueueEnqueue(_ queue: CMSimpleQueue, element: UnsafeRawPointer) -> OSStatus {
  (try? queue.enqueue(element)) == nil ? kCMSimpleQueueError_QueueIsFull : noErr
}

/// Removes and returns the first pointer; nil for none.
public func CMSimpleQueueDequeue(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.dequeue() }
/// The pointer that is dequeued next; nil for none.
public func CMSimpleQueueGetHead(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.head }
/// Removes all pointers.
@discardableResult
public func CMSimpleQueueReset(_ queue: CMSimpleQueue) -> OSStatus {
  (try? queue.reset()) == nil ? kCMSimpleQueueError_RequiredParameterMissing : noErr
}
/// The most pointers in a queue.
public func CMSimpleQueueGetCapacity(_ queue: CMSimpleQueue) -> Int32 { Int32(queue.capacity) }
/// The number of pointers in the queue.
public func CMSimpleQueueGetCount(_ queue: CMSimpleQueue) -> Int32 { Int32(queue.count) }
/// The fraction of the capacity that is used, from 0 to 1.
public func CMSimpleQueueGetFullness(_ queue: CMSimpleQueue) -> Float { queue.fullness }
