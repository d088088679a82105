import MediaCore

/// The options of a movie's upload, as given when it was recorded. They are kept with the movie, because the process
/// that sends it later may have other options, or none.
public struct UploadTerms: Codable, Sendable, Hashable {
  /// The server, as a ``StorageAccount`` names it; nil where none was known.
  public var server: String?
  /// Seconds for which nobody may delete the objects; nil for no lock.
  public var lockDuration: Double?

  public init(server: String? = nil, lockDuration: Double? = nil) {
    (self.server, self.lockDuration) = (server, lockDuration)
  }

  /// Why a copy must not take the movie; nil where it may: ``ObjectStorageError/Code/invalidArgument`` where it
  /// goes to another server.
  func refusal(of copy: RemoteCopy) -> ObjectStorageError? {
    let present = copy.account.endpoint.description
    guard let server, server != present else { return nil }
    return ObjectStorageError(
      .invalidArgument,
      "it was recorded for \(server), and AWS_ENDPOINT_URL, AWS_REGION or the profile name \(present) now; "
        + "send it with the settings of then")
  }

  /// A copy by these terms.
  func adopted(by copy: RemoteCopy) -> RemoteCopy {
    var copy = copy
    // Whoever asks for a longer lock now gets it.
    let locks = [lockDuration, copy.settings.lockDuration].compactMap(\.self)
    copy.settings.lockDuration = locks.max()
    return copy
  }
}
