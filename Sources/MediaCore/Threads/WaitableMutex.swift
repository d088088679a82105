#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// State that threads share, and a condition on which they wait for it to change.
///
/// For threads of the recorder's own only: ``wait(until:)`` blocks. Whoever has the lock is as urgent as the
/// most urgent thread that waits for it.
package final class WaitableMutex<State>: @unchecked Sendable {
  // Sendable: `state` is touched only between lock and unlock of `mutex`; the two primitives live
  // at a fixed address from init to deinit.
  private var state: State
  let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init(_ state: sending State) {
    self.state = state
    self.mutex = .allocate(capacity: 1)
    self.condition = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    // Encoding in real time can take all processors: who waits for it with the lock would keep capture
    // waiting.
    var inheritance = pthread_mutexattr_t()
    pthread_mutexattr_init(&inheritance)
    pthread_mutexattr_setprotocol(&inheritance, Int32(PTHREAD_PRIO_INHERIT))
    // Refused by a kernel without such locks.
    if pthread_mutex_init(mutex, &inheritance) != 0 { pthread_mutex_init(mutex, nil) }
    pthread_mutexattr_destroy(&inheritance)
    // Deadlines are instants of the clock that nobody sets.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the state; wakes nobody.
  package func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }

  /// Changes the state and wakes everyone who waits for it.
  package func update<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&state)
  }

  /// Blocks until `body` gives a value; it is asked at once and after each ``update(_:)``.
  package func wait<Result>(until body: (inout State) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// As ``wait(until:)``, but not beyond an instant of CLOCK_MONOTONIC, in nanoseconds.
  ///
  /// - Returns: What `body` gives; nil where that is nothing until then.
  package func wait<Result>(
    deadline: Int64, until body: (inout State) -> Result?
  ) -> Result? {
    let (seconds, nanoseconds) = max(deadline, 0).quotientAndRemainder(dividingBy: 1_000_000_000)
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&state) { return result }
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { return body(&state) }
    }
  }
}
