import Synchronization

/// A first-in, first-out queue of pointers with a fixed capacity. The program owns what they point to, which must
/// outlive its place in the queue. It may be used from any thread.
public final class CMSimpleQueue: Sendable, ComparedByIdentity {
  /// The most pointers in the queue.
  public let capacity: Int
  private let line = Mutex(Line())

  /// Pointers, of which the first `gone` were dequeued. Dequeuing does not move the others.
  private struct Line: Sendable {
    private var all: [UInt] = []
    private var gone = 0

    var count: Int { all.count - gone }
    var first: UInt? { gone < all.count ? all[gone] : nil }

    mutating func append(_ address: UInt) { all.append(address) }

    mutating func takeFirst() -> UInt? {
      guard let first else { return nil }
      gone += 1
      // Dequeued entries are removed once they are half of all.
      if 2 * gone >= all.count {
        all.removeFirst(gone)
        gone = 0
      }
      return first
    }
  }

  /// An empty queue.
  ///
  /// - Parameter capacity: The most pointers in the queue, from 0 to `Int32.max`.
  /// - Throws: ``Error/parameterOutOfRange``.
  public init(capacity: Int) throws {
    guard (0...Int(Int32.max)).contains(capacity) else { throw Error.parameterOutOfRange }
    self.capacity = capacity
  }

  /// The number of pointers in the queue.
  public var count: Int { line.withLock { $0.count } }
  /// The fraction of the capacity that is used, from 0 to 1; 0 if the capacity is 0.
  public var fullness: Float { capacity == 0 ? 0 : Float(count) / Float(capacity) }
  /// The pointer that is dequeued next; nil for none.
  public var head: UnsafeRawPointer? {
    line.withLock { $0.first }.flatMap { UnsafeRawPointer(bitPattern: $0) }
  }

  /// Adds a pointer at the end.
  ///
  /// - Throws: ``Error/queueIsFull``.
  public func enqueue(_ element: UnsafeRawPointer) throws {
    let address = UInt(bitPattern: element)
    let isTaken = line.withLock { line in
      guard line.count < capacity else { return false }
      line.append(address)
      return true
    }
    if !isTaken { throw Error.queueIsFull }
  }

  /// Removes and returns the first pointer; nil for none.
  public func dequeue() -> UnsafeRawPointer? {
    line.withLock { $0.takeFirst() }.flatMap { UnsafeRawPointer(bitPattern: $0) }
  }

  /// Removes all pointers.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func reset() throws { line.withLock { $0 = Line() } }

  /// An error of a queue, with Core Media's status code.
  public struct Error: CoreMediaError {
    /// One of `kCMSimpleQueueError_…`.
    public let status: OSStatus
    /// What failed, in one line.
    public let message: String

    private init(_ status: OSStatus, _ message: String) {
      (self.status, self.message) = (status, message)
    }

    public static let allocationFailed = Error(
      kCMSimpleQueueError_AllocationFailed, "there is no memory for the queue")
    /// A required argument is nil.
    public static let requiredParameterMissing = Error(
      kCMSimpleQueueError_RequiredParameterMissing, "the queue or the element is missing")
    /// The capacity is negative or too large.
    public static let parameterOutOfRange = Error(
      kCMSimpleQueueError_ParameterOutOfRange,
      "the capacity of a queue must be from 0 to 2147483647")
    /// The queue has reached its capacity.
    public static let queueIsFull = Error(
      kCMSimpleQueueError_QueueIsFull, "the queue is full; dequeue an element first")
  }
}
