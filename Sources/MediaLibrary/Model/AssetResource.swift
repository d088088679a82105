public import FoundationEssentials

/// A file of an asset, like `PHAssetResource`.
public struct AssetResource: Sendable, Hashable {
  public let library: PhotoLibrary
  public let assetLocalIdentifier: String
  let record: ResourceRecord

  init(_ record: ResourceRecord, of asset: Asset) {
    self.record = record
    library = asset.library
    assetLocalIdentifier = asset.localIdentifier
  }

  /// Its role in the asset.
  public var type: AssetResourceType { record.type }
  /// The name under which it was added.
  public var originalFilename: String { record.name }
  /// Its uniform type identifier.
  public var uniformTypeIdentifier: String { record.uti }
  /// Its size in bytes.
  public var fileSize: Int64 { record.size }
  /// The xxHash64 of its content when it was added.
  public var contentHash: ContentHash? { ContentHash(record.hash) }
  /// Its path in the library.
  public var relativePath: String { record.path }
  /// Where it is. The file must not be modified.
  public var fileURL: URL { URL(filePath: library.layout.root + "/" + record.path) }

  /// The files of an asset, the main one first.
  public static func assetResources(for asset: Asset) -> [AssetResource] { asset.resources }

  /// True for the same file in the same state.
  public static func == (lhs: AssetResource, rhs: AssetResource) -> Bool {
    lhs.record == rhs.record && lhs.library === rhs.library
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(record.path) }
}
