/// What changed in a library, whoever changed it, like `PHChange`.
public struct LibraryChange: Sendable, Hashable {
  /// The new assets.
  public var inserted: [String] = []
  /// Assets that were modified, deleted or restored.
  public var changed: [String] = []
  /// The permanently removed assets.
  public var removed: [String] = []
  /// User albums that were created, changed or deleted.
  public var albums: [String] = []
  /// True if the catalogue was rebuilt, so that anything may have changed.
  public var isWhole = false

  /// No change.
  public init() {}
}
