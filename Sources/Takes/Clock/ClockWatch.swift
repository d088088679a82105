import Dispatch
import MediaCore
import Synchronization
public import TakeReports

/// Knows what sets the system's clock, and how far it is off.
///
/// Nobody waits for it: the kernel answers at once, and programs are asked on a queue of ordinary
/// priority. What they said holds for some seconds.
public final class ClockWatch: Sendable {
  /// That of this system.
  public static let system = ClockWatch(.system)

  private struct State {
    /// What a program said last; nil where none did.
    var reported: ClockState?
    /// When it was asked.
    var instant = Int64.min
    var isAsking = false
    /// Callbacks that wait for the next result.
    var waiting: [@Sendable (ClockState) -> Void] = []
  }

  /// Nanoseconds for which holds what a program said.
  private static let freshness: Int64 = 10_000_000_000

  private let calls: ClockCalls
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "clock", qos: .utility)

  init(_ calls: ClockCalls) { self.calls = calls }

  /// What is known now. Where that is old, programs are asked anew, for the next time.
  public var present: ClockState {
    let (reported, isOld) = state.withLock { state in
      (state.reported, state.instant < MonotonicClock.now - Self.freshness)
    }
    if isOld { ask() }
    return reported ?? kernelState
  }

  private var kernelState: ClockState {
    calls.kernel()?.state ?? ClockState(source: .unknown)
  }

  /// Calls `tell` at once with what is known, and again when the programs that set the clock have answered.
  package func read(_ tell: @escaping @Sendable (ClockState) -> Void) {
    let reported = state.withLock { state in
      state.waiting.append(tell)
      return state.reported
    }
    tell(reported ?? kernelState)
    ask()
  }

  /// What programs say now.
  package func read() async -> ClockState {
    await withCheckedContinuation { continuation in
      state.withLock { $0.waiting.append { continuation.resume(returning: $0) } }
      ask()
    }
  }

  private func ask() {
    let isFirst = state.withLock { state in
      defer { state.isAsking = true }
      return !state.isAsking
    }
    guard isFirst else { return }
    queue.async { [self] in
      let reported = ask(calls)
      let known = reported ?? kernelState
      let waiting = state.withLock { state in
        state.reported = reported
        state.instant = MonotonicClock.now
        state.isAsking = false
        defer { state.waiting = [] }
        return state.waiting
      }
      for tell in waiting { tell(known) }
    }
  }

  /// The program that keeps the clock in step, or else the one that says that it does not; nil for none.
  private func ask(_ calls: ClockCalls) -> ClockState? {
    let chrony = calls.chrony().flatMap { ClockState(chronyTracking: $0) }
    if chrony?.isSynchronized == true { return chrony }
    return calls.ptp().flatMap { ClockState(ptpTimeStatus: $0) } ?? chrony
  }
}
