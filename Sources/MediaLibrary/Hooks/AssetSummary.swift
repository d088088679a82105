import FoundationEssentials
import MediaCore

/// An asset as passed to hooks and printed by `--json`.
public struct AssetSummary: Sendable, Hashable, Codable {
  /// A file of the asset.
  public struct File: Sendable, Hashable, Codable {
    /// Its role in the asset.
    public var type: AssetResourceType
    /// The absolute path.
    public var path: String
    /// The name under which it was added.
    public var originalFilename: String
    /// Its uniform type identifier.
    public var uniformType: String
    /// Its size in bytes.
    public var fileSize: Int64
    /// xxHash64 of the content, sixteen hexadecimal digits.
    public var xxHash64: String
  }

  /// The asset's identifier.
  public var identifier: String
  /// The library's folder.
  public var library: String
  /// `photo`, `video` or `audio`.
  public var mediaType: String
  /// The main file's original name.
  public var originalFilename: String
  /// The absolute path of the main file.
  public var path: String
  /// `ProRes`, `RAW`.
  public var badges: [String]
  /// True for a favorite.
  public var isFavorite: Bool
  /// When it was created, in ISO 8601.
  public var creationDate: String
  /// When it was added to the library, in ISO 8601.
  public var additionDate: String
  /// When it was deleted, in ISO 8601; nil if it was not.
  public var deletionDate: String?
  /// Where it was created.
  public var location: GeographicLocation?
  /// The facts of its main file.
  public var facts: Facts
  /// Its files, the main one first.
  public var files: [File]

  public init(_ asset: Asset) {
    identifier = asset.localIdentifier
    library = asset.library.layout.root
    mediaType = asset.mediaType.name
    originalFilename = asset.originalFilename
    path = asset.fileURL?.path ?? ""
    badges = asset.badges
    isFavorite = asset.isFavorite
    creationDate = asset.creationDate.formatted(.iso8601)
    additionDate = asset.additionDate.formatted(.iso8601)
    deletionDate = asset.deletionDate?.formatted(.iso8601)
    location = asset.location
    facts = Facts(asset.facts)
    files = asset.resources.map { resource in
      File(
        type: resource.type, path: resource.fileURL.path,
        originalFilename: resource.originalFilename,
        uniformType: resource.uniformTypeIdentifier, fileSize: resource.fileSize,
        xxHash64: resource.record.hash)
    }
  }

  /// The asset as a JSON document.
  var json: [UInt8] {
    ((try? JSONDocument(.asset, self).data()).map { [UInt8]($0) } ?? []) + [10]
  }

  /// The asset as environment variables for hooks.
  var environment: [String: String] {
    [
      "LIBRARY_PATH": library, "ASSET_ID": identifier, "ASSET_TYPE": mediaType,
      "ASSET_FILE": path, "ASSET_NAME": originalFilename, "ASSET_DATE": creationDate,
      "ASSET_CODEC": facts.codec ?? "", "ASSET_BADGES": badges.joined(separator: " "),
      "ASSET_WIDTH": "\(facts.width)", "ASSET_HEIGHT": "\(facts.height)",
      "ASSET_RATE": facts.frameRate ?? "", "ASSET_DURATION": "\(facts.duration)",
      "ASSET_TIMECODE": facts.startTimecode ?? "", "ASSET_XXH64": files.first?.xxHash64 ?? "",
      "ASSET_SIZE": "\(files.first?.fileSize ?? 0)", "ASSET_REEL": facts.reel ?? "",
      "ASSET_SCENE": facts.scene ?? "", "ASSET_TAKE": facts.take ?? "",
    ]
  }
}
