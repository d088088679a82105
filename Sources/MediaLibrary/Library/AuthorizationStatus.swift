/// What a program may do with a library, as `PHAuthorizationStatus`.
public enum AuthorizationStatus: String, Sendable, Hashable, Codable {
  /// Nobody knows: the library is not there yet, and neither is its folder.
  case notDetermined
  /// The library's settings forbid it.
  case restricted
  /// The folder's permissions forbid it.
  case denied
  /// It is allowed.
  case authorized
  /// Apple's: some assets only. Not used here.
  case limited
}

/// What a program wants to do with a library, as `PHAccessLevel`.
public enum AccessLevel: String, Sendable, Hashable, Codable {
  /// Adding assets, but not reading or changing them.
  case addOnly
  /// Adding, changing and deleting assets.
  case readWrite
}
