import Foundation

/// Numbers with their units, for people.
enum Quantity {
  /// `12.3 MB`, powers of 1000.
  static func bytes(_ count: Int64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var unit = 0
    while abs(value) >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    return unit == 0 ? "\(count) bytes" : "\(number(value, 1)) \(units[unit])"
  }

  /// `1 file`, `2 files`.
  static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number) \(number == 1 ? one : many ?? one + "s")"
  }

  /// `220.1 Mb/s`.
  static func bitRate(_ bitsPerSecond: Double) -> String {
    "\(number(bitsPerSecond / 1e6, 1)) Mb/s"
  }

  /// `10.01 s`.
  static func seconds(_ seconds: Double) -> String { "\(number(seconds, 2)) s" }

  /// `12.3 ms`.
  static func milliseconds(_ value: Double) -> String { "\(number(value, 1)) ms" }

  /// A number with a fixed count of decimals.
  static func number(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }
}
