import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import PhotoDevelopment

/// Photos of a library.
struct LibraryPhotoArguments: ParsableArguments {
  @Option(
    name: .customLong("asset"),
    help: "Photo from the library, by the first characters of its identifier; repeatable.",
    completion: Completion.assets)
  var assets: [String] = []

  @Option(
    help: "Photos from this album of the library.",
    completion: AssetCollection.SmartAlbum.completions,
    transform: AssetCollection.SmartAlbum.argument)
  var album: AssetCollection.SmartAlbum?

  @OptionGroup var place: LibraryArguments

  /// True where photos of a library are asked for.
  var isWanted: Bool { !assets.isEmpty || album != nil }

  func validate() throws {
    guard place.library == nil || isWanted else {
      throw ValidationError("--library needs --asset or --album to choose photos from it")
    }
  }

  /// A photo of the library.
  struct Photo {
    let asset: Asset
    /// Its DNG file.
    let path: String
    /// Its earlier edits, or the XMP that came with it. XMP files beside it don't count, because other
    /// photos' files lie in the same folder.
    let sidecar: SidecarPlace
  }

  /// The photos, and a message about the album's assets without a DNG file, which are left out; nil for none.
  func photos(
    for purpose: LibraryPurpose = .reading
  ) throws -> (found: [Photo], remark: String?) {
    guard isWanted else { return ([], nil) }
    let library = try place.open(for: purpose)
    var photos: [Photo] = []
    for asset in try AssetArguments.find(assets, in: library) {
      guard let photo = Photo(asset) else {
        throw MediaLibraryError(
          .invalidArgument, "\(asset.originalFilename): the asset has no DNG file to develop")
      }
      photos.append(photo)
    }
    var remark: String?
    if let album {
      let assets = try library.fetchAssets(in: album).allObjects()
      let found = assets.compactMap(Photo.init)
      guard !found.isEmpty || !photos.isEmpty else {
        throw MediaLibraryError(.assetNotFound, "the album \(album.title) has no DNG files")
      }
      photos += found.filter { photo in !photos.contains { $0.path == photo.path } }
      let count = assets.count - found.count
      if count > 0 {
        remark =
          "\(count == 1 ? "1 asset" : "\(count) assets") of the album \(album.title) without a DNG file "
          + (count == 1 ? "is left out" : "are left out")
      }
    }
    return (photos, remark)
  }
}

extension LibraryPhotoArguments.Photo {
  /// The DNG file of an asset: the photo itself, or the one beside a processed photo; nil without one.
  fileprivate init?(_ asset: Asset) {
    let file = asset.resources.first {
      ($0.type == .photo || $0.type == .alternatePhoto)
        && $0.fileURL.pathExtension.lowercased() == "dng"
    }
    guard let file else { return nil }
    func packet(_ type: AssetResourceType) -> AssetResource? {
      asset.resources.first {
        $0.type == type && $0.fileURL.pathExtension.lowercased() == "xmp"
      }
    }
    let packet = packet(.adjustmentData) ?? packet(.companion)
    self.init(
      asset: asset, path: file.fileURL.path,
      sidecar: packet.map { .file($0.fileURL.path) } ?? .none)
  }
}

extension [LibraryPhotoArguments.Photo] {
  /// Where their XMP is, by their DNG files.
  var sidecars: [String: SidecarPlace] {
    Dictionary(map { ($0.path, $0.sidecar) }, uniquingKeysWith: { first, _ in first })
  }
}
