/// How objects are sent.
public struct UploadSettings: Sendable {
  /// Bytes a second of all connections together; nil for what the network takes.
  public var bandwidth: Int64?
  /// Connections at the same time.
  public var connections = 4
  /// How long objects may not be deleted; nil for as long as the bucket says.
  public var lock: ObjectLock?
  /// Bytes of a part, unless that were more than 10,000 parts.
  package var partSize = PartPlan.smallest
  /// The folder for what is kept of unfinished uploads: `recordctl/uploads` in the XDG state folder.
  package var stateFolder = UploadJournal.userFolder
  package var client = StorageClient.Settings()
  /// The version that manifests name.
  package var toolVersion = "0.1.0"

  public init() {}
}
