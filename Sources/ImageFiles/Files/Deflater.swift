import CZlib
import MediaCore

/// Deflate through zlib.
///
/// The input is differences of samples, whose noise hardly repeats except in runs of one byte. Searching for other
/// matches takes three to eight times as long and makes photo files only 1 or 2 percent smaller, 3 percent if
/// samples are 32-bit floats.
enum Deflater {
  /// A complete zlib stream.
  ///
  /// - Throws: ``ImageFileError/Code/codecFailed``.
  static func compress(_ bytes: [UInt8]) throws(ImageFileError) -> [UInt8] {
    try deflated(bytes, windowBits: MAX_WBITS, flush: Z_FINISH)
  }

  /// A raw part of a stream, without header, to which further parts can be appended; parts can be made in parallel.
  ///
  /// - Throws: ``ImageFileError/Code/codecFailed``.
  static func part(_ bytes: [UInt8], isLast: Bool) throws(ImageFileError) -> [UInt8] {
    try deflated(bytes, windowBits: -MAX_WBITS, flush: isLast ? Z_FINISH : Z_SYNC_FLUSH)
  }

  private static func deflated(
    _ bytes: [UInt8], windowBits: Int32, flush: Int32
  ) throws(ImageFileError) -> [UInt8] {
    var stream = z_stream()
    let started = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, windowBits, 8, Z_RLE, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    guard started == Z_OK else { throw .refused("zlib", "error \(started)") }
    defer { deflateEnd(&stream) }
    // Flushing a part takes a few bytes more than the bound allows for.
    var result = [UInt8](
      repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))) + 64)
    var source = bytes
    let status = result.withUnsafeMutableBufferPointer { target in
      source.withUnsafeMutableBufferPointer { source in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(clamping: source.count)
        stream.next_out = target.baseAddress
        stream.avail_out = UInt32(clamping: target.count)
        return deflate(&stream, flush)
      }
    }
    guard status == (flush == Z_FINISH ? Z_STREAM_END : Z_OK), stream.avail_in == 0,
      stream.avail_out > 0
    else { throw .refused("zlib", "error \(status)") }
    result.removeLast(Int(stream.avail_out))
    return result
  }
}
