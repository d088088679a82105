import MediaCore

/// What files became in object storage.
public struct UploadReport: Sendable, Hashable, Codable {
  /// A file that is there, whole and verified.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case path, address
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case wasPresent, wasRemoved
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
    /// True where the file was let go, as the object is verified.
    public var wasRemoved = false
  }

  /// What the objects' names begin with.
  public var address: String
  public var files: [File] = []
  /// The files that are not there.
  public var failures: [TransferFailure] = []
  /// What a reader should know.
  public var notes: [String] = []
  /// Bytes that were handed to the network, with those of attempts that failed.
  public var sentByteCount: Int64 = 0
  /// Seconds.
  public var duration = 0.0
  /// True where it was ended before its end; run again, it goes on with what is missing.
  public var wasInterrupted = false

  public init(address: String) { self.address = address }

  /// True where all is there.
  public var isSound: Bool { failures.isEmpty && !wasInterrupted }

  /// True where the same call may send the rest, with nothing changed by hand.
  public var isWorthRetrying: Bool {
    !isSound && failures.allSatisfy(\.isWorthRetrying)
  }
}
