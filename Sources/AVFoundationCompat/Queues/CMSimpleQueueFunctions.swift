// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// There is no memory for a queue.
public let kCMSimpleQueueError_AllocationFailed: OSStatus = -12770
/// Something is nil that must not be.
public let kCMSimpleQueueError_RequiredParameterMissing: OSStatus = -12771
/// A capacity is below 0.
public let kCMSimpleQueueError_ParameterOutOfRange: OSStatus = -12772
/// There are as many elements as the queue takes.
public let kCMSimpleQueueError_QueueIsFull: OSStatus = -12773

/// Makes a queue of addresses.
///
/// - Parameters:
///   - allocator: Ignored.
///   - capacity: The most that it takes.
///   - queueOut: Set to the queue; nil if there is none.
/// - Returns: ``kCMSimpleQueueError_ParameterOutOfRange`` for a capacity below 0.
@discardableResult
public func CMSimpleQueueCreate(
  allocator: CFAllocator?, capacity: Int32, queueOut: UnsafeMutablePointer<CMSimpleQueue?>
) -> OSStatus {
  queueOut.pointee = try? CMSimpleQueue(capacity: Int(capacity))
  return queueOut.pointee == nil ? kCMSimpleQueueError_ParameterOutOfRange : noErr
}

/// Adds an address behind the others: ``kCMSimpleQueueError_QueueIsFull`` if there is no room.
@discardableResult
public func CMSimpleQueueEnqueue(_ queue: CMSimpleQueue, element: UnsafeRawPointer) -> OSStatus {
  (try? queue.enqueue(element)) == nil ? kCMSimpleQueueError_QueueIsFull : noErr
}

/// Takes the address that came first; nil for none.
public func CMSimpleQueueDequeue(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.dequeue() }
/// The address that comes out next, and stays; nil for none.
public func CMSimpleQueueGetHead(_ queue: CMSimpleQueue) -> UnsafeRawPointer? { queue.head }
/// Forgets all addresses.
@discardableResult
public func CMSimpleQueueReset(_ queue: CMSimpleQueue) -> OSStatus {
  (try? queue.reset()) == nil ? kCMSimpleQueueError_RequiredParameterMissing : noErr
}
/// The most addresses that a queue takes.
public func CMSimpleQueueGetCapacity(_ queue: CMSimpleQueue) -> Int32 { Int32(queue.capacity) }
/// Addresses that wait.
public func CMSimpleQueueGetCount(_ queue: CMSimpleQueue) -> Int32 { Int32(queue.count) }
/// Which part of the capacity is used, from 0 to 1.
public func CMSimpleQueueGetFullness(_ queue: CMSimpleQueue) -> Float { queue.fullness }
