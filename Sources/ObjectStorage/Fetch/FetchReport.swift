import MediaCore

/// The result of fetching objects into a folder.
public struct FetchReport: Sendable, Hashable, Codable {
  /// A file that was fetched or already existed.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case path, address
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case wasPresent
    }

    /// The file's path.
    public var path: String
    /// The object's address.
    public var address: String
    /// The size in bytes.
    public var size: Int64
    /// The xxHash64, as sixteen hexadecimal digits.
    public var xxh64: String
    /// True if it already existed with the same content.
    public var wasPresent: Bool
  }

  /// The folder.
  public var folder: String
  public var files: [File] = []
  /// Files that were fetched, but have no checksum to verify them by.
  public var unchecked: [String] = []
  /// The objects that were not fetched or failed verification.
  public var failures: [TransferFailure] = []
  /// The number of bytes received for files.
  public var receivedByteCount: Int64 = 0
  /// The duration in seconds.
  public var duration = 0.0
  /// True if it was interrupted. Another run continues with what is missing.
  public var wasInterrupted = false

  public init(folder: String) { self.folder = folder }

  /// True if everything was fetched and verified.
  public var isSound: Bool { failures.isEmpty && unchecked.isEmpty && !wasInterrupted }

  /// True if the same call may fetch the rest without intervention.
  public var isWorthRetrying: Bool {
    wasInterrupted && failures.allSatisfy(\.isWorthRetrying)
      || !failures.isEmpty && failures.allSatisfy(\.isWorthRetrying)
  }
}
