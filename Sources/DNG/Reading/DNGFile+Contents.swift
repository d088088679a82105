public import Foundation
import MediaCore

extension DNGFile {
  /// The most bytes of a file that ``init(contentsOf:)`` reads, all of which are in memory: 4 GiB.
  public static let byteLimit = Int(UInt32.max)

  /// Reads a file; pixels only when they are asked for.
  ///
  /// - Throws: ``DNGError/Code/fileFailed`` for what cannot be read, is larger than ``byteLimit``, or is no file,
  ///   and ``DNGError/Code/invalidFile`` for what is damaged or no DNG file.
  public init(contentsOf url: URL) throws(DNGError) {
    guard url.isFileURL else {
      throw DNGError(.fileFailed, "\(url.absoluteString) is not the address of a file; name a file")
    }
    try self.init(
      try RegularFile.bytes(of: url.path, byteLimit: Self.byteLimit) { message, errno in
        DNGError(.fileFailed, message, errno: errno)
      })
  }
}
