import ArgumentParser
import Foundation
import MediaLibrary

/// `recordctl library`
struct LibraryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library", abstract: "Keeps recordings and photos in a library.",
    discussion: """
      The library is the folder that --library or the variable RECORDCTL_LIBRARY names, else \
      Recordings in the folder for pictures. The originals lie in it by year and month.
      """,
    subcommands: [
      LibraryListCommand.self, LibraryShowCommand.self, LibrarySearchCommand.self,
      LibraryAlbumsCommand.self, LibraryImportCommand.self, LibraryExportCommand.self,
      LibraryOffloadCommand.self, LibraryVerifyCommand.self, LibraryRebuildCommand.self,
      LibraryDeleteCommand.self, LibraryRestoreCommand.self, LibraryFavoriteCommand.self,
    ])
}

/// Which library is meant.
struct LibraryArguments: ParsableArguments {
  @Option(
    name: [.customShort("L"), .long], help: "The library's folder.", completion: .directory,
    transform: GivenPath.argument)
  var library: String?

  /// The library; for a verb that does not make one, it must be there.
  func open(makes: Bool = false) throws -> PhotoLibrary {
    let photos = library.map { PhotoLibrary(at: URL(filePath: $0)) } ?? .shared
    guard makes || photos.exists else {
      throw MediaLibraryError(
        .fileNotFound,
        "\(photos.url.path): is no library; name one with --library, or import something into it")
    }
    photos.onRepair { report in
      for line in LibraryText.repair(report) { Console.note("recordctl: \(line)") }
    }
    try photos.open()
    return photos
  }
}

/// Assets by their identifiers.
struct AssetArguments: ParsableArguments {
  @Argument(help: "Identifiers of assets, or their first characters.")
  var assets: [String] = []

  /// The assets, each once.
  func find(in library: PhotoLibrary) throws -> [Asset] {
    var seen: Set<String> = []
    return try named(in: library).filter { seen.insert($0.localIdentifier).inserted }
  }

  private func named(in library: PhotoLibrary) throws -> [Asset] {
    try assets.map { text in
      let found = try library.fetchAssets(withIdentifierPrefix: text)
      guard let asset = found.first else {
        throw MediaLibraryError(
          .assetNotFound, "'\(text)' is no asset here; recordctl library list shows them")
      }
      guard found.count == 1 || asset.localIdentifier == text.uppercased() else {
        throw ValidationError("'\(text)' fits several assets; give more of its characters")
      }
      return asset
    }
  }
}

extension AssetCollection.SmartAlbum {
  static func argument(_ text: String) throws -> AssetCollection.SmartAlbum {
    guard
      let album = AssetCollection.SmartAlbum(
        rawValue: text.lowercased().replacing("favourite", with: "favorite"))
    else {
      let names = allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("'\(text)' is no album; choose one of \(names)")
    }
    return album
  }

  static let completions = CompletionKind.list(allCases.map(\.rawValue))
}
