import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary

/// `recordctl library`
struct LibraryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library", abstract: "Manages a library of recordings and photos.",
    discussion: """
      The library is the folder given by --library, by RECORDCTL_LIBRARY or by the configuration \
      (default: Recordings in the pictures folder). It stores the originals by year and month.
      """,
    subcommands: [
      LibraryListCommand.self, LibraryShowCommand.self, LibrarySearchCommand.self,
      LibraryAlbumsCommand.self, LibraryImportCommand.self, LibraryExportCommand.self,
      LibraryOffloadCommand.self, LibraryVerifyCommand.self, LibraryRebuildCommand.self,
      LibraryDeleteCommand.self, LibraryRestoreCommand.self, LibraryRevertCommand.self,
      LibraryFavoriteCommand.self,
      LibraryTrustCommand.self,
    ])
}

/// Which library is meant.
struct LibraryArguments: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long], help: "Folder of the library.", completion: .directory,
    transform: GivenPath.argument)
  var library: String?

  /// The library; for a verb that does not make one, it must be there.
  ///
  /// What has to be put right before or while it is used is told on standard error.
  ///
  /// - Parameter purpose: A verb that reads leaves all but the hidden folder as it is.
  func open(for purpose: LibraryPurpose, makes: Bool = false) throws -> PhotoLibrary {
    let photos = try library.map { PhotoLibrary(at: URL(filePath: $0)) } ?? .userDefault
    guard try makes || photos.holdsLibrary() else {
      throw MediaLibraryError(
        .fileNotFound,
        "\(photos.url.path): not a library; name one with --library, or import something into it")
    }
    photos.tellRepairs()
    try photos.open(for: purpose)
    return photos
  }
}

/// Assets by their identifiers.
struct AssetArguments: ParsableArguments {
  @Argument(
    help: "Asset identifiers, or their first characters.", completion: Completion.assets)
  var assets: [String] = []

  /// The assets, each once.
  func find(in library: PhotoLibrary) throws -> [Asset] { try Self.find(assets, in: library) }

  /// The assets, each once, of which there is at least one.
  func findSome(in library: PhotoLibrary) throws -> [Asset] {
    let assets = try find(in: library)
    guard !assets.isEmpty else {
      throw ValidationError(
        "no asset was named; give identifiers as `recordctl library list` prints them")
    }
    return assets
  }

  /// The assets of identifiers or their first characters, each once.
  static func find(_ identifiers: [String], in library: PhotoLibrary) throws -> [Asset] {
    var seen: Set<String> = []
    return try named(identifiers, in: library).filter { seen.insert($0.localIdentifier).inserted }
  }

  private static func named(_ identifiers: [String], in library: PhotoLibrary) throws -> [Asset] {
    try identifiers.map { text in
      let found = try library.fetchAssets(withIdentifierPrefix: text)
      guard let asset = found.first else {
        throw MediaLibraryError(
          .assetNotFound, "unknown asset '\(text)'; `recordctl library list` shows all")
      }
      guard found.count == 1 || asset.localIdentifier == text.uppercased() else {
        throw ValidationError("'\(text)' fits \(found.count) assets; give more of its characters")
      }
      return asset
    }
  }
}

extension AssetCollection.SmartAlbum: NamedValue {
  static let noun = "album"

  /// Reads a name; the British spelling is one too.
  static func argument(_ text: String) throws -> Self {
    let name = text.lowercased().replacing("favourite", with: "favorite")
    guard let album = Self(rawValue: name) else { throw unknown(noun, text, names) }
    return album
  }
}
