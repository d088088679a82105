/// Finds the end of the image in a JPEG file (ITU-T T.81, B.1.1). Previews and videos that cameras
/// append are not part of it.
struct JPEGExtent {
  private let size: Int64
  private let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  /// Sizes of the pieces searched for a marker: small at first, because most segments adjoin each
  /// other.
  private static let stretches = (first: 64, last: 1 << 18)

  /// - Parameters:
  ///   - size: The file's size in bytes.
  ///   - read: Returns bytes of the file.
  init(size: Int64, _ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
    self.size = size
    self.read = read
  }

  /// True if the file has the marker that ends its image (EOI).
  var hasEnd: Bool {
    // SOI comes first.
    var offset: Int64 = 2
    while let marker = nextMarker(from: offset) {
      switch marker.code {
      case 0xD9: return true
      // Frames, tables, scans, restart intervals, application data and comments have a length.
      case 0xC0...0xCF, 0xDA...0xDF, 0xE0...0xEF, 0xFE:
        let length = read(marker.offset + 2, 2)
        guard length.count == 2 else { return false }
        offset = marker.offset + 2 + max(Int64(length[0]) << 8 | Int64(length[1]), 2)
      default: offset = marker.offset + 2
      }
    }
    return false
  }

  /// The first marker from an offset on, skipping entropy-coded bytes, fill bytes and restart
  /// markers.
  private func nextMarker(from start: Int64) -> (code: UInt8, offset: Int64)? {
    var offset = start
    var stretch = Self.stretches.first
    while offset < size - 1 {
      let bytes = read(offset, stretch)
      guard bytes.count > 1 else { return nil }
      var place = 0
      while let mark = bytes[place...].firstIndex(of: 0xFF), mark + 1 < bytes.count {
        let code = bytes[mark + 1]
        if code != 0, code != 0xFF, !(0xD0...0xD7).contains(code) {
          return (code, offset + Int64(mark))
        }
        place = mark + 1
      }
      // The last byte may be the first one of a marker.
      offset += Int64(bytes.count - 1)
      stretch = min(2 * stretch, Self.stretches.last)
    }
    return nil
  }
}
