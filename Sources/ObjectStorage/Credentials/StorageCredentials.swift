import MediaCore

/// Credentials for a store. Their textual forms never reveal the secret.
public struct StorageCredentials: Sendable, Hashable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The key's public ID.
  public let accessKeyID: String
  let secretAccessKey: String
  let sessionToken: String?

  /// Creates credentials.
  public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Creates credentials from a place that may have none.
  ///
  /// - Parameters:
  ///   - place: The place's name in messages.
  ///   - names: The names of key and secret there.
  /// - Returns: Nil if there is neither key nor secret.
  /// - Throws: ``ObjectStorageError/Code/invalidCredentials`` for one without the other.
  init?(
    place: String, _ key: String?, _ secret: String?, _ token: String?,
    names: (key: String, secret: String)
  ) throws(ObjectStorageError) {
    switch (key, secret) {
    case (nil, nil): return nil
    case (let key?, let secret?):
      self.init(accessKeyID: key, secretAccessKey: secret, sessionToken: token)
    case (let key, _):
      let (there, missing) = key == nil ? (names.secret, names.key) : (names.key, names.secret)
      throw ObjectStorageError(
        .invalidCredentials,
        "incomplete key for object storage: \(place) has \(there) and no \(missing); set both or neither"
      )
    }
  }

  public var description: String { "credentials \(accessKeyID.prefix(4))…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
