import ArgumentParser
import Foundation
import MediaCore
import ObjectStorage

/// `recordctl fetch`
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Downloads takes and folders from object storage and verifies them.",
    discussion: """
      The last component of an address becomes the name in the folder: s3://BUCKET/jobs/a becomes \
      FOLDER/a. An object is fetched with its sidecar. Each file is compared with the checksums of \
      its sidecar, of ASC MHL manifests, of the uploading program and of the server, and gets its \
      name only when they agree. Existing files are never overwritten; after a kill or a lost \
      network, the same command continues where it stopped.

      Exit status 75 means that the same command may succeed later.
      """)

  @Argument(help: "Objects, or prefixes of their names: s3://BUCKET/PREFIX.")
  var addresses: [String]

  @Option(
    name: [.short, .customLong("output")], help: "Folder to write to, created if missing.",
    completion: .directory, transform: GivenPath.argument)
  var output: String

  @Option(
    help: ArgumentHelp(
      "Download bandwidth limit in bytes per second, such as 50MB (default: unlimited).",
      valueName: "rate"),
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
