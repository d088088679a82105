public import Foundation

extension ProcessInfo {
  /// How hot the machine is, with Apple's numbers.
  public enum ThermalState: Int, Sendable, Hashable {
    /// No limit is reached, or the kernel tells of none.
    case nominal = 0
    /// The kernel cools the machine with its fans.
    case fair = 1
    /// The kernel slows the processor: frames may be dropped.
    case serious = 2
    /// The machine is about to switch off.
    case critical = 3
  }

  /// How hot the machine is, by the limits of the kernel's thermal zones.
  public var thermalState: ThermalState { ThermalWatch.shared.check() }

  /// Posted within five seconds of a change of ``thermalState``, from a queue of its own.
  public static let thermalStateDidChangeNotification: NSNotification.Name = {
    // Who asks for the name wants to be told; a name has no other way to say so.
    DispatchQueue.global().async { _ = ThermalWatch.shared }
    return NSNotification.Name("NSProcessInfoThermalStateDidChangeNotification")
  }()
}
