/// What a library is opened for.
public enum LibraryPurpose: String, Sendable, Hashable, Codable {
  /// To be read. Nothing outside the library's hidden folder changes; what a killed process left half
  /// done stays as it is, and is told.
  case reading
  /// To be changed: what a killed process had decided is completed first.
  case changing
}
