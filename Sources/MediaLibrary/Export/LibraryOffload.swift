/// What an offload of a library did.
public struct LibraryOffload: Sendable {
  /// A report for each folder and address.
  public var reports: [ExportReport]
  /// The deleted assets; every copy of them is complete.
  public var deleted: [String] = []
  /// Assets that were to be deleted, but were changed during the copy. No copy has their current
  /// content; they are kept, and another offload will copy them.
  public var changed: [String] = []
  /// Why nothing was deleted despite the copies; nil if nothing went wrong.
  public var deletionFailure: MediaLibraryError?
}
