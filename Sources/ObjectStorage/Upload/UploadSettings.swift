/// How objects are sent.
public struct UploadSettings: Sendable {
  /// Bytes a second of all connections together; nil for what the network takes.
  public var bandwidth: Int64?
  /// Connections at the same time.
  public var connections = 4
  /// Seconds for which objects may not be deleted, each from its upload on; nil for as long as the bucket
  /// says.
  public var lockDuration: Double?
  /// Bytes of a part, unless that were more than 10,000 parts.
  package var partSize = PartPlan.smallest
  /// The folder for what is kept of unfinished uploads: `recordctl/uploads` in the XDG state folder.
  package var stateFolder = UploadJournal.userFolder
  package var client = StorageClient.Settings()
  /// The version that manifests name.
  package var toolVersion = "0.1.0"

  public init() {}

  /// The lock of an object that is sent now.
  var lock: ObjectLock? { lockDuration.map { ObjectLock(for: $0, from: client.now()) } }
}
