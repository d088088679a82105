/// The progress of a long operation on a library.
public struct LibraryProgress: Sendable, Hashable {
  /// Called from time to time on any thread, never concurrently.
  public typealias Handler = @Sendable (LibraryProgress) -> Void

  /// The number of files done.
  public var fileCount: Int
  /// The total number of files.
  public var totalFileCount: Int
  /// The number of bytes done.
  public var byteCount: Int64
  /// The total number of bytes.
  public var totalByteCount: Int64

  public init(
    fileCount: Int, totalFileCount: Int, byteCount: Int64, totalByteCount: Int64
  ) {
    self.fileCount = fileCount
    self.totalFileCount = totalFileCount
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}
