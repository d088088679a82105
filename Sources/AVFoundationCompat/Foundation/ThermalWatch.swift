import Dispatch
import Foundation
import Synchronization

/// Polls the thermal zones and posts changes.
final class ThermalWatch: Sendable {
  /// The watch of this machine's zones, which polls every five seconds once first used.
  static let shared = {
    let watch = ThermalWatch(ThermalZones(), NotificationCenter.default)
    if watch.zones.isThere { watch.start() }
    return watch
  }()

  private let zones: ThermalZones
  private let center: NotificationCenter
  private let last: Mutex<ProcessInfo.ThermalState>
  private let queue = DispatchQueue(label: "thermal state")

  init(_ zones: ThermalZones, _ center: NotificationCenter) {
    (self.zones, self.center) = (zones, center)
    last = Mutex(zones.state)
  }

  private func start() {
    queue.asyncAfter(deadline: .now() + 5) {
      self.check()
      self.start()
    }
  }

  /// The current state; posts a change.
  @discardableResult
  func check() -> ProcessInfo.ThermalState {
    let state = zones.state
    let before = last.withLock { last in
      defer { last = state }
      return last
    }
    if state != before {
      center.post(
        name: ProcessInfo.thermalStateDidChangeNotification, object: ProcessInfo.processInfo)
    }
    return state
  }
}
