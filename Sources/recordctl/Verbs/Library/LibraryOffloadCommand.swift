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
    abstract: "Copies the library, an album or a card to folders or object storage, verified.",
    discussion: """
      Each copy is read again from its disk, and an ASC MHL manifest is written beside it. What is \
      there already is verified and not copied again.

      With --from, a card's folder is copied as it is to every disk at once: each file is read once, \
      and lands in DEST/NAME, where NAME is the card's folder unless --name says otherwise. A disk \
      that fails does not stop the others. After an interruption the same command goes on with what \
      is missing.

      s3://BUCKET/PREFIX names object storage in place of a folder. Server, region and credentials are \
      those of Amazon's own tools: AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE, AWS_ACCESS_KEY_ID, \
      AWS_SECRET_ACCESS_KEY, ~/.aws/config, ~/.aws/credentials. An object is there whole and verified, \
      or not at all; none is overwritten; what arrived before an interruption is not sent again.
      """)

  @OptionGroup var place: LibraryArguments

  @OptionGroup var storage: StorageArguments

  @Argument(
    help: "The folders, or addresses in object storage.", completion: .directory,
    transform: GivenPath.argument)
  var folders: [String]

  @Option(
    name: .customLong("from"), help: "Copy this card's folder instead of the library.",
    completion: .directory, transform: GivenPath.argument)
  var card: String?

  @Option(help: "With --from: the name of the copy in each folder.")
  var name: String?

  @Flag(name: .customLong("import"), help: "With --from: also import the card into the library.")
  var imports = false

  @Option(
    help: "Copy an album instead of everything.",
    completion: AssetCollection.SmartAlbum.completions,
    transform: AssetCollection.SmartAlbum.argument)
  var album: AssetCollection.SmartAlbum?

  @Flag(
    help: """
      Then delete what is whole in every folder (into the recently deleted). Each folder has to be on \
      a disk of its own.
      """)
  var delete = false

  @Flag(help: "Create missing folders.")
  var create = false

  @Option(
    help: "Write a report with thumbnails, FILE.html or FILE.pdf; repeatable.",
    completion: .file(extensions: ["html", "pdf"]), transform: CopyReportFile.argument)
  var report: [CopyReportFile] = []

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if card != nil, delete || album != nil {
      throw ValidationError(
        "--delete and --album are about the library; leave them out with --from")
    }
    let addresses = try folders.compactMap { try StorageArguments.address($0) }
    guard storage.bandwidth == nil && storage.objectLock == nil || !addresses.isEmpty else {
      throw ValidationError(
        "--bandwidth and --object-lock are about object storage; name an s3:// address")
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
    let libraryImport: ImportReport?
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
    withExtendedLifetime(interruption) {}
    var copied = try result.get()
    // Behind the last byte a signal may still keep the library from what it was to take.
    if cancellation.isCancelled, library != nil { copied.wasInterrupted = true }
    try write(copied)
    let imported =
      cancellation.isCancelled ? nil : try await library?.importFiles([URL(filePath: card)])
    if json {
      try Console.print(
        JSONDocument(
          .cardOffload, copied, Imported(isValid: copied.isSound, libraryImport: imported)))
    } else {
      Console.print(OffloadText.lines(copied))
      if let imported { Console.print(OffloadText.lines(imported)) }
    }
    guard copied.isSound, imported?.failures.isEmpty != false else {
      let wasCut = copied.wasInterrupted && copied.hasNoFailures
      throw (wasCut ? ExitStatus.cut(reachingNetwork: !uploads.uploads.isEmpty) : .failure).exit
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

  private func write(_ offload: OffloadReport) throws {
    guard !report.isEmpty else { return }
    let sheet = CopyReport(of: offload)
    for file in report { try file.write(sheet) }
  }

  // MARK: The library

  private struct Listing: Encodable {
    let destinations: [ExportReport]
    let deletedAssets: [String]
  }

  private func offloadLibrary() async throws {
    let library = try place.open(for: delete ? .changing : .reading)
    let copies = try copies()
    let assets = try library.fetchAssets(in: album ?? .userLibrary).allObjects()
    guard !assets.isEmpty else { throw ValidationError("the album is empty") }
    let line = LibraryProgressLine()
    let result = await Interruption.cancelling { [disks, delete, create] in
      try await library.offload(
        assets, to: disks, and: copies, deletes: delete, createsFolders: create
      ) { line.show($0) }
    }
    line.clear()
    let (reports, deleted) = try result.get()
    try write(OffloadReport(of: reports, from: library.url.path))
    if json {
      try Console.print(.libraryOffload, Listing(destinations: reports, deletedAssets: deleted))
    } else {
      Console.print(reports.flatMap(LibraryText.export))
      if delete { Console.print("\(Quantity.count(deleted.count, "asset")) deleted") }
    }
    if reports.contains(where: \.wasInterrupted) {
      Console.complain(OffloadText.interrupted)
    }
    let status = ExitStatus(reports)
    if status != .success { throw status.exit }
  }
}

extension OffloadReport {
  /// True where what is missing was not tried.
  fileprivate var hasNoFailures: Bool {
    refused.isEmpty && destinations.allSatisfy(\.failures.isEmpty)
  }
}
