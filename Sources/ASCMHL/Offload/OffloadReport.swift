import MediaCore

/// What an offload copied and what it could not copy.
public struct OffloadReport: Sendable, Hashable, Codable {
  /// A file in a destination, verified by reading it back.
  public struct File: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case path
      case size = "fileSize"
      case xxh64 = "xxHash64"
      case c4, wasPresent
    }

    /// The path relative to the copied folder.
    public var path: String
    /// Size in bytes.
    public var size: Int64
    /// The xxHash64 of the content, sixteen hexadecimal digits.
    public var xxh64: String
    /// The C4 identifier (SMPTE ST 2114); nil if it was not computed.
    public var c4: String?
    /// True if the file already existed with the same bytes.
    public var wasPresent: Bool

    public init(path: String, size: Int64, xxh64: String, c4: String? = nil, wasPresent: Bool) {
      (self.path, self.size, self.xxh64, self.c4) = (path, size, xxh64, c4)
      self.wasPresent = wasPresent
    }
  }

  /// A file that is missing or damaged at a destination.
  public struct Failure: Sendable, Hashable, Codable {
    /// The path relative to the copied folder.
    public var path: String
    /// The error code, a name that is stable across versions.
    public var code: String
    /// The cause and a remedy.
    public var message: String

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
    /// The disk that holds it; nil if the system does not tell.
    public var disk: Disk?
    /// The files that are complete at the destination, in the order of copying.
    public var files: [File] = []
    /// The files that are missing or damaged, with the cause.
    public var failures: [Failure] = []
    /// The path of the new manifest; nil if none was written.
    public var manifest: String?

    public init(
      folder: String, disk: Disk? = nil, files: [File] = [],
      failures: [Failure] = [], manifest: String? = nil
    ) {
      (self.folder, self.disk, self.files) = (folder, disk, files)
      (self.failures, self.manifest) = (failures, manifest)
    }

    /// The size of the files that were copied, in bytes.
    public var copiedByteCount: Int64 {
      files.reduce(Int64(0)) { $0.addingSaturating($1.wasPresent ? 0 : $1.size) }
    }

    /// True if every source file is there, verified and listed in a manifest.
    public func isWhole(of total: Int) -> Bool {
      failures.isEmpty && files.count == total && (manifest != nil || total == 0)
    }
  }

  /// The folder that was copied.
  public var source: String
  public var fileCount: Int
  /// The size of all files, in bytes.
  public var byteCount: Int64
  /// Items that are neither files nor folders, or that no disk could get a copy of.
  public var refused: [CopyVerification.Finding]
  /// The copies.
  public var destinations: [Destination] = []
  /// Things to know, such as copies that share a disk, or manifests that came with the source.
  public var notes: [String] = []
  /// The duration in seconds.
  public var duration = 0.0
  /// True if the offload was cancelled. Run again, it continues with what is missing.
  public var wasInterrupted = false

  /// Creates a report without destinations.
  public init(
    source: String, fileCount: Int, byteCount: Int64, refused: [CopyVerification.Finding]
  ) {
    (self.source, self.fileCount) = (source, fileCount)
    (self.byteCount, self.refused) = (byteCount, refused)
  }

  /// Adds the report of another offload of the same folder.
  package mutating func add(_ other: OffloadReport) {
    destinations += other.destinations
    func key(_ finding: CopyVerification.Finding) -> [PathBytes] {
      [PathBytes(finding.path), PathBytes(finding.message)]
    }
    let reported = Set(refused.map(key))
    refused += other.refused.filter { !reported.contains(key($0)) }
    notes += other.notes.filter { !notes.contains($0) }
    duration += other.duration
    wasInterrupted = wasInterrupted || other.wasInterrupted
  }

  /// True if every file is in every destination, verified.
  public var isSound: Bool {
    refused.isEmpty && !wasInterrupted
      && destinations.allSatisfy { $0.isWhole(of: fileCount) }
  }
}
