import CRawKernels

/// The checksum used by DNG.
enum MD5 {
  /// The number of messages hashed in parallel.
  static let lanes = Int(RAW_MD5_LANES)

  /// The digest, 16 bytes.
  static func digest(of bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { digest(of: $0) }
  }

  static func digest(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { target, count in
      raw_md5(bytes.baseAddress, bytes.count, target.baseAddress)
      count = 16
    }
  }

  /// The digests, in order, of up to ``lanes`` messages of equal size, each made of rows that are `stride` bytes
  /// apart.
  ///
  /// - Parameter rowBytes: Bytes per row, a multiple of 64.
  static func digests(
    of messages: [UnsafePointer<UInt8>], rowBytes: Int, stride: Int, rows: Int
  ) -> [UInt8] {
    guard let last = messages.last else { return [] }
    // Lanes without a message repeat the last one.
    let all: [UnsafePointer<UInt8>?] =
      messages + repeatElement(last, count: lanes - messages.count)
    let found = [UInt8](unsafeUninitializedCapacity: 16 * lanes) { target, count in
      raw_md5_lanes(all, rowBytes, stride, rows, target.baseAddress)
      count = 16 * lanes
    }
    return Array(found.prefix(16 * messages.count))
  }
}
