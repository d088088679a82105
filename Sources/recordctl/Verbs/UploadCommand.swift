import ArgumentParser
import Foundation
import MediaCore
import ObjectStorage

/// `recordctl upload`
struct UploadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upload",
    abstract: "Uploads takes, segments and folders to object storage and verifies them.",
    discussion: """
      A file is uploaded as ADDRESS/NAME, together with its sidecar; as ADDRESS/NAME/PATH if it is \
      in a folder. Each object is either complete and verified or absent. Existing objects are \
      never overwritten, and what was sent before a kill or a lost network is not sent again. A \
      movie whose sidecar has a checksum is sent only if it still matches that checksum. In \
      folders, names that begin with a dot are skipped.

      Server, region and credentials are configured as for Amazon's tools: AWS_ENDPOINT_URL, \
      AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ~/.aws/config, \
      ~/.aws/credentials.

      With --queued it uploads what recorders with --upload have queued for the address, at low \
      priority. With --keep-trying it also waits out a lost network, a server in trouble or a \
      missing bucket.

      Exit status 75 means that the same command may succeed later: the network was lost, the \
      server is in trouble, or a signal arrived.
      """)

  @OptionGroup var storage: StorageArguments

  @Argument(
    help: "Files and folders, followed by the address: s3://BUCKET or s3://BUCKET/PREFIX.",
    completion: .file(), transform: GivenPath.argument)
  var paths: [String]

  @Flag(
    help: "Remove each local file once its object is verified; a movie and its sidecar together.")
  var removeWhenVerified = false

  @Flag(help: "Upload what recorders have queued for the address.")
  var queued = false

  @Flag(
    help: """
      With --queued: retry temporary failures, first after 5 seconds and finally every 5 minutes, \
      until everything is sent or a signal arrives.
      """)
  var keepTrying = false

  @Flag(help: "Give way to other programs: niceness 10, and idle disk priority.")
  var lowPriority = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard let last = paths.last, try StorageArguments.address(last) != nil else {
      throw ValidationError("name the address last; write s3://BUCKET or s3://BUCKET/PREFIX")
    }
    guard paths.dropLast().allSatisfy({ !ObjectAddress.isMeant(by: $0) }) else {
      throw ValidationError("name one address; for several, run the command for each")
    }
    if queued, paths.count > 1 || removeWhenVerified {
      throw ValidationError("--queued takes only an address; the files were queued by recorders")
    }
    if keepTrying, !queued {
      throw ValidationError(
        "--keep-trying needs --queued")
    }
    if !queued, paths.count < 2 {
      throw ValidationError("name files or folders to upload before the address")
    }
  }

  func run() async throws {
    guard let address = try paths.last.flatMap({ try StorageArguments.address($0) }) else { return }
    if lowPriority || queued { LowPriority.take() }
    let cancellation = Cancellation()
    let interruption = Interruption { cancellation.cancel() }
    let line = ProgressLine()
    let result = await Result.awaiting {
      try await send(to: address, line, isCancelled: { cancellation.isCancelled })
    }
    line.clear()
    withExtendedLifetime(interruption) {}
    let report = try result.get()
    if json {
      try Console.print(JSONDocument(.upload, report, Verdict(isValid: report.isSound)))
    } else {
      Console.print(TransferText.lines(report))
    }
    let status = ExitStatus(report)
    if status != .success { throw status.exit }
  }

  private func send(
    to address: ObjectAddress, _ line: ProgressLine, isCancelled: @escaping @Sendable () -> Bool
  ) async throws -> UploadReport {
    guard queued else {
      var upload = FileUpload(of: Array(paths.dropLast()), by: try storage.copy(to: address))
      upload.removesVerified = removeWhenVerified
      return try await upload.run(isCancelled: isCancelled) { done, total in
        line.show { "\(Quantity.bytes(done)) of \(Quantity.bytes(total))" }
      }
    }
    let settings = storage.settings
    let queue = UploadQueue(of: address)
    var upload = QueuedUpload(queue) { () throws(ObjectStorageError) in
      RemoteCopy(to: address, account: try StorageAccount(), settings: settings)
    }
    if keepTrying {
      let key = ProcessInfo.processInfo.environment["AWS_ACCESS_KEY_ID"] ?? ""
      upload.mayGetNewCredentials = key.isEmpty
      upload.willWait = { seconds, failure in
        Console.note("\(failure.message); trying again in \(seconds) s")
      }
    }
    if let report = try await upload.run(isCancelled: isCancelled) { return report }
    guard try queue.isEmpty else {
      throw ObjectStorageError(
        .busy, "another process is uploading the queue for \(address); let it finish")
    }
    return UploadReport(address: address.description)
  }
}
