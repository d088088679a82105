/// The boxes at a HEIF file's begin, as far as the library asks for them (ISO/IEC 23008-12).
///
/// The bytes may be anything: boxes that end before they begin, or nowhere, end the search.
enum HEIFHeader {
  /// No file of a picture is larger; a place beyond it is none to read from.
  private static let farthest: Int64 = 1 << 40
  private static let largestSide = 1 << 24

  /// The size of the largest picture that the file describes: tiles and thumbnails are smaller.
  static func largestPicture(
    _ read: (_ offset: Int64, _ count: Int) -> [UInt8]
  ) -> (width: Int, height: Int)? {
    // `meta` is a full box: version and flags come before what is in it.
    guard let meta = box("meta", in: 0..<farthest, read), meta.count >= 4,
      let properties = box("iprp", in: (meta.lowerBound + 4)..<meta.upperBound, read),
      let container = box("ipco", in: properties, read)
    else { return nil }
    var best: (width: Int, height: Int)?
    var offset = container.lowerBound
    for _ in 0..<4096 {
      guard let (kind, content) = box(at: offset, before: container.upperBound, read) else { break }
      if kind == "ispe" {
        let bytes = read(content.lowerBound + 4, 8)
        guard bytes.count == 8 else { break }
        let (width, height) = (number(bytes[0..<4]), number(bytes[4..<8]))
        if (1...largestSide).contains(width), (1...largestSide).contains(height),
          width * height > (best?.width ?? 0) * (best?.height ?? 0)
        {
          best = (width, height)
        }
      }
      offset = content.upperBound
    }
    return best
  }

  /// The content of the first box of a kind in a range of the file.
  private static func box(
    _ wanted: String, in range: Range<Int64>, _ read: (Int64, Int) -> [UInt8]
  ) -> Range<Int64>? {
    var offset = range.lowerBound
    for _ in 0..<64 {
      guard let (kind, content) = box(at: offset, before: range.upperBound, read) else {
        return nil
      }
      if kind == wanted { return content }
      offset = content.upperBound
    }
    return nil
  }

  private static func box(
    at offset: Int64, before end: Int64, _ read: (Int64, Int) -> [UInt8]
  ) -> (kind: String, content: Range<Int64>)? {
    let head = read(offset, 8)
    guard head.count == 8, end - offset >= 8 else { return nil }
    var size = Int64(number(head[0..<4]))
    var headSize: Int64 = 8
    if size == 1 {
      let large = read(offset + 8, 8)
      guard large.count == 8, large[0] & 0x80 == 0 else { return nil }
      size = large.reduce(0) { $0 << 8 | Int64($1) }
      headSize = 16
    }
    // A size of 0 means to the end of the file: nothing comes after it that is asked for.
    guard size >= headSize, size <= end - offset else { return nil }
    let kind = String(decoding: head[4..<8], as: UTF8.self)
    return (kind, (offset + headSize)..<(offset + size))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
