public import ASCMHL
import MediaCore

/// How assets are exported.
public struct ExportOptions: Sendable, Hashable {
  /// True for all files in one folder, false for folders by year and month as in the library.
  public var isFlat = false
  /// True to write an ASC MHL manifest beside the copies.
  public var writesManifest = true
  /// True to make the folder where it is missing. Without that a missing folder is refused: it is most
  /// often that of a disk that is not mounted, and the copies would go to the system's own disk.
  public var createsFolder = false

  /// By year and month, with a manifest.
  public init() {}
}

/// What an export copied, and what it could not copy.
public struct ExportReport: Sendable, Hashable, Codable {
  /// A file that is in the folder, verified.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case asset, path
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case c4, wasPresent
    }

    /// The asset's identifier.
    public var asset: String
    /// The path from the folder on.
    public var path: String
    /// Size in bytes.
    public var size: Int64
    /// xxHash64 of the content, sixteen hexadecimal digits.
    public var xxh64: String
    /// The C4 identifier (SMPTE ST 2114); nil if it was not computed.
    public var c4: String?
    /// True where it was there already, with the same bytes.
    public var wasPresent: Bool
  }

  /// A file that is not there.
  public struct Failure: Sendable, Hashable, Codable {
    /// The asset's identifier.
    public var asset: String
    /// The path in the library.
    public var path: String
    /// The kind of failure.
    public var code: String
    /// Why the file was not copied, and the remedy.
    public var message: String
  }

  private enum CodingKeys: String, CodingKey {
    case destination = "folder"
    case disk, files, failures, manifest, notes, wasInterrupted
  }

  /// The folder that was exported to, or the address in object storage.
  public var destination: String
  /// The disk that holds it; nil where the system does not tell.
  public var disk: Disk?
  /// The files that are whole at the destination.
  public var files: [File] = []
  /// The files that were not copied, and why.
  public var failures: [Failure] = []
  /// The manifest; nil where none was written.
  public var manifest: String?
  /// What a reader should know of the copy.
  public var notes: [String] = []
  /// True where it was cancelled: what is neither among the files nor the failures was not tried.
  public var wasInterrupted = false

  /// Bytes that were copied.
  public var copiedByteCount: Int64 {
    files.reduce(Int64(0)) { $0.addingSaturating($1.wasPresent ? 0 : $1.size) }
  }
}
