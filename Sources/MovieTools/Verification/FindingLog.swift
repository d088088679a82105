import MediaCore

/// Findings on their way into a report: the same one in many frames is one finding with a count.
struct FindingLog {
  typealias Finding = VerificationReport.Finding

  private struct Key: Hashable {
    let check: Finding.Check
    let severity: Finding.Severity
    let message: String
  }

  /// The most findings that differ; a file of noise has one in every slice.
  private static let limit = 200

  private var findings: [Key: Finding] = [:]
  private var order: [Key] = []
  private var omittedCount = 0
  /// The first frame's timecode.
  var startTimecode: Timecode?

  /// - Parameter rule: What the movie breaks; nil for what is no rule's.
  mutating func add(
    _ severity: Finding.Severity, _ check: Finding.Check, _ message: String, frame: Int? = nil,
    count: Int = 1, rule: Finding.Rule? = nil
  ) {
    let key = Key(check: check, severity: severity, message: message)
    if findings[key] != nil {
      findings[key]?.count += count
      return
    }
    guard order.count < Self.limit else {
      omittedCount += 1
      return
    }
    order.append(key)
    findings[key] = Finding(
      severity: severity, check: check, rule: rule, message: message, frame: frame,
      timecode: frame.flatMap { startTimecode?.advanced(by: Int64($0)).description },
      count: count)
  }

  /// The findings, errors first, in the order in which they were found.
  var sorted: [Finding] {
    var all = order.compactMap { findings[$0] }
    if omittedCount > 0 {
      all.append(
        Finding(
          severity: .error, check: .bitstream,
          message: "and \(omittedCount) more findings that are not listed"))
    }
    let ranks: [Finding.Severity] = [.error, .warning, .note]
    return ranks.flatMap { rank in all.filter { $0.severity == rank } }
  }
}
