/// A key to a store. Its secret shows in no text that is made of it.
public struct StorageCredentials: Sendable, Hashable, CustomStringConvertible,
  CustomDebugStringConvertible, CustomReflectable
{
  /// The key's public name.
  public let accessKeyID: String
  let secretAccessKey: String
  let sessionToken: String?

  /// A key from its parts.
  public init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken.flatMap { $0.isEmpty ? nil : $0 }
  }

  public var description: String { "credentials \(accessKeyID.prefix(4))…" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
