import CZlib

/// Compression in zlib's format (RFC 1950), which browsers decompress as `deflate`.
enum Deflate {
  /// The compressed bytes, at the fastest level; nil if zlib has no memory.
  static func pack(_ bytes: [UInt8]) -> [UInt8]? {
    var size = compressBound(uLong(bytes.count))
    var isDone = false
    let packed = [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, initialized in
      isDone =
        compress2(buffer.baseAddress, &size, bytes, uLong(bytes.count), Z_BEST_SPEED) == Z_OK
      initialized = isDone ? Int(size) : 0
    }
    return isDone ? packed : nil
  }
}
