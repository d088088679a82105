// libasound's header brings in timespec, and the compiler takes whichever module it saw first.
import CALSA
import Foundation

/// CLOCK_MONOTONIC, in nanoseconds: the clock of all media times of live devices.
enum MonotonicClock {
  /// The time now.
  static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Sleeps until an instant, whatever signals arrive meanwhile.
  static func sleep(until instant: Int64) {
    guard instant > 0 else { return }
    var time = timespec(
      tv_sec: Int(instant / 1_000_000_000), tv_nsec: Int(instant % 1_000_000_000))
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
  }

  /// Sleeps until an instant, in steps short enough to notice that `isOver` has become true.
  ///
  /// - Returns: false where it has.
  static func sleep(until instant: Int64, unless isOver: () -> Bool) -> Bool {
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
