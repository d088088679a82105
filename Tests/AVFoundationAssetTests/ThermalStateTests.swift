import Synchronization
import TestSupport
import Testing

@testable import AVFoundationCompat

/// The machine's thermal state, from thermal zones that a test writes.
@Suite struct ThermalStateTests {
  private let folder: TemporaryFolder
  private var zones: ThermalZones { ThermalZones(folder: folder.path("")) }

  init() throws { folder = try TemporaryFolder() }

  /// A zone with its limits for fans, throttling and shutdown.
  private func write(_ heat: String, zone: Int = 0) throws {
    let place = folder.url("thermal_zone\(zone)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let limits = [("active", 60_000), ("passive", 80_000), ("critical", 95_000), ("passive", 0)]
    var files = ["temp": heat]
    for (index, limit) in limits.enumerated() {
      files["trip_point_\(index)_type"] = limit.0
      files["trip_point_\(index)_temp"] = "\(limit.1)"
    }
    for (name, text) in files {
      try Data("\(text)\n".utf8).write(to: place.appending(path: name))
    }
  }

  @Test(
    arguments: [
      ("40000", .nominal), ("60000", .fair), ("85000", .serious), ("99000", .critical),
      ("nonsense", .nominal),
    ] as [(String, ProcessInfo.ThermalState)])
  func thermal_state_follows_the_limit(heat: String, state: ProcessInfo.ThermalState) throws {
    try write(heat)
    #expect(zones.state == state)
  }

  @Test func the_hottest_zone_determines_the_thermal_state() throws {
    #expect(zones.state == .nominal && !zones.isThere)
    try write("40000")
    try write("85000", zone: 1)
    #expect(zones.state == .serious && zones.isThere)
  }

  @Test func a_thermal_state_change_is_posted_once() throws {
    try write("40000")
    let center = NotificationCenter()
    let count = Atomic<Int>(0)
    let observer = center.addObserver(
      forName: ProcessInfo.thermalStateDidChangeNotification, object: nil, queue: nil
    ) { _ in count.add(1, ordering: .relaxed) }
    defer { center.removeObserver(observer) }
    let watch = ThermalWatch(zones, center)
    #expect(watch.check() == .nominal && count.load(ordering: .relaxed) == 0)
    try write("85000")
    for _ in 0..<2 { #expect(watch.check() == .serious) }
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func this_machine_has_a_thermal_state() {
    let state = ProcessInfo.processInfo.thermalState
    #expect((0...3).contains(state.rawValue))
  }
}
