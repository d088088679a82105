/// How files are imported.
public struct ImportOptions: Sendable, Hashable {
  /// True to move the files into the library.
  public var moves = false
  /// What to do with content that is already in the library.
  public var duplicates = AssetCreationRequest.DuplicatePolicy.skip
  /// True to make the new assets favorites.
  public var isFavorite = false

  /// Copies files, without those that are in the library already.
  public init() {}
}

/// The result of an import.
public struct ImportReport: Sendable, Hashable, Codable {
  /// A file that was imported.
  public struct Imported: Sendable, Hashable, Codable {
    /// The file's path, as given.
    public var path: String
    /// The new asset.
    public var asset: String
  }

  /// A file that was not imported.
  public struct Failure: Sendable, Hashable, Codable {
    /// The file's path, as given.
    public var path: String
    /// The kind of failure.
    public var code: String
    /// Why the file was not imported, and the remedy.
    public var message: String
  }

  /// The imported files.
  public var imported: [Imported] = []
  /// The content that the library already had.
  public var duplicates: [ChangeReport.Duplicate] = []
  /// The files that could not be imported.
  public var failures: [Failure] = []
  /// Files in folders that are not photos, videos or audio, judging by content, name and first
  /// bytes. Also hidden files and folders, and the library's folder; these are not inspected.
  public var ignored: [String] = []
  /// What the hooks did.
  public var hooks: [HookReport] = []
  /// Flaws of imported files, such as truncation, and failures after the change was complete.
  public var warnings: [String] = []
  /// Repairs made to the library beforehand.
  public var repairs: [RepairReport] = []

  /// True if the import, or one of its hooks, was interrupted.
  public var wasInterrupted: Bool {
    hooks.contains(where: \.wasInterrupted)
      || failures.contains { $0.code == MediaLibraryError.Code.interrupted.name }
  }
}
