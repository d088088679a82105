import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary

/// What a change did, for programs.
private struct ChangeListing: Encodable {
  /// Assets that were changed, deleted or restored.
  let changedAssets: [String]
  /// Assets that were removed permanently because they were named.
  let removedAssets: [String]
  /// How many more assets were removed permanently because they had expired.
  let expiredCount: Int
  /// Files that could not be removed yet, and the like.
  let warnings: [String]

  init(_ report: ChangeReport, expired: ChangeReport? = nil) {
    changedAssets = report.changedAssets
    removedAssets = report.removedAssets
    expiredCount = expired?.removedAssets.count ?? 0
    // Files that could not be removed are retried, and reported again, with each change.
    var reported: Set<String> = []
    warnings = (report.warnings + (expired?.warnings ?? [])).filter { reported.insert($0).inserted }
  }

  /// Prints it, as JSON or with a line that says how much was done.
  func print(asJSON: Bool, _ line: String) throws {
    if asJSON { return try Console.print(.libraryChange, self) }
    Console.print(line)
    for warning in warnings { Console.note(warning) }
  }
}

/// `recordctl library delete`
struct LibraryDeleteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Deletes assets, or removes deleted ones permanently.",
    discussion: """
      A deleted asset can be restored until it expires, after 30 days unless the library's \
      settings say otherwise. Each delete also purges expired assets. If the clock may have jumped \
      they are kept, with a warning, and a delete a day later purges them.
      """)

  @OptionGroup var place: LibraryArguments
  @OptionGroup var chosen: AssetArguments

  @Flag(help: "Permanently remove assets that are already deleted, and their files.")
  var forGood = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let library = try place.open(for: .changing)
    let assets = try chosen.findSome(in: library)
    let forGood = forGood
    let report = try await library.performChanges {
      if forGood {
        try AssetChangeRequest.expungeAssets(assets)
      } else {
        try AssetChangeRequest.deleteAssets(assets)
      }
    }
    let expired = try await library.expungeExpired()
    let listing = ChangeListing(report, expired: expired)
    let count = report.changedAssets.count + report.removedAssets.count
    let more = listing.expiredCount
    try listing.print(
      asJSON: json,
      "\(Quantity.count(count, "asset")) \(forGood ? "removed" : "deleted")"
        + (more > 0 ? "; \(more) expired and removed" : ""))
  }
}

/// `recordctl library restore`
struct LibraryRestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restores recently deleted assets.")

  @OptionGroup var place: LibraryArguments
  @OptionGroup var chosen: AssetArguments

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let library = try place.open(for: .changing)
    let assets = try chosen.findSome(in: library)
    let report = try await library.performChanges { try AssetChangeRequest.restoreAssets(assets) }
    try ChangeListing(report).print(
      asJSON: json, "\(Quantity.count(report.changedAssets.count, "asset")) restored")
  }
}

/// `recordctl library favorite`
struct LibraryFavoriteCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "favorite", abstract: "Marks assets as favorites.", aliases: ["favourite"])

  @OptionGroup var place: LibraryArguments
  @OptionGroup var chosen: AssetArguments

  @Flag(help: "Remove the mark.")
  var off = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let library = try place.open(for: .changing)
    let assets = try chosen.findSome(in: library)
    let isFavorite = !off
    let report = try await library.performChanges {
      for asset in assets { try AssetChangeRequest(for: asset).isFavorite = isFavorite }
    }
    try ChangeListing(report).print(
      asJSON: json, "\(Quantity.count(report.changedAssets.count, "asset")) changed")
  }
}

/// `recordctl library rebuild`
struct LibraryRebuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild", abstract: "Rebuilds the catalogue from the journal and the files.",
    discussion: """
      Originals that are missing from the catalogue are added, and entries whose files are missing \
      are removed. No file is changed.
      """)

  @OptionGroup var place: LibraryArguments

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let url = try place.library.map { URL(filePath: $0) } ?? PhotoLibrary.userDefault.url
    let library = PhotoLibrary(at: url)
    guard library.exists || FileManager.default.fileExists(atPath: url.path) else {
      throw MediaLibraryError(
        .fileNotFound, "\(url.path): no such folder; name the library with --library")
    }
    let line = LibraryProgressLine()
    let result = Result { try library.rebuild { line.show($0) } }
    line.clear()
    var report = try result.get()
    if json { return try Console.print(.libraryRebuild, report) }
    var lines = [Quantity.count(report.assetCount ?? 0, "asset")]
    lines += report.adoptedFiles.map { "added: \($0)" }
    if report.catalogueSetAside == nil { report.wasRebuilt = false }
    lines += LibraryText.repair(report)
    Console.print(lines)
  }
}

/// `recordctl library revert`
struct LibraryRevertCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert",
    abstract: "Reverts assets to their untouched originals.")

  @OptionGroup var place: LibraryArguments
  @OptionGroup var chosen: AssetArguments

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    let library = try place.open(for: .changing)
    let assets = try chosen.findSome(in: library)
    let report = try await library.performChanges {
      try AssetChangeRequest.revertToOriginals(assets)
    }
    try ChangeListing(report).print(
      asJSON: json, "\(Quantity.count(report.changedAssets.count, "asset")) reverted")
  }
}
