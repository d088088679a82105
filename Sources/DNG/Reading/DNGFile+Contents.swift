public import Foundation
import MediaCore

extension DNGFile {
  /// The largest file that ``init(contentsOf:)`` reads, because it is held in memory: 4 GiB.
  public static let byteLimit = Int(UInt32.max)

  /// Reads a file; pixels are decoded only on request.
  ///
  /// - Throws: ``DNGError/Code/fileFailed`` if the file is unreadable, larger than ``byteLimit``, or not a regular
  ///   file, and ``DNGError/Code/invalidFile`` if it is damaged or not a DNG file.
  public init(contentsOf url: URL) throws(DNGError) {
    guard url.isFileURL else {
      throw DNGError(.fileFailed, "\(url.absoluteString) is not a file URL; name a file")
    }
    try self.init(
      try RegularFile.bytes(of: url.path, byteLimit: Self.byteLimit) { message, errno in
        DNGError(.fileFailed, message, errno: errno)
      })
  }
}
