/// What a program may do with a library, like `PHAuthorizationStatus`.
public enum AuthorizationStatus: String, Sendable, Hashable, Codable {
  /// Unknown, because neither the library nor its folder exists yet.
  case notDetermined
  /// The library's settings forbid it.
  case restricted
  /// The folder's permissions forbid it.
  case denied
  case authorized
  /// Exists for Apple's "some assets only"; not used here.
  case limited
}

/// What a program wants to do with a library, like `PHAccessLevel`.
public enum AccessLevel: String, Sendable, Hashable, Codable {
  /// Adding assets, but not reading or changing them.
  case addOnly
  /// Adding, changing and deleting assets.
  case readWrite
}
