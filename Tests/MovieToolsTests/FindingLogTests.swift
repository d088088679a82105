import Testing

@testable import MovieTools

/// The listed findings if there are more than a report holds.
@Suite struct FindingLogTests {
  @Test func an_error_is_listed_despite_a_full_list_of_warnings() {
    var log = FindingLog()
    for number in 0..<FindingLog.limit + 5 { log.add(.warning, .bitstream, "warning \(number)") }
    log.add(.error, .decode, "the frame does not decode", frame: 7)
    #expect(log.sorted.first?.message == "the frame does not decode")
    #expect(log.sorted.filter { $0.severity == .error }.count == 1)
  }

  @Test(arguments: [VerificationReport.Finding.Severity.error, .warning, .note])
  func unlisted_findings_keep_their_severity_and_check(
    severity: VerificationReport.Finding.Severity
  ) {
    var log = FindingLog()
    for number in 0..<FindingLog.limit + 5 { log.add(severity, .timing, "finding \(number)") }
    log.add(severity, .timing, "finding 3")
    let findings = log.sorted
    #expect(findings.count == FindingLog.limit + 1)
    #expect(findings.allSatisfy { $0.severity == severity && $0.check == .timing })
    #expect(findings.last?.message == "and 5 more findings that are not listed")
    #expect(findings[3].count == 2)
  }
}
