import ArgumentParser
import Foundation
import MediaCore
import ObjectStorage

/// `recordctl fetch`
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Fetches takes and folders from object storage, verified.",
    discussion: """
      What an address names gets its last name in the folder: s3://BUCKET/jobs/a becomes FOLDER/a. An \
      object comes with its sidecar. Each file is compared with the checksums of its sidecar, of ASC \
      MHL manifests, of its sender and of the server, and gets its name when they agree. Nothing is \
      overwritten; after a kill or a lost network the same command goes on where it was.

      Exit status 75 says that the same command may succeed later.
      """)

  @Argument(help: "Objects, or what their names begin with: s3://BUCKET/PREFIX.")
  var addresses: [String]

  @Option(
    name: [.short, .customLong("output")], help: "The folder; made where it is missing.",
    completion: .directory, transform: GivenPath.argument)
  var output: String

  @Option(
    help: ArgumentHelp(
      "Bytes a second, such as 50MB; all that the network gives otherwise.", valueName: "rate"),
    transform: StorageArguments.rate)
  var bandwidth: Int64?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws { _ = try places() }

  private func places() throws -> [ObjectAddress] {
    try addresses.map { text in
      guard let address = try StorageArguments.address(text) else {
        throw ValidationError("'\(text)' is not an address; write s3://BUCKET/PREFIX")
      }
      return address
    }
  }

  func run() async throws {
    var fetch = ObjectFetch(of: try places(), into: output, account: try StorageAccount())
    fetch.bandwidth = bandwidth
    let cancellation = Cancellation()
    let interruption = Interruption { cancellation.cancel() }
    let line = ProgressLine()
    let result = await Result.awaiting { [fetch] in
      try await fetch.run(isCancelled: { cancellation.isCancelled }) { bytes in
        line.show { Quantity.bytes(bytes) }
      }
    }
    line.clear()
    withExtendedLifetime(interruption) {}
    let report = try result.get()
    if json {
      try Console.print(JSONDocument(.fetch, report, Verdict(isValid: report.isSound)))
    } else {
      Console.print(TransferText.lines(report))
    }
    let status = ExitStatus(report)
    if status != .success { throw status.exit }
  }
}
