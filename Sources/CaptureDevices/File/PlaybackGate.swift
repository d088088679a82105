// libasound's header brings in timespec, and the compiler takes whichever module it saw first.
import CALSA

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Where a playing thread waits: for a monotonic time, for a buffer to come back, for the end.
final class PlaybackGate: @unchecked Sendable {
  // Sendable: `mutex` guards the flags; the two pthread objects are made for sharing and stay at
  // their addresses from `init` to `deinit`.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var stopped = false
  private var knocked = false

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
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

  /// True once ``stop()`` was called.
  var isStopped: Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return stopped
  }

  /// Ends all waiting, now and later.
  func stop() {
    pthread_mutex_lock(mutex)
    stopped = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Ends the present or the next ``waitForKnock(until:)``.
  func knock() {
    pthread_mutex_lock(mutex)
    knocked = true
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits for a time, or the end.
  func wait(until deadline: Int64) { wait(until: deadline, knockEnds: false) }

  /// Waits for a knock, a time, or the end.
  func waitForKnock(until deadline: Int64) { wait(until: deadline, knockEnds: true) }

  private func wait(until deadline: Int64, knockEnds: Bool) {
    var time = timespec(
      tv_sec: Int(deadline / 1_000_000_000), tv_nsec: Int(deadline % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !stopped, !(knockEnds && knocked) {
      if pthread_cond_timedwait(condition, mutex, &time) == ETIMEDOUT { break }
    }
    if knockEnds { knocked = false }
  }
}
