/// What an offload of a library did.
public struct LibraryOffload: Sendable {
  /// A report for each folder and address.
  public var reports: [ExportReport]
  /// The assets that were deleted, as every copy of them is whole.
  public var deleted: [String] = []
  /// The assets that were to be deleted, and were changed while they were copied: what they hold now is in
  /// no copy. They stay, and another offload copies them.
  public var changed: [String] = []
  /// Why none was deleted though there are copies; nil where nothing went wrong.
  public var deletionFailure: MediaLibraryError?
}
