import ASCMHL
import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import ObjectStorage

/// `recordctl library offload`
struct LibraryOffloadCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offload",
    abstract: """
      Copies the library, an album or a card to folders or object storage, and verifies the \
      copies.
      """,
    discussion: """
      Each copy is read back from its disk, and an ASC MHL manifest is written beside it. Files \
      that already exist are verified and not copied again.

      With --from, the folder of a card is copied unchanged to all disks at the same time: each \
      file is read once and written to DEST/NAME, where NAME is the name of the card's folder or \
      as given by --name. If one disk fails, the others continue. After an interruption, the same \
      command continues with the missing files.

      s3://BUCKET/PREFIX names object storage instead of a folder. Server, region and credentials \
      are configured as for Amazon's tools: AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE, \
      AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ~/.aws/config, ~/.aws/credentials. Each object is \
      either complete and verified or absent. Existing objects are never overwritten, and what was \
      sent before an interruption is not sent again.
      """)

  @OptionGroup var place: LibraryArguments

  @OptionGroup var storage: StorageArguments

  @Argument(
    help: "Destination folders, or addresses in object storage.", completion: .directory,
    transform: GivenPath.argument)
  var folders: [String]

  @Option(
    name: .customLong("from"), help: "Copy the card in this folder instead of the library.",
    completion: .directory, transform: GivenPath.argument)
  var card: String?

  @Option(help: "With --from: name of the copy in each destination.")
  var name: String?

  @Flag(name: .customLong("import"), help: "With --from: also import the card into the library.")
  var imports = false

  @Option(
    help: "Copy this album instead of everything.",
    completion: AssetCollection.SmartAlbum.completions,
    transform: AssetCollection.SmartAlbum.argument)
  var album: AssetCollection.SmartAlbum?

  @Flag(
    help: """
      Then delete the assets whose copies are verified in every folder; they move to the album \
      recently-deleted. Each folder must be on a separate disk.
      """)
  var delete = false

  @Flag(help: "Create missing folders.")
  var create = false

  @Option(
    help: "Write a report with thumbnails to FILE.html or FILE.pdf; repeatable.",
    completion: .file(extensions: ["html", "pdf"]), transform: CopyReportFile.argument)
  var report: [CopyReportFile] = []

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if card != nil, delete || album != nil {
      throw ValidationError(
        "--delete and --album apply to the library; leave them out with --from")
    }
    guard !create || folders.contains(where: { !ObjectAddress.isMeant(by: $0) }) else {
      throw ValidationError(
        "--create creates folders, which object storage does not need; leave it out")
    }
    guard card == nil || imports || place.library == nil else {
      throw ValidationError(
        "with --from, --library is for --import; add it, or leave --library out")
    }
    let addresses = try folders.compactMap { try StorageArguments.address($0) }
    guard storage.bandwidth == nil && storage.objectLock == nil || !addresses.isEmpty else {
      throw ValidationError(
        "--bandwidth and --object-lock apply to object storage; name an s3:// address")
    }
    for (option, isGiven) in [("--import", imports), ("--name", name != nil)]
    where isGiven && card == nil {
      throw ValidationError("\(option) needs --from with a card's folder")
    }
  }

  func run() async throws {
    for file in report { try file.checkFolder() }
    if let card { try await offload(card: card) } else { try await offloadLibrary() }
  }

  /// The folders among the destinations.
  private var disks: [URL] {
    folders.filter { !ObjectAddress.isMeant(by: $0) }.map { URL(filePath: $0) }
  }

  /// The copies in object storage among them.
  ///
  /// - Parameter name: What each has below its address; nil for nothing.
  private func copies(named name: String? = nil) throws -> [RemoteCopy] {
    try folders.compactMap { try StorageArguments.address($0) }.map { address in
      try storage.copy(to: name.map { address.appending($0) } ?? address)
    }
  }

  // MARK: A card

  private struct Imported: Encodable {
    let isValid: Bool
    var libraryImport: ImportReport?
    /// Why nothing was imported; nil where that went well, or was not asked for.
    var importFailure: ErrorSummary?
  }

  private func offload(card: String) async throws {
    var offload = FolderOffload(of: URL(filePath: card), to: disks)
    offload.createsDestinations = create
    if let name { offload.name = name }
    let uploads = FolderUploads(
      try copies(named: offload.name).map { FolderUpload(of: offload.source, by: $0) })
    try uploads.check()
    // What cannot be imported is told before hours of copying.
    let library = imports ? try place.open(for: .changing, makes: true) : nil
    let cancellation = Cancellation()
    let interruption = Interruption { cancellation.cancel() }
    let line = ProgressLine()
    let result = await Result.awaiting { [offload] in
      try await Self.run(offload, uploads, isCancelled: { cancellation.isCancelled }) { step in
        line.show { OffloadText.progress(step) }
      }
    }
    line.clear()
    var copied = try result.get()
    // After the last byte a signal may still have prevented the import.
    if cancellation.isCancelled, library != nil { copied.wasInterrupted = true }
    // Hours of copying are told before anything else is tried.
    if !json { Console.print(OffloadText.lines(copied)) }
    var statuses = [ExitStatus(copied)]
    var imported = Imported(isValid: copied.isSound)
    if let library, !copied.wasInterrupted {
      let end = await Self.importing(card, into: library, interruption, cancellation)
      statuses.append(tell(end, &imported, reachingNetwork: !uploads.uploads.isEmpty))
    }
    withExtendedLifetime(interruption) {}
    if json { try Console.print(JSONDocument(.cardOffload, copied, imported)) }
    if !write(copied) { statuses.append(.failure) }
    if let status = statuses.first(where: { $0 != .success }) { throw status.exit }
  }

  /// Imports the card; the first signal from now on ends that.
  private static func importing(
    _ card: String, into library: PhotoLibrary, _ interruption: Interruption,
    _ cancellation: Cancellation
  ) async -> Result<ImportReport, MediaLibraryError> {
    let task = Task { () async -> Result<ImportReport, MediaLibraryError> in
      do throws(MediaLibraryError) {
        return .success(try await library.importFiles([URL(filePath: card)]))
      } catch { return .failure(error) }
    }
    interruption.renew { task.cancel() }
    // A signal that came between was told to the copy.
    if cancellation.isCancelled { task.cancel() }
    return await task.value
  }

  /// Tells what the library took in.
  private func tell(
    _ end: Result<ImportReport, MediaLibraryError>, _ imported: inout Imported,
    reachingNetwork: Bool
  ) -> ExitStatus {
    switch end {
    case .success(let report):
      imported.libraryImport = report
      if !json { Console.print(OffloadText.lines(report)) }
      if report.wasInterrupted { return .cut(reachingNetwork: reachingNetwork) }
      return report.failures.isEmpty ? .success : .failure
    case .failure(let error):
      imported.importFailure = ErrorSummary(error)
      Console.note("the copies are complete, but nothing was imported: \(error.message)")
      return ExitStatus(of: error)
    }
  }

  /// Disks at the same time, then object storage.
  private static func run(
    _ offload: FolderOffload, _ uploads: FolderUploads,
    isCancelled: @escaping @Sendable () -> Bool,
    _ progress: @escaping @Sendable (OffloadProgress) -> Void
  ) async throws -> OffloadReport {
    guard !offload.destinations.isEmpty else {
      return try await uploads.run(after: nil, isCancelled: isCancelled, progress: progress)
    }
    let disks = try await offload.run(isCancelled: isCancelled, progress: progress)
    return try await uploads.run(after: disks, isCancelled: isCancelled, progress: progress)
  }

  /// Writes the reports last: the copies are valid even if these fail.
  ///
  /// - Returns: False if one could not be written, which was reported.
  private func write(_ offload: OffloadReport) -> Bool {
    guard !report.isEmpty else { return true }
    let sheet = CopyReport(of: offload)
    var isWritten = true
    for file in report {
      do { try file.write(sheet) } catch {
        Console.note("the copies are complete, but the report was not written: \(error)")
        isWritten = false
      }
    }
    return isWritten
  }

  // MARK: The library

  private struct Listing: Encodable {
    let destinations: [ExportReport]
    let deletedAssets: [String]
    /// Those that changed while they were copied, and stay.
    let changedAssets: [String]?
    /// Why none was deleted.
    let deletionError: ErrorSummary?

    init(_ offload: LibraryOffload) {
      (destinations, deletedAssets) = (offload.reports, offload.deleted)
      changedAssets = offload.changed.isEmpty ? nil : offload.changed
      deletionError = offload.deletionFailure.map { ErrorSummary($0) }
    }
  }

  private func offloadLibrary() async throws {
    let library = try place.open(for: delete ? .changing : .reading)
    let copies = try copies()
    let assets = try library.fetchAssets(in: album ?? .userLibrary).allObjects()
    guard !assets.isEmpty else {
      throw ValidationError(
        "\(album == nil ? "the library has no assets" : "the album is empty"); there is nothing to copy"
      )
    }
    let line = LibraryProgressLine()
    let result = await Interruption.cancelling { [disks, delete, create] in
      try await library.offload(
        assets, to: disks, and: copies, deletes: delete, createsFolders: create
      ) { line.show($0) }
    }
    line.clear()
    let offload = try result.get()
    let reports = offload.reports
    if json {
      try Console.print(.libraryOffload, Listing(offload))
    } else {
      Console.print(reports.flatMap(LibraryText.export))
      if delete { Console.print("\(Quantity.count(offload.deleted.count, "asset")) deleted") }
    }
    if let line = OffloadText.changed(offload.changed) { Console.note(line) }
    if let failure = offload.deletionFailure {
      Console.note("the copies are complete, but nothing was deleted: \(failure.message)")
    }
    if reports.contains(where: \.wasInterrupted) {
      Console.note(OffloadText.interrupted)
    }
    let isReported = write(OffloadReport(of: reports, from: library.url.path))
    let status = ExitStatus(offload)
    if !isReported, [.success, .imperfect].contains(status) { throw ExitStatus.failure.exit }
    if status != .success { throw status.exit }
  }
}
