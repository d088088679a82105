import CZlib
import MediaCore

/// Deflate in zlib's form, as in TIFF compressions 8 and 32946.
enum Deflate {
  /// Inflates data.
  ///
  /// - Parameters:
  ///   - count: The expected size in bytes.
  ///   - name: What the data is, for error messages.
  /// - Throws: ``DNGError/Code/invalidFile`` for damaged data, or fewer bytes than expected.
  static func inflate(
    _ data: ArraySlice<UInt8>, count: Int, name: String
  ) throws(DNGError) -> [UInt8] {
    guard data.count < Int(UInt32.max), count < Int(UInt32.max) else {
      throw DNGError(.unsupported, "\(name) is larger than 4 GiB")
    }
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, used in
      var length = uLongf(count)
      let status = data.withUnsafeBufferPointer {
        uncompress(target.baseAddress, &length, $0.baseAddress, uLong($0.count))
      }
      // Z_BUF_ERROR: there are more data than the image needs; Adobe's SDK accepts that, too.
      isWhole = (status == Z_OK || status == Z_BUF_ERROR) && Int(length) == count
      used = isWhole ? count : 0
    }
    guard isWhole else { throw .damaged("the deflated data of \(name) is damaged") }
    return bytes
  }
}
