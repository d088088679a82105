import Foundation
import TestSupport
import Testing

/// An upload over a network with losses and stalls, killed again and again, to a server that is also killed:
/// `Lab/upload-trial`, on a small scale. Run by hand, it takes any size.
@Suite(.timeLimit(.minutes(10))) struct UploadTrialTests {
  @Test(
    .tags(.slow, .judges, .network),
    .enabled(if: TestRun.isThorough, "minutes: with TEST_ALL=1"))
  func every_file_arrives_once_despite_network_and_server_failures() throws {
    let folder = try TemporaryFolder()
    let result = try Command.run(
      Lab.folder + "/upload-trial",
      [
        "--recordctl", Recordctl.binary.path, "--folder", folder.path, "--gigabytes", "0.3",
        "--kills", "8", "--restarts", "2", "--rate", "8", "--json", folder.path("figures.json"),
      ], limit: 500)
    if result.status == 77 { try Test.cancel("\(result.errors)") }
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    let document = try JSONSerialization.jsonObject(
      with: Data(contentsOf: folder.url("figures.json")))
    let figures = try #require((document as? [String: Any])?["figures"] as? [String: Any])
    #expect(figures["kills"] as? Int == 8 && figures["restarts"] as? Int == 2)
  }
}
