import MediaCore

/// What an offload copied, and what it could not copy.
public struct OffloadReport: Sendable, Hashable, Codable {
  /// A file that is in a destination, verified by reading it back.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case path
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case c4, wasPresent
    }

    /// The path from the copied folder on.
    public var path: String
    /// Size in bytes.
    public var size: Int64
    /// xxHash64 of the content, sixteen hexadecimal digits.
    public var xxh64: String
    /// The C4 identifier (SMPTE ST 2114); nil if it was not computed.
    public var c4: String?
    /// True where it was there already, with the same bytes.
    public var wasPresent: Bool

    /// A file.
    public init(path: String, size: Int64, xxh64: String, c4: String? = nil, wasPresent: Bool) {
      (self.path, self.size, self.xxh64, self.c4) = (path, size, xxh64, c4)
      self.wasPresent = wasPresent
    }
  }

  /// A file that is missing or damaged at a destination.
  public struct Failure: Sendable, Hashable, Codable {
    /// The path from the copied folder on.
    public var path: String
    /// The kind of failure: a name that stays from version to version.
    public var code: String
    /// Why, and the remedy.
    public var message: String

    /// A failure.
    public init(path: String, code: String, message: String) {
      (self.path, self.code, self.message) = (path, code, message)
    }

    init(path: String, _ error: ASCMHLError) {
      self.init(path: path, code: error.code.name, message: error.message)
    }
  }

  /// One of the copies.
  public struct Destination: Sendable, Hashable, Codable {
    /// The folder of the copy.
    public var folder: String
    /// The disk that holds it; nil where the system does not tell.
    public var disk: Disk?
    /// The files that are whole at the destination, by path.
    public var files: [File] = []
    /// The files that are missing or damaged, and why.
    public var failures: [Failure] = []
    /// The manifest's path; nil where none was written.
    public var manifest: String?

    /// A copy.
    public init(
      folder: String, disk: Disk? = nil, files: [File] = [],
      failures: [Failure] = [], manifest: String? = nil
    ) {
      (self.folder, self.disk, self.files) = (folder, disk, files)
      (self.failures, self.manifest) = (failures, manifest)
    }

    /// Bytes that were copied.
    public var copiedByteCount: Int64 {
      files.reduce(Int64(0)) { $0.addingSaturating($1.wasPresent ? 0 : $1.size) }
    }

    /// True where everything of the source is there, verified and in a manifest.
    public func isWhole(of total: Int) -> Bool {
      failures.isEmpty && files.count == total && (manifest != nil || total == 0)
    }
  }

  /// The folder that was copied.
  public var source: String
  public var fileCount: Int
  /// Bytes in them.
  public var byteCount: Int64
  /// What is neither a file nor a folder, or cannot be copied to any disk.
  public var refused: [CopyVerification.Finding]
  /// The copies.
  public var destinations: [Destination] = []
  /// What a reader should know: copies that share a disk, manifests that came with the source.
  public var notes: [String] = []
  /// Seconds that it took.
  public var duration = 0.0
  /// True where it was ended before its end; run again, it goes on with what is missing.
  public var wasInterrupted = false

  /// A report of nothing yet.
  public init(
    source: String, fileCount: Int, byteCount: Int64, refused: [CopyVerification.Finding]
  ) {
    (self.source, self.fileCount) = (source, fileCount)
    (self.byteCount, self.refused) = (byteCount, refused)
  }

  /// Adds the copies of another offload of the same folder.
  package mutating func add(_ other: OffloadReport) {
    destinations += other.destinations
    func key(_ finding: CopyVerification.Finding) -> [PathBytes] {
      [PathBytes(finding.path), PathBytes(finding.message)]
    }
    let told = Set(refused.map(key))
    refused += other.refused.filter { !told.contains(key($0)) }
    notes += other.notes.filter { !notes.contains($0) }
    duration += other.duration
    wasInterrupted = wasInterrupted || other.wasInterrupted
  }

  /// True where every file is in every destination, verified.
  public var isSound: Bool {
    refused.isEmpty && !wasInterrupted
      && destinations.allSatisfy { $0.isWhole(of: fileCount) }
  }
}
