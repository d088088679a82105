/// What changed in a library, as `PHChange`: by whom does not matter.
public struct LibraryChange: Sendable, Hashable {
  /// Assets that are new.
  public var inserted: [String] = []
  /// Assets of which something changed, or that were deleted or restored.
  public var changed: [String] = []
  /// Assets that were removed permanently.
  public var removed: [String] = []
  /// Albums of users that came, changed or went.
  public var albums: [String] = []
  /// True where the catalogue was made again, so that anything may have changed.
  public var isWhole = false

  /// No change.
  public init() {}
}
