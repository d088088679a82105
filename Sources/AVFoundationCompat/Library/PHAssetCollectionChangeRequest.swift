public import Foundation
public import MediaLibrary

/// Makes, changes or deletes albums of users; for use in a change block. A request that is made outside of
/// one comes to nothing, and the next change block fails for it.
public final class PHAssetCollectionChangeRequest {
  private let base: AlbumChangeRequest
  private let titleBefore: String

  private init(_ base: AlbumChangeRequest, title: String) {
    self.base = base
    titleBefore = title
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in try base.join() }
  }

  /// A request for a new album. Titles need not differ.
  @discardableResult
  public static func creationRequestForAssetCollection(
    withTitle title: String
  ) -> PHAssetCollectionChangeRequest {
    PHAssetCollectionChangeRequest(AlbumChangeRequest(unplacedCreating: title), title: title)
  }

  /// A request to change an album; nil for one that fills itself.
  public convenience init?(for assetCollection: PHAssetCollection) {
    guard let album = assetCollection.userAlbum else { return nil }
    self.init(AlbumChangeRequest(unplacedFor: album.localIdentifier), title: album.title)
  }

  /// As ``init(for:)``: assets are found by their identifiers, whatever was fetched.
  public convenience init?(for assetCollection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
    self.init(for: assetCollection)
  }

  /// The title.
  public var title: String {
    get { base.title ?? titleBefore }
    set { base.title = newValue }
  }

  /// Stands for the album that the change block makes.
  public var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
    PHObjectPlaceholder(standingFor: base.localIdentifier)
  }

  /// Adds assets, or what stands for those that the block makes, after those that the album has.
  public func addAssets(_ assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.addAssets(try localIdentifiers(of: assets))
    }
  }

  /// Takes assets out of the album. They stay in the library.
  public func removeAssets(_ assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.removeAssets(try localIdentifiers(of: assets))
    }
  }

  /// Inserts assets, or what stands for those that the block makes, at the places that they will have. Where the
  /// album has no such place, the block fails.
  public func insertAssets(_ assets: any NSFastEnumeration, at indexes: IndexSet) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.insertAssets(try localIdentifiers(of: assets), at: Array(indexes))
    }
  }

  /// Takes the assets at places out of the album. They stay in the library.
  public func removeAssets(at indexes: IndexSet) { base.removeAssets(at: Array(indexes)) }

  /// Puts assets in the places of others, which stay in the library.
  public func replaceAssets(at indexes: IndexSet, withAssets assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.replaceAssets(at: Array(indexes), with: try localIdentifiers(of: assets))
    }
  }

  /// Moves assets, together, to begin at a place that is counted without them.
  public func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) {
    base.moveAssets(at: Array(fromIndexes), to: toIndex)
  }

  /// Deletes albums that users made; the change block fails for one that fills itself. Their assets stay in
  /// the library.
  public static func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      try AlbumChangeRequest.deleteAlbums(
        withLocalIdentifiers: try localIdentifiers(of: assetCollections))
    }
  }
}
