import CLinux
import TakeReports

/// What the kernel knows of the system's clock: adjtimex(2).
struct KernelClock: Sendable, Hashable {
  /// False for STA_UNSYNC: nobody has vouched for the clock of late.
  var isSynchronized: Bool
  /// Seconds that the kernel is about to add; nil where it steers nothing by itself.
  var pendingCorrection: Double?
  /// Seconds.
  var maximumError: Double

  /// As it is now; nil where the process may not ask.
  static var present: KernelClock? {
    var clock = kernel_clock()
    guard kernel_clock_read(&clock) >= 0 else { return nil }
    return KernelClock(
      status: clock.status, offset: Int64(clock.offset), maximumError: Int64(clock.maximum_error))
  }

  /// Takes the fields of `struct timex`.
  init(status: Int32, offset: Int64, maximumError: Int64) {
    isSynchronized = status & Self.unsynchronized == 0
    let unit = status & Self.nanoseconds != 0 ? 1e-9 : 1e-6
    pendingCorrection = status & Self.locksPhase != 0 ? Double(offset) * unit : nil
    self.maximumError = Double(maximumError) * 1e-6
  }

  /// STA_PLL, STA_UNSYNC, STA_NANO.
  private static let (locksPhase, unsynchronized, nanoseconds): (Int32, Int32, Int32) = (
    0x1, 0x40, 0x2000
  )

  /// The state if no program knows more. The kernel's figures are meaningless unless something sets the clock.
  var state: ClockState {
    ClockState(
      source: .kernel, isSynchronized: isSynchronized,
      offset: isSynchronized ? pendingCorrection.map { $0 == 0 ? 0 : -$0 } : nil,
      maximumError: isSynchronized ? maximumError : nil)
  }
}
