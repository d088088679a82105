import CZlib

/// Inflates zlib data in parts.
struct Inflater: ~Copyable {
  private var stream: UnsafeMutablePointer<z_stream>
  /// True once the end of the data has been read.
  private(set) var isFinished = false

  /// Nil if memory is short.
  init?() {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard inflateInit_(stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      return nil
    }
    self.stream = stream
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Inflates a part of the data, up to the limit; nil if the data are damaged.
  mutating func append(_ data: [UInt8], limit: Int) -> [UInt8]? {
    var result: [UInt8] = []
    var isDamaged = false
    data.withUnsafeBufferPointer { source in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
      stream.pointee.avail_in = UInt32(clamping: source.count)
      while !isFinished, result.count < limit {
        let room = min(1 << 16, limit - result.count)
        var status = Z_OK
        let piece = [UInt8](unsafeUninitializedCapacity: room) { target, count in
          stream.pointee.next_out = target.baseAddress
          stream.pointee.avail_out = UInt32(room)
          status = inflate(stream, Z_NO_FLUSH)
          count = room - Int(stream.pointee.avail_out)
        }
        result += piece
        if status == Z_STREAM_END { isFinished = true }
        if status != Z_OK, status != Z_STREAM_END, status != Z_BUF_ERROR { isDamaged = true }
        if isDamaged || piece.isEmpty { break }
      }
    }
    return isDamaged && result.isEmpty ? nil : result
  }
}
