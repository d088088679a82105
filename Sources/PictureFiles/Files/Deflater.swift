import CZlib
import MediaCore

/// Deflate through zlib.
enum Deflater {
  /// A stream of its own, in zlib's form.
  ///
  /// - Throws: ``PictureFileError/Code/codecFailed``.
  static func compress(_ bytes: [UInt8], level: Int32 = 6) throws(PictureFileError) -> [UInt8] {
    var length = compressBound(uLong(bytes.count))
    var result = [UInt8](repeating: 0, count: Int(length))
    let status = result.withUnsafeMutableBufferPointer { target in
      bytes.withUnsafeBufferPointer {
        compress2(target.baseAddress, &length, $0.baseAddress, uLong($0.count), level)
      }
    }
    guard status == Z_OK else { throw .refused("zlib", "error \(status)") }
    result.removeLast(result.count - Int(length))
    return result
  }

  /// A part of a stream without header, which others may follow: parts can be made at the same time.
  ///
  /// - Throws: ``PictureFileError/Code/codecFailed``.
  static func part(
    _ bytes: [UInt8], isLast: Bool, level: Int32 = 6
  ) throws(PictureFileError) -> [UInt8] {
    var stream = z_stream()
    let started = deflateInit2_(
      &stream, level, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { throw .refused("zlib", "error \(started)") }
    defer { deflateEnd(&stream) }
    // The end of a part takes some bytes more than the bound has.
    var result = [UInt8](
      repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))) + 64)
    var source = bytes
    let status = result.withUnsafeMutableBufferPointer { target in
      source.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(clamping: target.count)
        return deflate(&stream, isLast ? Z_FINISH : Z_SYNC_FLUSH)
      }
    }
    guard status == (isLast ? Z_STREAM_END : Z_OK), stream.avail_in == 0, stream.avail_out > 0
    else { throw .refused("zlib", "error \(status)") }
    result.removeLast(Int(stream.avail_out))
    return result
  }
}
