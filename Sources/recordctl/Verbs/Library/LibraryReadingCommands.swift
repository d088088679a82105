import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary

/// `recordctl library list`
struct LibraryListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists assets, oldest first.")

  @OptionGroup var place: LibraryArguments

  @Option(
    help:
      "Album: library, videos, photos, prores, raw, recently-added, favorites or recently-deleted.",
    completion: AssetCollection.SmartAlbum.completions,
    transform: AssetCollection.SmartAlbum.argument)
  var album: AssetCollection.SmartAlbum = .userLibrary

  @Option(
    help: "List only this many of the newest assets.",
    transform: Int.argument(in: 1...1_000_000_000))
  var limit: Int?

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let library = try place.open(for: .reading)
    var options = FetchOptions()
    options.fetchLimit = limit ?? 0
    // The album of what was recently added begins with the newest.
    let isReversed = limit != nil && album != .recentlyAdded
    if isReversed {
      options.sortDescriptors = [AssetSortDescriptor(key: .creationDate, ascending: false)]
    }
    let assets = try library.fetchAssets(in: album, options: options).allObjects()
    try LibraryListing.print(isReversed ? assets.reversed() : assets, json: json)
  }
}

/// `recordctl library search`
struct LibrarySearchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Finds assets by name, slate, codec, camera, timecode, frame rate or size.",
    discussion: """
      An asset matches if it contains every word, as in recordctl library search C003 prores or \
      recordctl library search "scene 12".
      """)

  @OptionGroup var place: LibraryArguments

  @Argument(help: "Words to search for.")
  var words: [String]

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let library = try place.open(for: .reading)
    let options = FetchOptions(predicate: .text(words.joined(separator: " ")))
    try LibraryListing.print(library.fetchAssets(with: options).allObjects(), json: json)
  }
}

/// `recordctl library show`
struct LibraryShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows the details of assets.")

  @OptionGroup var place: LibraryArguments
  @OptionGroup var chosen: AssetArguments

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let assets = try chosen.find(in: try place.open(for: .reading))
    guard !assets.isEmpty else {
      throw ValidationError(
        "no asset was named; give an identifier as `recordctl library list` prints it")
    }
    if json {
      return try Console.print(.assets, AssetListings(assets: assets.map(AssetSummary.init)))
    }
    Console.print(Array(assets.map(LibraryText.details).joined(separator: [""])))
  }
}

/// `recordctl library albums`
struct LibraryAlbumsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums", abstract: "Lists the albums and the number of assets in each.")

  @OptionGroup var place: LibraryArguments

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let library = try place.open(for: .reading)
    let counts = try library.albums.map { (album: $0, count: try $0.assetCount()) }
    if json {
      return try Console.print(
        .albums,
        AlbumListings(
          albums: counts.map {
            .init(album: $0.album.id, title: $0.album.localizedTitle, assetCount: $0.count)
          }))
    }
    var table = TextTable()
    table.add("ALBUM", "ASSETS", "TITLE")
    for (album, count) in counts { table.add(album.id, "\(count)", album.localizedTitle) }
    Console.print(table.lines)
  }
}

/// Albums as they are printed.
private struct AlbumListings: Encodable {
  struct Album: Encodable {
    let album: String
    let title: String
    let assetCount: Int
  }

  let albums: [Album]
}

/// Assets as they are printed.
struct AssetListings: Encodable {
  let assets: [AssetSummary]
}

/// Assets as they are printed.
enum LibraryListing {
  static func print(_ assets: [Asset], json: Bool) throws {
    if json {
      return try Console.print(.assets, AssetListings(assets: assets.map(AssetSummary.init)))
    }
    Console.print(LibraryText.table(assets))
  }
}
