import ASCMHL
import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import ObjectStorage

/// `recordctl library export`
struct LibraryExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Copies assets to a folder, verifies them and writes an ASC MHL manifest.")

  @OptionGroup var place: LibraryArguments
  @OptionGroup var chosen: AssetArguments

  @Option(
    name: [.short, .customLong("output")], help: "Destination folder.", completion: .directory,
    transform: GivenPath.argument)
  var output: String

  @Option(
    help: "Also export this album.",
    completion: AssetCollection.SmartAlbum.completions,
    transform: AssetCollection.SmartAlbum.argument)
  var album: AssetCollection.SmartAlbum?

  @Flag(help: "Put all files in one folder instead of folders by year and month.")
  var flat = false

  @Flag(help: "Do not write a manifest.")
  var noManifest = false

  @Flag(help: "Create the folder if it is missing.")
  var create = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let library = try place.open(for: .reading)
    var assets = try chosen.find(in: library)
    if let album { assets += try library.fetchAssets(in: album).allObjects() }
    guard !assets.isEmpty else {
      throw ValidationError(
        "no asset was named; give identifiers as `recordctl library list` prints them, or --album")
    }
    var options = ExportOptions()
    options.isFlat = flat
    options.writesManifest = !noManifest
    options.createsFolder = create
    let line = ProgressLine()
    let total = assets.reduce(0) { $0 + $1.fileSize }
    let result = await Interruption.cancelling { [assets, options, output] in
      try await library.export(assets, to: URL(filePath: output), options: options) { done in
        line.show { "\(Quantity.bytes(done)) of \(Quantity.bytes(total))" }
      }
    }
    line.clear()
    let report = try result.get()
    if json {
      try Console.print(.libraryExport, report)
    } else {
      Console.print(LibraryText.export(report))
    }
    if report.wasInterrupted { Console.note(OffloadText.interrupted) }
    let status = ExitStatus([report])
    if status != .success { throw status.exit }
  }
}

/// `recordctl library verify`
struct LibraryVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verifies every file against its recorded hash.",
    discussion: """
      Verifies the library's files against the hashes taken on import; with --copy, a folder \
      against its ASC MHL manifests, whichever tool wrote them. A copy in object storage \
      (s3://BUCKET/PREFIX) is compared by size and by the checksums that the server computed; with \
      --read, every object is read.
      """)

  @OptionGroup var place: LibraryArguments

  @Option(
    help: "Verify this folder with an ASC MHL manifest, or this address in object storage.",
    completion: .directory,
    transform: GivenPath.argument)
  var copy: String?

  @Flag(help: "With --copy and an s3:// address: read every object.")
  var read = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    if let copy {
      let report = try Self.verify(copy, reads: read)
      if json {
        try Console.print(JSONDocument(.copyVerification, report, Verdict(isValid: report.isSound)))
      } else {
        Console.print(CopyText.lines(report))
      }
      if !report.isSound { throw ExitStatus.failure.exit }
      return
    }
    let line = LibraryProgressLine()
    let library = try place.open(for: .reading)
    let result = await Result.awaiting { try await library.verify { line.show($0) } }
    line.clear()
    let report = try result.get()
    if json {
      try Console.print(
        JSONDocument(.libraryVerification, report, Verdict(isValid: report.isSound)))
    } else {
      Console.print(Self.lines(report))
    }
    if !report.isSound { throw ExitStatus.failure.exit }
  }

  func validate() throws {
    guard copy == nil || place.library == nil else {
      throw ValidationError(
        "--copy checks a folder against its manifests without a library; leave out --library"
      )
    }
    guard read else { return }
    guard let copy, ObjectAddress.isMeant(by: copy) else {
      throw ValidationError("--read needs --copy with an s3:// address")
    }
  }

  private static func verify(_ copy: String, reads: Bool) throws -> CopyVerification {
    guard let address = try StorageArguments.address(copy) else {
      return try CopyVerification.verify(folder: URL(filePath: copy))
    }
    var verification = RemoteVerification(of: address, account: try StorageAccount())
    verification.readsObjects = reads
    return try verification.run()
  }

  private static func lines(_ report: LibraryVerification) -> [String] {
    var lines = report.damaged.map { "damaged: \($0.path): \($0.message)" }
    lines += report.missing.map { "missing: \($0.path): \($0.message)" }
    lines += report.unlisted.map { path in
      // What is not UTF-8 was read so.
      let isText = !path.unicodeScalars.contains("\u{FFFD}")
      return "not in the catalogue: \(path); "
        + (isText ? "" : "names must be UTF-8; rename it, then ")
        + "`recordctl library rebuild` adds it"
    }
    if let journal = report.journal { lines.append("journal: \(journal)") }
    lines.append(
      "\(Quantity.count(report.checkedCount, "file")), \(Quantity.bytes(report.byteCount)); "
        + (report.isSound ? "all complete" : "NOT complete"))
    return lines
  }
}
