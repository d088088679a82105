/// Another file that gets the same bytes as a movie file.
public struct MovieFileCopy: Hashable, Sendable, Codable {
  /// The file.
  public var path: String
  /// True where it holds all that was written.
  public var isWhole: Bool
  /// Why it does not; nil where it does. What it holds up to then can be recovered.
  public var message: String?

  package init(path: String, isWhole: Bool, message: String? = nil) {
    self.path = path
    self.isWhole = isWhole
    self.message = message
  }
}
