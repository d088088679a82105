#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// CLOCK_MONOTONIC, in nanoseconds: the clock of all media times of live devices.
package enum MonotonicClock {
  /// The time now.
  package static var now: Int64 { read(CLOCK_MONOTONIC) }

  static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Sleeps until an instant, whatever signals arrive meanwhile.
  package static func sleep(until instant: Int64) {
    guard instant > 0 else { return }
    var time = timespec(
      tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Sleeps until an instant, in steps short enough to notice that `isOver` has become true.
  ///
  /// - Returns: false where it has.
  package static func sleep(until instant: Int64, unless isOver: () -> Bool) -> Bool {
    while !isOver() {
      let step = now + 50_000_000
      if instant <= step {
        sleep(until: instant)
        return !isOver()
      }
      sleep(until: step)
    }
    return false
  }
}
