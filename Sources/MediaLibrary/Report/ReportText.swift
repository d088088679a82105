import FoundationEssentials

/// Formats numbers and times for reports.
enum ReportText {
  /// `12.3 GB`, in powers of 1000.
  static func bytes(_ count: Int64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB"]
    var value = Double(count)
    var unit = 0
    while value >= 1000, unit < units.count - 1 {
      value /= 1000
      unit += 1
    }
    guard unit > 0 else { return "\(count) bytes" }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// The size of a file if it has a verified copy; otherwise it is unknown.
  static func size(of item: CopyReport.Item) -> String {
    item.copyCount > 0 ? bytes(item.size) : "size unknown"
  }

  /// `1:02:03.4`, hours, minutes and seconds.
  static func duration(_ seconds: Double) -> String {
    let tenths = Int64((max(0, min(seconds, 1e9)) * 10).rounded())
    func pad(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(tenths / 36_000):\(pad(tenths / 600 % 60)):\(pad(tenths / 10 % 60)).\(tenths % 10)"
  }

  /// `2026-11-22 14:05:00 UTC`.
  static func date(_ date: Date) -> String {
    date.formatted(.iso8601).replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// A file's codec, size, frame rate, duration and timecode.
  static func facts(_ facts: MediaFacts) -> String {
    var parts = [facts.codecName ?? facts.codec ?? facts.container ?? ""]
    if facts.width > 0 { parts.append("\(facts.width)x\(facts.height)") }
    if let rate = facts.frameRate { parts.append("\(rate) fps") }
    if facts.duration > 0 { parts.append(duration(facts.duration)) }
    if let timecode = facts.timecode { parts.append("TC \(timecode)") }
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
