#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// What is asked about the system's clock; a test puts its own answers here.
struct ClockCalls: Sendable {
  /// What the kernel says; nil where it may not be asked. Returns at once.
  var kernel: @Sendable () -> KernelClock?
  /// The output of `chronyc tracking`; nil without chrony. May take seconds.
  var chrony: @Sendable () -> String?
  /// `pmc`'s output about ptp4l's time status; nil without ptp4l. May take seconds.
  var ptp: @Sendable () -> String?

  /// This system.
  static let system = ClockCalls(
    kernel: { KernelClock.present },
    chrony: { QuickProgram("chronyc")?.output(of: ["-c", "-n", "tracking"]) },
    ptp: {
      // Without ptp4l's socket `pmc` would only wait.
      guard access("/var/run/ptp4l", F_OK) == 0 else { return nil }
      return QuickProgram("pmc")?.output(of: ["-u", "-b", "0", "GET TIME_STATUS_NP"])
    })
}
