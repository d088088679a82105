/// How far a long piece of work on a library is.
public struct LibraryProgress: Sendable, Hashable {
  /// Told now and then, from any thread, one call after the other.
  public typealias Handler = @Sendable (LibraryProgress) -> Void

  /// Files that are done.
  public var fileCount: Int
  /// Files that there are.
  public var totalFileCount: Int
  /// Bytes that are done.
  public var byteCount: Int64
  /// Bytes that there are.
  public var totalByteCount: Int64

  /// Progress from its numbers.
  public init(
    fileCount: Int, totalFileCount: Int, byteCount: Int64, totalByteCount: Int64
  ) {
    self.fileCount = fileCount
    self.totalFileCount = totalFileCount
    self.byteCount = byteCount
    self.totalByteCount = totalByteCount
  }
}
