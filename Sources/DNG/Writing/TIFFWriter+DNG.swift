import MediaCore
import TIFF

extension TIFFWriter {
  /// The bytes of a DNG file.
  ///
  /// - Throws: ``DNGError/Code/unsupported`` for a file larger than 4 GiB.
  static func dngBytes(_ root: TIFFDirectory) throws(DNGError) -> [UInt8] {
    do { return try serialize(root) } catch { throw DNGError(error) }
  }
}
