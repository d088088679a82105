import AVFoundationCompat
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct TimebaseTimerTests {
  private let timebase = CMTimebase(sourceClock: CMClockGetHostTimeClock())
  private let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "timer"))
  private let fired = Count()

  private final class Count: Sendable {
    private let number = Mutex(0)
    func add() { number.withLock { $0 += 1 } }
    var value: Int { number.withLock { $0 } }
  }

  init() {
    let fired = fired
    timer.setEventHandler { fired.add() }
    timer.activate()
  }

  private func at(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

  /// True once the timer has fired this often, false after half a minute.
  private func hasFired(_ count: Int) async throws -> Bool {
    for _ in 0..<3000 where fired.value != count { try await Task.sleep(for: .milliseconds(10)) }
    return fired.value == count
  }

  @Test func a_timer_fires_once_when_the_timebase_reaches_its_time() async throws {
    try timebase.addTimer(timer)
    try timebase.setTimerNextFireTime(timer, fireTime: at(10))
    CMTimebaseSetTime(timebase, time: at(20))
    try await Task.sleep(for: .milliseconds(50))
    // The timebase is stopped.
    #expect(fired.value == 0)
    CMTimebaseSetTime(timebase, time: at(5))
    CMTimebaseSetRate(timebase, rate: 100)
    #expect(try await hasFired(1))
    #expect(timebase.time >= at(10))
    // It has fired: jumping back does not fire it again.
    CMTimebaseSetTime(timebase, time: at(9))
    try await Task.sleep(for: .milliseconds(100))
    #expect(fired.value == 1)
    try timebase.setTimerNextFireTime(timer, fireTime: at(0))
    #expect(try await hasFired(2))
    try timebase.setTimerToFireImmediately(timer)
    #expect(try await hasFired(3))
  }

  @Test func setting_the_anchor_time_fires_due_timers() async throws {
    CMTimebaseSetRate(timebase, rate: 1)
    #expect(CMTimebaseAddTimerDispatchSource(timebase, timerSource: timer) == noErr)
    #expect(
      CMTimebaseSetTimerDispatchSourceNextFireTime(
        timebase, timerSource: timer, fireTime: at(1000), flags: 0) == noErr)
    try await Task.sleep(for: .milliseconds(50))
    #expect(fired.value == 0)
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    try timebase.setAnchorTime(at(1000), immediateSourceTime: now)
    #expect(try await hasFired(1))
    #expect(
      CMTimebaseSetTimerDispatchSourceToFireImmediately(timebase, timerSource: timer) == noErr)
    #expect(try await hasFired(2))
    // An invalid time clears the timer.
    try timebase.setTimerNextFireTime(timer, fireTime: at(2000))
    try timebase.setTimerNextFireTime(timer, fireTime: .invalid)
    CMTimebaseSetTime(timebase, time: at(3000))
    try await Task.sleep(for: .milliseconds(50))
    #expect(fired.value == 2)
  }

  @Test func a_timer_not_added_to_the_timebase_is_refused() async throws {
    #expect(throws: AVError.self) { try timebase.setTimerNextFireTime(timer, fireTime: .zero) }
    #expect(throws: AVError.self) { try timebase.setTimerToFireImmediately(timer) }
    #expect(throws: AVError.self) { try timebase.removeTimer(timer) }
    #expect(
      CMTimebaseRemoveTimerDispatchSource(timebase, timerSource: timer)
        == kCMTimebaseError_InvalidParameter)
    CMTimebaseSetRate(timebase, rate: 1)
    try timebase.addTimer(timer)
    let fireTime = timebase.time + CMTime(value: 1, timescale: 5)
    try timebase.setTimerNextFireTime(timer, fireTime: fireTime)
    try timebase.removeTimer(timer)
    // If the machine stalled for longer, the timer has already fired.
    let isInTime = timebase.time < fireTime
    try await Task.sleep(for: .milliseconds(400))
    #expect(fired.value == 0 || !isInTime)
  }

  @Test func a_new_anchor_reschedules_timers() async throws {
    let now = CMClockGetTime(CMClockGetHostTimeClock())
    try timebase.setRate(1, anchorTime: .zero, immediateSourceTime: now)
    try timebase.addTimer(timer)
    try timebase.setTimerNextFireTime(timer, fireTime: at(1000))
    #expect(
      CMTimebaseSetAnchorTime(timebase, timebaseTime: at(1000), immediateSourceTime: now) == noErr)
    #expect(try await hasFired(1))
  }
}
