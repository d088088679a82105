public import FoundationEssentials
import Synchronization

/// Changes or deletes assets, like `PHAssetChangeRequest`. Use it in a change block.
public final class AssetChangeRequest: Sendable {
  let update: Mutex<JournalEntry.Update>
  /// The asset as it was when the request was made.
  package let asset: Asset
  private var before: AssetRecord { asset.record }

  /// A request to change an asset.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public convenience init(for asset: Asset) throws(MediaLibraryError) {
    self.init(unplacedFor: asset)
    try join()
  }

  /// A request without effect until it joins a change block.
  package init(unplacedFor asset: Asset) {
    self.asset = asset
    update = Mutex(JournalEntry.Update(id: asset.localIdentifier))
  }

  /// Adds the request to the running change block.
  package func join() throws(MediaLibraryError) { try ChangeBlock.add(.update(self)) }

  /// True for a favorite.
  public var isFavorite: Bool {
    get { update.withLock { $0.favorite } ?? before.favorite }
    set { update.withLock { $0.favorite = newValue } }
  }

  /// When the asset was created. Changing it does not move the file.
  public var creationDate: Date {
    get { Date(timeIntervalSince1970: update.withLock { $0.created } ?? before.created) }
    set { update.withLock { $0.created = newValue.timeIntervalSince1970 } }
  }

  /// Where the asset was created.
  public var location: GeographicLocation? {
    get { update.withLock { $0.location.map(\.value) } ?? before.location }
    set { update.withLock { $0.location = .init(value: newValue) } }
  }

  /// Moves assets to the recently deleted. Their files stay until the retention time is over.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func deleteAssets(_ assets: some Sequence<Asset>) throws(MediaLibraryError) {
    for asset in assets { try ChangeBlock.add(.trash(asset.localIdentifier)) }
  }

  /// Like ``deleteAssets(_:)``, by identifiers.
  package static func deleteAssets(
    withLocalIdentifiers identifiers: [String]
  ) throws(MediaLibraryError) {
    for identifier in identifiers { try ChangeBlock.add(.trash(identifier)) }
  }

  /// Like ``deleteAssets(_:)``, for assets that have been copied. An asset whose files have changed
  /// since is kept, and listed in ``ChangeReport/changedSinceCopied``.
  static func deleteAssets(copied records: [AssetRecord]) throws(MediaLibraryError) {
    for record in records { try ChangeBlock.add(.trashCopied(record.id, record.resources)) }
  }

  /// Restores recently deleted assets.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func restoreAssets(_ assets: some Sequence<Asset>) throws(MediaLibraryError) {
    for asset in assets { try ChangeBlock.add(.restore(asset.localIdentifier)) }
  }

  /// Permanently removes recently deleted assets, and their files.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidState`` outside of a change block.
  public static func expungeAssets(_ assets: some Sequence<Asset>) throws(MediaLibraryError) {
    for asset in assets { try ChangeBlock.add(.expunge(asset.localIdentifier)) }
  }
}
