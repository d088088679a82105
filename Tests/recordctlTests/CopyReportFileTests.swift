import Foundation
import TestSupport
import Testing

@testable import recordctl

struct CopyReportFileTests {
  @Test func a_report_that_cannot_be_written_names_the_systems_reason() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: CocoaError.self) {
      try Data().write(to: folder.url("missing/report.html"), options: .atomic)
    }
    #expect(CopyReportFile.reason(try #require(error)) == "No such file or directory")
  }
}
