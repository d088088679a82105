import MediaCore

/// Findings on their way into a report: the same one in many frames is one finding with a count.
package struct FindingLog {
  package typealias Finding = VerificationReport.Finding

  private struct Key: Hashable {
    let check: Finding.Check
    let severity: Finding.Severity
    let message: String
  }

  /// The most findings of a severity that differ; a file of noise has one in every slice.
  static let limit = 200

  private var findings: [Key: Finding] = [:]
  /// The findings of each severity: warnings leave errors their room.
  private var order: [Finding.Severity: [Key]] = [:]
  /// What is beyond the limit: how many, and what the first of them is about.
  private var omitted: [Finding.Severity: (count: Int, check: Finding.Check)] = [:]
  /// The first frame's timecode.
  var startTimecode: Timecode?

  package init() {}

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

  /// The findings, errors first, in the order in which they were found. Behind those of a severity comes how
  /// many more there are.
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
