import Synchronization

/// Addresses in the order in which they came, as many as it was made for. What an address points to is the program's
/// own, and has to outlive it in the queue. It can be used from any thread.
public final class CMSimpleQueue: Sendable, ComparedByIdentity {
  /// The most addresses that it takes.
  public let capacity: Int
  private let line = Mutex(Line())

  /// Addresses, of which those in front have left. A departure does not move the ones that wait.
  private struct Line: Sendable {
    private var all: [UInt] = []
    private var gone = 0

    var count: Int { all.count - gone }
    var first: UInt? { gone < all.count ? all[gone] : nil }

    mutating func append(_ address: UInt) { all.append(address) }

    mutating func takeFirst() -> UInt? {
      guard let first else { return nil }
      gone += 1
      // The room of those that left is given up when it is half of all.
      if 2 * gone >= all.count {
        all.removeFirst(gone)
        gone = 0
      }
      return first
    }
  }

  /// A queue without addresses.
  ///
  /// - Parameter capacity: The most that it takes: from 0 to `Int32.max`.
  /// - Throws: ``Error/parameterOutOfRange``.
  public init(capacity: Int) throws {
    guard (0...Int(Int32.max)).contains(capacity) else { throw Error.parameterOutOfRange }
    self.capacity = capacity
  }

  /// Addresses that wait.
  public var count: Int { line.withLock { $0.count } }
  /// Which part of the capacity is used, from 0 to 1; 0 if there is none.
  public var fullness: Float { capacity == 0 ? 0 : Float(count) / Float(capacity) }
  /// The address that comes out next, and stays; nil for none.
  public var head: UnsafeRawPointer? {
    line.withLock { $0.first }.flatMap { UnsafeRawPointer(bitPattern: $0) }
  }

  /// Adds an address behind the others.
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

  /// Takes the address that came first; nil for none.
  public func dequeue() -> UnsafeRawPointer? {
    line.withLock { $0.takeFirst() }.flatMap { UnsafeRawPointer(bitPattern: $0) }
  }

  /// Forgets all addresses.
  ///
  /// - Throws: Nothing; Apple's declaration throws.
  public func reset() throws { line.withLock { $0 = Line() } }

  /// Why a call on a queue fails, by Core Media's number.
  public struct Error: CoreMediaError {
    /// One of `kCMSimpleQueueError_…`.
    public let status: OSStatus
    /// What failed, in one line.
    public let message: String

    private init(_ status: OSStatus, _ message: String) {
      (self.status, self.message) = (status, message)
    }

    /// There is no memory for a queue.
    public static let allocationFailed = Error(
      kCMSimpleQueueError_AllocationFailed, "there is no memory for the queue")
    /// Something is nil that must not be.
    public static let requiredParameterMissing = Error(
      kCMSimpleQueueError_RequiredParameterMissing, "the queue or the element is missing")
    /// A capacity is below 0, or too large.
    public static let parameterOutOfRange = Error(
      kCMSimpleQueueError_ParameterOutOfRange, "the capacity of a queue is from 0 to 2147483647")
    /// There are as many addresses as the queue takes.
    public static let queueIsFull = Error(
      kCMSimpleQueueError_QueueIsFull, "the queue is full; dequeue an element first")
  }
}
