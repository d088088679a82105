import Foundation

/// What the kernel's thermal zones say (Documentation/driver-api/thermal/sysfs-api.rst).
struct ThermalZones: Sendable {
  /// Where zones are.
  var folder = "/sys/class/thermal"

  /// How hot the hottest zone is by its own limits; nominal where no zone says anything.
  var state: ProcessInfo.ThermalState {
    zones.map { state(of: $0) }.max { $0.rawValue < $1.rawValue } ?? .nominal
  }

  /// True if there is a zone that could become hot.
  var isThere: Bool { !zones.isEmpty }

  private var zones: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("thermal_zone") }.map { folder + "/" + $0 }
  }

  private func state(of zone: String) -> ProcessInfo.ThermalState {
    guard let heat = number(zone + "/temp") else { return .nominal }
    var found = ProcessInfo.ThermalState.nominal
    var index = 0
    // Limits are numbered without a gap.
    while let kind = text("\(zone)/trip_point_\(index)_type") {
      let limit = number("\(zone)/trip_point_\(index)_temp")
      index += 1
      // A limit of 0 or below is one that nobody has set.
      guard let limit, limit > 0, heat >= limit, let state = Self.states[kind] else { continue }
      if state.rawValue > found.rawValue { found = state }
    }
    return found
  }

  /// What the kernel does from a limit on: it turns fans on, slows the processor, tells drivers, switches off.
  private static let states: [String: ProcessInfo.ThermalState] = [
    "active": .fair, "passive": .serious, "hot": .critical, "critical": .critical,
  ]

  private func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }

  private func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
