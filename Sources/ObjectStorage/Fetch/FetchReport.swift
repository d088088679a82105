import MediaCore

/// What objects became in a folder.
public struct FetchReport: Sendable, Hashable, Codable {
  /// A file that is there.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case path, address
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case wasPresent
    }

    /// The file.
    public var path: String
    /// The object.
    public var address: String
    /// Bytes.
    public var size: Int64
    /// Sixteen hexadecimal digits.
    public var xxh64: String
    /// True where it was there already, with the same bytes.
    public var wasPresent: Bool
  }

  /// The folder.
  public var folder: String
  public var files: [File] = []
  /// Files that were fetched, but have no checksum to verify them by.
  public var unchecked: [String] = []
  /// The objects that were not fetched, or are not what they should be.
  public var failures: [TransferFailure] = []
  /// Bytes that came over the network for files.
  public var receivedByteCount: Int64 = 0
  /// Seconds.
  public var duration = 0.0
  /// True where it was ended before its end; run again, it goes on with what is missing.
  public var wasInterrupted = false

  public init(folder: String) { self.folder = folder }

  /// True where all is there and was checked.
  public var isSound: Bool { failures.isEmpty && unchecked.isEmpty && !wasInterrupted }

  /// True where the same call may fetch the rest, with nothing changed by hand.
  public var isWorthRetrying: Bool {
    wasInterrupted && failures.allSatisfy(\.isWorthRetrying)
      || !failures.isEmpty && failures.allSatisfy(\.isWorthRetrying)
  }
}
