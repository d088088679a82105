import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary

/// Photos of a library.
struct LibraryPhotoArguments: ParsableArguments {
  @Option(
    name: .customLong("asset"),
    help: "A photo of the library, by its identifier's first characters.",
    completion: Completion.assets)
  var assets: [String] = []

  @Option(
    help: "The photos of an album of the library.",
    completion: AssetCollection.SmartAlbum.completions,
    transform: AssetCollection.SmartAlbum.argument)
  var album: AssetCollection.SmartAlbum?

  @OptionGroup var place: LibraryArguments

  /// True where photos of a library are asked for.
  var isWanted: Bool { !assets.isEmpty || album != nil }

  func validate() throws {
    guard place.library == nil || isWanted else {
      throw ValidationError("--library wants photos: name them with --asset or --album")
    }
  }

  /// The DNG files of the photos; assets of an album without one are left out.
  func files() throws -> [String] {
    guard isWanted else { return [] }
    let photos = try place.open(for: .reading)
    var files: [String] = []
    for asset in try AssetArguments.find(assets, in: photos) {
      guard let file = asset.negative else {
        throw MediaLibraryError(
          .invalidArgument, "\(asset.originalFilename): the asset has no DNG file to develop")
      }
      files.append(file)
    }
    if let album {
      let found = try photos.fetchAssets(in: album).allObjects().compactMap(\.negative)
      guard !found.isEmpty || !files.isEmpty else {
        throw MediaLibraryError(.assetNotFound, "the album \(album.title) has no DNG files")
      }
      files += found.filter { !files.contains($0) }
    }
    return files
  }
}

extension Asset {
  /// The path of the DNG file: the photo itself, or the one beside a processed photo.
  fileprivate var negative: String? {
    resources.first {
      ($0.type == .photo || $0.type == .alternatePhoto)
        && $0.fileURL.pathExtension.lowercased() == "dng"
    }?.fileURL.path
  }
}
