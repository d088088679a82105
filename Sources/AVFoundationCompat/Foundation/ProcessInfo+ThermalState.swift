public import Foundation

extension ProcessInfo {
  /// The thermal state of the machine, with Apple's numbers.
  public enum ThermalState: Int, Sendable, Hashable {
    /// No trip point is reached, or the kernel reports none.
    case nominal = 0
    /// The kernel has turned on fans.
    case fair = 1
    /// The kernel is throttling the processor: frames may be dropped.
    case serious = 2
    /// The machine is about to shut down.
    case critical = 3
  }

  /// The thermal state, by the trip points of the kernel's thermal zones.
  public var thermalState: ThermalState { ThermalWatch.shared.check() }

  /// Posted within five seconds of a change of ``thermalState``, on a private queue.
  public static let thermalStateDidChangeNotification: NSNotification.Name = {
    // Reading the name starts the watch because observing gives no other signal.
    DispatchQueue.global().async { _ = ThermalWatch.shared }
    return NSNotification.Name("NSProcessInfoThermalStateDidChangeNotification")
  }()
}
