/// The purpose of opening a library.
public enum LibraryPurpose: String, Sendable, Hashable, Codable {
  /// For reading. Nothing outside the library's hidden folder changes; what a killed process left
  /// incomplete stays that way, and is reported.
  case reading
  /// For changes. Journaled changes that a killed process left incomplete are completed first.
  case changing
}
