/// What became of a change block.
public struct ChangeReport: Sendable, Hashable, Codable {
  /// An asset that the library had already.
  public struct Duplicate: Sendable, Hashable, Codable {
    /// The file, or the name of the data, that came.
    public var source: String
    /// The asset that has the same content.
    public var existingAsset: String
    /// True where it was left out.
    public var wasSkipped: Bool
    /// Companions that were left out although the library's asset lacks them or has others; missing
    /// if there are none.
    public var companionsLeftOut: [String]?
  }

  /// The assets that were made, in the order of their requests.
  public var createdAssets: [String] = []
  /// The assets that were changed, deleted or restored.
  public var changedAssets: [String] = []
  /// The assets that were to be deleted, and have other files than their copies by now; missing where there
  /// are none.
  var changedSinceCopied: [String]?
  /// The assets that were removed permanently.
  public var removedAssets: [String] = []
  /// What the library had already.
  public var duplicates: [Duplicate] = []
  /// Files that were moved by a copy or removed for good and could not be removed from the disk yet; the
  /// library tries again with its next change. The ``warnings`` tell them too.
  public var leftovers: [String] = []
  /// What the hooks did, in order.
  public var hooks: [HookReport] = []
  /// A failure after the change was complete, such as of a preview.
  public var warnings: [String] = []
}
