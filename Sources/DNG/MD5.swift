import CRawKernels

/// The checksum that DNG uses.
enum MD5 {
  /// Messages whose digests are taken together.
  static let lanes = Int(RAW_MD5_LANES)

  /// Sixteen bytes.
  static func digest(of bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { digest(of: $0) }
  }

  static func digest(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { target, count in
      raw_md5(bytes.baseAddress, bytes.count, target.baseAddress)
      count = 16
    }
  }

  /// The digests of up to ``lanes`` messages of one size, each of rows that lie `stride` bytes apart, one after the
  /// other.
  ///
  /// - Parameter rowBytes: Bytes of a row, a multiple of 64.
  static func digests(
    of messages: [UnsafePointer<UInt8>], rowBytes: Int, stride: Int, rows: Int
  ) -> [UInt8] {
    guard let last = messages.last else { return [] }
    // A lane that has none of its own does the last one again.
    let all: [UnsafePointer<UInt8>?] =
      messages + repeatElement(last, count: lanes - messages.count)
    let found = [UInt8](unsafeUninitializedCapacity: 16 * lanes) { target, count in
      raw_md5_lanes(all, rowBytes, stride, rows, target.baseAddress)
      count = 16 * lanes
    }
    return Array(found.prefix(16 * messages.count))
  }
}
