import MediaCore

/// The options of a movie's upload, as given when it was recorded. They are kept with the movie, because the process
/// that sends it later may have other options, or none.
public struct UploadTerms: Codable, Sendable, Hashable {
  /// The server, as described by ``StorageAccount``; nil if unknown.
  public var server: String?
  /// How long nobody may delete the objects, in seconds; nil for no lock.
  public var lockDuration: Double?

  public init(server: String? = nil, lockDuration: Double? = nil) {
    (self.server, self.lockDuration) = (server, lockDuration)
  }

  /// The error if a copy must not send the movie because it goes to another server:
  /// ``ObjectStorageError/Code/invalidArgument``; nil if it may.
  func refusal(of copy: RemoteCopy) -> ObjectStorageError? {
    let present = copy.account.endpoint.description
    guard let server, server != present else { return nil }
    return ObjectStorageError(
      .invalidArgument,
      "it was recorded for \(server), but AWS_ENDPOINT_URL, AWS_REGION or the profile now name \(present); "
        + "send it with the earlier settings")
  }

  /// A copy with these options.
  func adopted(by copy: RemoteCopy) -> RemoteCopy {
    var copy = copy
    // A longer lock requested now takes precedence.
    let locks = [lockDuration, copy.settings.lockDuration].compactMap(\.self)
    copy.settings.lockDuration = locks.max()
    return copy
  }
}
