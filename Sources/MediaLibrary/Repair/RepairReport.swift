/// What was found and done when a library was opened, or rebuilt.
public struct RepairReport: Sendable, Hashable, Codable {
  /// How a file without any line or page that cannot be read has lost what was in it.
  package enum Loss: Sendable, Hashable {
    case missing
    /// It holds nothing. So does a catalogue of which SQLite's `-wal` file is gone.
    case empty
    /// It ends before what the catalogue had been told of it.
    case endedEarly
  }

  /// Why the library was opened for reading only; nil where it can be changed.
  public var restriction: LibraryRestriction?
  /// Change blocks of a process that was killed, which the next change is going to complete: a library
  /// that is opened to be read is left as it is.
  public var pendingChanges = 0
  /// Change blocks of a process that was killed, which were completed.
  public var completedChanges = 0
  /// Files on their way in whose process is gone: their sources are where they were.
  public var removedStagingFolders = 0
  /// Bytes at the journal's end that were never decided.
  public var tornJournalBytes: Int64 = 0
  /// Lines of the journal that could not be read.
  public var damagedJournalLines = 0
  /// Where a catalogue that could not be read was put; nil where it was sound.
  public var catalogueSetAside: String?
  /// Where a copy of a damaged journal was put; nil where it was sound.
  public var journalSetAside: String?
  /// How a journal was that was written again and has no unreadable line; not in JSON.
  package var journalLoss: Loss?
  /// How a catalogue was that was made again and is not damaged; not in JSON.
  package var catalogueLoss: Loss?
  /// True where the catalogue was made again.
  public var wasRebuilt = false
  /// Assets in the catalogue after a rebuild.
  public var assetCount: Int?
  /// Files that had no entry and have one now.
  public var adoptedFiles: [String] = []
  /// Files of the catalogue that are gone.
  public var missingFiles: [String] = []
  /// Assets that were deleted so long ago that they were removed permanently.
  public var expungedAssets = 0
  /// What could not be put right.
  public var problems: [String] = []

  private enum CodingKeys: String, CodingKey {
    case restriction, pendingChanges, completedChanges, removedStagingFolders, tornJournalBytes
    case damagedJournalLines, catalogueSetAside, journalSetAside, wasRebuilt, assetCount
    case adoptedFiles, missingFiles, expungedAssets, problems
  }

  /// True where everything was as it should be.
  public var isClean: Bool {
    restriction == nil && pendingChanges == 0 && completedChanges == 0 && tornJournalBytes == 0
      && damagedJournalLines == 0
      && catalogueSetAside == nil && journalSetAside == nil && !wasRebuilt && missingFiles.isEmpty
      && problems.isEmpty
  }
}
