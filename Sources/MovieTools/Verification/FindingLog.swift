import MediaCore

/// Collects findings for a report. The same finding in many frames becomes one with a count.
package struct FindingLog {
  package typealias Finding = VerificationReport.Finding

  private struct Key: Hashable {
    let check: Finding.Check
    let severity: Finding.Severity
    let message: String
  }

  /// The most different findings of each severity, because a file of noise has one in every slice.
  static let limit = 200

  private var findings: [Key: Finding] = [:]
  /// The findings of each severity, kept apart so that warnings do not displace errors.
  private var order: [Finding.Severity: [Key]] = [:]
  /// Findings beyond the limit: their number, and the check of the first one.
  private var omitted: [Finding.Severity: (count: Int, check: Finding.Check)] = [:]
  /// The first frame's timecode.
  var startTimecode: Timecode?

  package init() {}

  /// - Parameter rule: The kind of rule that the movie breaks; nil for none.
  mutating func add(
    _ severity: Finding.Severity, _ check: Finding.Check, _ message: String, frame: Int? = nil,
    count: Int = 1, rule: Finding.Rule? = nil
  ) {
    let key = Key(check: check, severity: severity, message: message)
    if findings[key] != nil {
      findings[key]?.count += count
      return
    }
    guard order[severity, default: []].count < Self.limit else {
      omitted[severity, default: (0, check)].count += 1
      return
    }
    order[severity, default: []].append(key)
    findings[key] = Finding(
      severity: severity, check: check, rule: rule, message: message, frame: frame,
      timecode: frame.flatMap { startTimecode?.advanced(by: Int64($0)).description },
      count: count)
  }

  /// The findings, errors first, in the order in which they were found. After each severity, a
  /// finding states how many were omitted.
  package var sorted: [Finding] {
    let severities: [Finding.Severity] = [.error, .warning, .note]
    return severities.flatMap { severity in
      var listed = order[severity, default: []].compactMap { findings[$0] }
      if let (count, check) = omitted[severity] {
        listed.append(
          Finding(
            severity: severity, check: check,
            message: "and \(count) more findings that are not listed"))
      }
      return listed
    }
  }
}
