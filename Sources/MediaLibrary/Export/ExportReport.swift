public import ASCMHL
import MediaCore

/// How assets are exported.
public struct ExportOptions: Sendable, Hashable {
  /// True for all files in one folder, false for folders by year and month as in the library.
  public var isFlat = false
  /// True to write an ASC MHL manifest beside the copies.
  public var writesManifest = true
  /// True to create a missing folder. By default that is refused, because it usually means that a
  /// disk is not mounted, and the copies would go to the system disk.
  public var createsFolder = false

  /// Folders by year and month, with a manifest.
  public init() {}
}

/// What an export copied, and what it could not copy.
public struct ExportReport: Sendable, Hashable, Codable {
  /// A verified file at the destination.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case asset, path
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case c4, wasPresent
    }

    /// The asset's identifier.
    public var asset: String
    /// The path relative to the destination folder.
    public var path: String
    /// Size in bytes.
    public var size: Int64
    /// xxHash64 of the content, sixteen hexadecimal digits.
    public var xxh64: String
    /// The C4 identifier (SMPTE ST 2114); nil if it was not computed.
    public var c4: String?
    /// True if it already existed with the same bytes.
    public var wasPresent: Bool
  }

  /// A file that could not be copied.
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

  /// The folder exported to, or the address in object storage.
  public var destination: String
  /// The disk that holds it; nil if the system does not tell.
  public var disk: Disk?
  /// The files that are complete at the destination.
  public var files: [File] = []
  /// The files that were not copied, and why.
  public var failures: [Failure] = []
  /// The manifest; nil if none was written.
  public var manifest: String?
  /// Remarks about the copy for the reader of the report.
  public var notes: [String] = []
  /// True if the export was cancelled: files listed neither in ``files`` nor in ``failures`` were
  /// not tried.
  public var wasInterrupted = false

  /// The number of bytes copied.
  public var copiedByteCount: Int64 {
    files.reduce(Int64(0)) { $0.addingSaturating($1.wasPresent ? 0 : $1.size) }
  }
}
