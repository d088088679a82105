/// How objects are sent.
public struct UploadSettings: Sendable {
  /// Bytes per second over all connections together; nil for no limit.
  public var bandwidth: Int64?
  /// The number of simultaneous connections.
  public var connections = 4
  /// Seconds from its upload during which an object cannot be deleted; nil to use the bucket's
  /// default.
  public var lockDuration: Double?
  /// The size of a part in bytes; larger if that would make more than 10,000 parts.
  package var partSize = PartPlan.smallest
  /// The folder for the state of unfinished uploads: `recordctl/uploads` in the XDG state folder.
  package var stateFolder = UploadJournal.userFolder
  package var client = StorageClient.Settings()
  /// The tool version that manifests name.
  package var toolVersion = "0.1.0"

  public init() {}

  /// The lock for an object that is uploaded now.
  var lock: ObjectLock? { lockDuration.map { ObjectLock(for: $0, from: client.now()) } }
}
