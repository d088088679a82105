/// The outcome of a change block.
public struct ChangeReport: Sendable, Hashable, Codable {
  /// An asset whose content the library already had.
  public struct Duplicate: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
      case source, existingAsset, wasSkipped
      case omittedCompanions = "companionsLeftOut"
    }

    /// The source file, or the name of the source data.
    public var source: String
    /// The asset that has the same content.
    public var existingAsset: String
    /// True if it was not added.
    public var wasSkipped: Bool
    /// Companions that were left out although the library's asset lacks them or has different ones;
    /// missing if there are none.
    public var omittedCompanions: [String]?
  }

  /// The created assets, in the order of their requests.
  public var createdAssets: [String] = []
  /// The assets that were modified, deleted or restored.
  public var changedAssets: [String] = []
  /// Assets that were to be deleted, but whose files differ from their copies by now; nil if there
  /// are none.
  var changedSinceCopied: [String]?
  /// The permanently removed assets.
  public var removedAssets: [String] = []
  /// The content that the library already had.
  public var duplicates: [Duplicate] = []
  /// Files that were moved by copying, or permanently removed, but are still on the disk; the
  /// library tries again with its next change. ``warnings`` lists them too.
  public var leftovers: [String] = []
  /// What the hooks did, in order.
  public var hooks: [HookReport] = []
  /// Failures after the change was complete, such as of a preview.
  public var warnings: [String] = []
}
