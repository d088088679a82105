import MediaCore

/// The result of uploading files.
public struct UploadReport: Sendable, Hashable, Codable {
  /// A file that is in the store, complete and verified.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case path, address
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case wasPresent, wasRemoved
    }

    /// The file's path.
    public var path: String
    /// The object's address.
    public var address: String
    /// The size in bytes.
    public var size: Int64
    /// The xxHash64, as sixteen hexadecimal digits.
    public var xxh64: String
    /// True if the object already existed with the same content.
    public var wasPresent: Bool
    /// True if the local file was removed after the object was verified.
    public var wasRemoved = false
  }

  /// The address under which the objects are.
  public var address: String
  public var files: [File] = []
  /// The files that were not uploaded.
  public var failures: [TransferFailure] = []
  /// Notes for the user.
  public var notes: [String] = []
  /// The number of bytes sent, including failed attempts.
  public var sentByteCount: Int64 = 0
  /// The duration in seconds.
  public var duration = 0.0
  /// True if it was interrupted. Another run continues with what is missing.
  public var wasInterrupted = false

  public init(address: String) { self.address = address }

  /// True if everything was uploaded.
  public var isSound: Bool { failures.isEmpty && !wasInterrupted }

  /// True if the same call may send the rest without intervention.
  public var isWorthRetrying: Bool {
    !isSound && failures.allSatisfy(\.isWorthRetrying)
  }
}
