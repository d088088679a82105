/// How files are imported.
public struct ImportOptions: Sendable, Hashable {
  /// True to move the files into the library.
  public var moves = false
  /// What becomes of what the library has already.
  public var duplicates = AssetCreationRequest.DuplicatePolicy.skip
  /// True to make the new assets favorites.
  public var isFavorite = false

  /// Copies, without what is there already.
  public init() {}
}

/// What an import took in.
public struct ImportReport: Sendable, Hashable, Codable {
  /// A file that is in the library now.
  public struct Imported: Sendable, Hashable, Codable {
    /// The file, as it was named.
    public var path: String
    /// The new asset.
    public var asset: String
  }

  /// A file that is not.
  public struct Failure: Sendable, Hashable, Codable {
    /// The file, as it was named.
    public var path: String
    /// The kind of failure.
    public var code: String
    /// Why the file was not taken in, and the remedy.
    public var message: String
  }

  /// What was taken in.
  public var imported: [Imported] = []
  /// What the library had already.
  public var duplicates: [ChangeReport.Duplicate] = []
  /// What could not be taken in.
  public var failures: [Failure] = []
  /// Files in folders that are not photos, videos or audio, by content, name and first bytes; and
  /// hidden files and folders and the library's own folder, of which nothing was looked at.
  public var ignored: [String] = []
  /// What the hooks did.
  public var hooks: [HookReport] = []
  /// What is wrong with files that were taken in, as that they are cut short, and failures after the
  /// change was complete.
  public var warnings: [String] = []
  /// What had to be put right in the library before.
  public var repairs: [RepairReport] = []

  /// True where the import, or a hook after it, was ended before its time.
  public var wasInterrupted: Bool {
    hooks.contains(where: \.wasInterrupted)
      || failures.contains { $0.code == MediaLibraryError.Code.interrupted.name }
  }
}
