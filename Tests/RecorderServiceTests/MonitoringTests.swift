import Foundation
import TestSupport
import Testing

@testable import RecorderService

/// What `presets/monitoring` derives from the Prometheus metrics.
struct MonitoringTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../presets/monitoring").standardized

  private static func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  private static func names(in text: String) -> Set<String> {
    Set(text.matches(of: /\brecorder_[a-z_]+/).map { String($0.0) })
  }

  @Test(arguments: ["alerts.yml", "alerts.test.yml", "dashboard.json"])
  func every_queried_metric_is_served(file: String) throws {
    let asked = Self.names(in: try Self.text(file))
    #expect(asked.count > 8, "too few metric names found")
    #expect(asked.isSubset(of: Metrics.names), "\(asked.subtracting(Metrics.names))")
  }

  @Test func the_dashboard_shows_every_metric() throws {
    let missing = Set(Metrics.names).subtracting(Self.names(in: try Self.text("dashboard.json")))
    #expect(missing.isEmpty, "\(missing.sorted())")
  }

  @Test func the_documentation_names_every_alert() throws {
    let page = try String(
      contentsOf: Self.folder.appending(path: "../../docs/fleets.md"), encoding: .utf8)
    let table = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = Set(table.flatMap { $0.matches(of: /`(\w+)`/).map { String($0.1) } })
    let alerts = try Self.text("alerts.yml").matches(of: /- alert: (\w+)/).map { String($0.1) }
    #expect(alerts.count > 10)
    #expect(named.isSuperset(of: alerts), "\(Set(alerts).subtracting(named))")
  }

  @Test func the_panels_of_the_dashboard_do_not_overlap() throws {
    let board = try #require(
      JSONSerialization.jsonObject(with: Data(try Self.text("dashboard.json").utf8))
        as? [String: Any])
    let panels = try #require(board["panels"] as? [[String: Any]])
    let places = panels.compactMap { $0["gridPos"] as? [String: Int] }
    #expect(
      places.count == panels.count && Set(panels.map { $0["id"] as? Int }).count == panels.count)
    var taken: Set<[Int]> = []
    for place in places {
      guard let x = place["x"], let y = place["y"], let width = place["w"], let height = place["h"]
      else {
        Issue.record("\(place)")
        continue
      }
      #expect(x + width <= 24)
      for column in x..<x + width {
        for row in y..<y + height {
          #expect(
            taken.insert([column, row]).inserted, "two panels at column \(column), row \(row)")
        }
      }
    }
  }

  @Test(.tags(.judges)) func every_alert_rule_is_valid_and_tested() throws {
    let program = "promtool"
    guard try Command.run("sh", ["-c", "command -v promtool"]).status == 0 else {
      try Test.cancel("promtool is not installed (Debian: prometheus)")
    }
    for arguments in [
      ["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"],
      ["check", "config", "--syntax-only", "prometheus.yml"],
    ] {
      let result = try Command.run(program, arguments, in: Self.folder)
      #expect(result.status == 0, "\(arguments): \(result.output)\(result.errors)")
    }
    // Each rule has its test.
    let rules = try Self.text("alerts.yml").matches(of: /- alert: (\w+)/).map { String($0.1) }
    let tests = try Self.text("alerts.test.yml")
    for rule in rules {
      #expect(tests.contains("alertname: \(rule)\n        exp_alerts"), "\(rule)")
    }
    #expect(rules.count > 10)
  }
}
