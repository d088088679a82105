import Foundation

/// The kernel's thermal zones (Documentation/driver-api/thermal/sysfs-api.rst).
struct ThermalZones: Sendable {
  /// The folder with the zones.
  var folder = "/sys/class/thermal"

  /// The highest state of all zones by their own trip points; nominal if no zone reports anything.
  var state: ProcessInfo.ThermalState {
    zones.map { state(of: $0) }.max { $0.rawValue < $1.rawValue } ?? .nominal
  }

  /// True if there is a thermal zone.
  var isThere: Bool { !zones.isEmpty }

  private var zones: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("thermal_zone") }.map { folder + "/" + $0 }
  }

  private func state(of zone: String) -> ProcessInfo.ThermalState {
    guard let heat = number(zone + "/temp") else { return .nominal }
    var found = ProcessInfo.ThermalState.nominal
    var index = 0
    // Trip points are numbered without gaps.
    while let kind = text("\(zone)/trip_point_\(index)_type") {
      let limit = number("\(zone)/trip_point_\(index)_temp")
      index += 1
      // A trip point of 0 or below is not set.
      guard let limit, limit > 0, heat >= limit, let state = Self.states[kind] else { continue }
      if state.rawValue > found.rawValue { found = state }
    }
    return found
  }

  /// What the kernel does at a trip point: turns on fans, throttles the processor, notifies drivers, shuts down.
  private static let states: [String: ProcessInfo.ThermalState] = [
    "active": .fair, "passive": .serious, "hot": .critical, "critical": .critical,
  ]

  private func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  private func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
