/// The boxes of a file in the manner of ISO/IEC 14496-12, as HEIF and JPEG XL have them.
///
/// The bytes may be anything: boxes that end before they begin, or nowhere, end the search.
struct MediaBoxes {
  /// Bytes from a place on, fewer where the file ends.
  let read: (_ offset: Int64, _ count: Int) -> [UInt8]

  /// The whole file: no file of a picture is larger, and a place beyond it is none to read from.
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

  /// Calls `body` for the boxes of a range in order, until it answers false.
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

  /// The number in some bytes, the highest first; nil where they are not all there.
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
      // To the end of the file.
      size = Int(end - offset)
    }
    guard size >= headSize, size <= end - offset else { return nil }
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    return (kind, (offset + headSize)..<(offset + Int64(size)))
  }
}
