/// What was found and done when a library was opened or rebuilt.
public struct RepairReport: Sendable, Hashable, Codable {
  /// How a file lost its contents although no line or page of it is unreadable.
  package enum Loss: Sendable, Hashable {
    case missing
    /// It is empty. A catalogue without its `-wal` file looks the same.
    case empty
    /// It ends before the position recorded in the catalogue.
    case endedEarly
  }

  /// Why the library was opened for reading only; nil if it can be changed.
  public var restriction: LibraryRestriction?
  /// Change blocks of a killed process that the next change will complete. Opening for reading
  /// leaves them alone.
  public var pendingChanges = 0
  /// Change blocks of a killed process that were completed.
  public var completedChanges = 0
  /// Folders of incoming files whose process is gone; the source files are where they were.
  public var removedStagingFolders = 0
  /// Incomplete bytes at the journal's end, which never took effect.
  public var tornJournalBytes: Int64 = 0
  /// Unreadable lines of the journal.
  public var damagedJournalLines = 0
  /// Where an unreadable catalogue was moved; nil if it was intact.
  public var catalogueSetAside: String?
  /// Where a damaged journal was copied; nil if it was intact.
  public var journalSetAside: String?
  /// What had happened to a rewritten journal without unreadable lines; not in JSON.
  package var journalLoss: Loss?
  /// What had happened to a rebuilt catalogue that was not damaged; not in JSON.
  package var catalogueLoss: Loss?
  /// True if the catalogue was rebuilt.
  public var wasRebuilt = false
  /// The number of assets in the catalogue after a rebuild.
  public var assetCount: Int?
  /// Files that had no entry and were added.
  public var adoptedFiles: [String] = []
  /// Files in the catalogue that are missing.
  public var missingFiles: [String] = []
  /// The number of expired assets that were permanently removed.
  public var expungedAssets = 0
  /// What could not be repaired.
  public var problems: [String] = []

  private enum CodingKeys: String, CodingKey {
    case restriction, pendingChanges, completedChanges, removedStagingFolders, tornJournalBytes
    case damagedJournalLines, catalogueSetAside, journalSetAside, wasRebuilt, assetCount
    case adoptedFiles, missingFiles, expungedAssets, problems
  }

  /// True if everything was in order.
  public var isClean: Bool {
    restriction == nil && pendingChanges == 0 && completedChanges == 0 && tornJournalBytes == 0
      && damagedJournalLines == 0
      && catalogueSetAside == nil && journalSetAside == nil && !wasRebuilt && missingFiles.isEmpty
      && problems.isEmpty
  }
}
