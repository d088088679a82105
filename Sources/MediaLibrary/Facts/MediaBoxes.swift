/// The boxes of a file structured like ISO/IEC 14496-12, such as HEIF and JPEG XL.
///
/// The bytes are untrusted: a box with an impossible size ends the search.
struct MediaBoxes {
  /// Returns bytes from an offset on, fewer at the end of the file.
  let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  /// The whole file: no image file is larger, and offsets beyond it are refused.
  static let everything: Range<Int64> = 0..<(1 << 40)

  /// The content of the first box of a kind in a range of the file.
  func first(_ wanted: String, in range: Range<Int64>) -> Range<Int64>? {
    var found: Range<Int64>?
    forEach(in: range, atMost: 64) { kind, content in
      if kind == wanted { found = content }
      return found == nil
    }
    return found
  }

  /// Calls `body` for each box of a range in order, until it returns false.
  func forEach(
    in range: Range<Int64>, atMost limit: Int = 4096,
    _ body: (_ kind: String, _ content: Range<Int64>) -> Bool
  ) {
    var offset = range.lowerBound
    for _ in 0..<limit {
      guard let (kind, content) = box(at: offset, before: range.upperBound),
        body(kind, content)
      else { return }
      offset = content.upperBound
    }
  }

  /// A big-endian number; nil if its bytes are not all there.
  func number(at offset: Int64, count: Int) -> Int? {
    guard count > 0 else { return 0 }
    let bytes = read(offset, count)
    guard bytes.count == count, count < 8 || bytes[0] & 0x80 == 0 else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  private func box(
    at offset: Int64, before end: Int64
  ) -> (kind: String, content: Range<Int64>)? {
    let head = read(offset, 8)
    guard head.count == 8, end - offset >= 8, var size = number(at: offset, count: 4) else {
      return nil
    }
    var headSize: Int64 = 8
    if size == 1 {
      guard let large = number(at: offset + 8, count: 8) else { return nil }
      size = large
      headSize = 16
    } else if size == 0 {
      // The box extends to the end of the file.
      size = Int(end - offset)
    }
    guard size >= headSize, size <= end - offset else { return nil }
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    return (kind, (offset + headSize)..<(offset + Int64(size)))
  }
}
