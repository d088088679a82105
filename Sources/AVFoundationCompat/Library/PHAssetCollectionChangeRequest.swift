public import Foundation
public import MediaLibrary

/// Creates, changes or deletes users' albums; for use in a change block. A request made outside of one has no effect,
/// and the next change block fails.
public final class PHAssetCollectionChangeRequest {
  private let base: AlbumChangeRequest
  private let titleBefore: String

  private init(_ base: AlbumChangeRequest, title: String) {
    self.base = base
    titleBefore = title
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in try base.join() }
  }

  /// A request to create an album. Titles need not be unique.
  @discardableResult
  public static func creationRequestForAssetCollection(
    withTitle title: String
  ) -> PHAssetCollectionChangeRequest {
    PHAssetCollectionChangeRequest(AlbumChangeRequest(unplacedCreating: title), title: title)
  }

  /// A request to change an album; nil for a smart album.
  public convenience init?(for assetCollection: PHAssetCollection) {
    guard let album = assetCollection.userAlbum else { return nil }
    self.init(AlbumChangeRequest(unplacedFor: album.localIdentifier), title: album.title)
  }

  /// Same as ``init(for:)``: assets are found by their identifiers, so the fetch result is not needed.
  public convenience init?(for assetCollection: PHAssetCollection, assets: PHFetchResult<PHAsset>) {
    self.init(for: assetCollection)
  }

  public var title: String {
    get { base.title ?? titleBefore }
    set { base.title = newValue }
  }

  /// Stands for the album that the change block creates.
  public var placeholderForCreatedAssetCollection: PHObjectPlaceholder {
    PHObjectPlaceholder(standingFor: base.localIdentifier)
  }

  /// Appends assets, or placeholders of assets that the block creates.
  public func addAssets(_ assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.addAssets(try localIdentifiers(of: assets))
    }
  }

  /// Removes assets from the album. They stay in the library.
  public func removeAssets(_ assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.removeAssets(try localIdentifiers(of: assets))
    }
  }

  /// Inserts assets, or placeholders of assets that the block creates, at the indexes that they will have. If an
  /// index is out of range, the block fails.
  public func insertAssets(_ assets: any NSFastEnumeration, at indexes: IndexSet) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.insertAssets(try localIdentifiers(of: assets), at: Array(indexes))
    }
  }

  /// Removes the assets at indexes from the album. They stay in the library.
  public func removeAssets(at indexes: IndexSet) { base.removeAssets(at: Array(indexes)) }

  /// Replaces assets of the album with others. The replaced ones stay in the library.
  public func replaceAssets(at indexes: IndexSet, withAssets assets: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      base.replaceAssets(at: Array(indexes), with: try localIdentifiers(of: assets))
    }
  }

  /// Moves assets as a group. The target index counts without them.
  public func moveAssets(at fromIndexes: IndexSet, to toIndex: Int) {
    base.moveAssets(at: Array(fromIndexes), to: toIndex)
  }

  /// Deletes users' albums; the change block fails for a smart album. The assets stay in the library.
  public static func deleteAssetCollections(_ assetCollections: any NSFastEnumeration) {
    MisplacedRequests.shared.note { () throws(MediaLibraryError) in
      try AlbumChangeRequest.deleteAlbums(
        withLocalIdentifiers: try localIdentifiers(of: assetCollections))
    }
  }
}
