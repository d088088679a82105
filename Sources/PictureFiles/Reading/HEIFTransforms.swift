/// What a HEIF file says of how its pictures are turned (ISO/IEC 23008-12, 6.5.10 and 6.5.12), which libheif applies
/// and does not tell.
enum HEIFTransforms {
  /// EXIF's number of some turns, after which the picture is mirrored.
  ///
  /// - Parameters:
  ///   - quarters: Counterclockwise.
  ///   - mirror: 0 where top and bottom change places, 1 where left and right do; nil for neither.
  static func orientation(quarters: Int, mirror: Int?) -> Int {
    switch mirror {
    case 0?: [4, 5, 2, 7][quarters & 3]
    case .some: [2, 7, 4, 5][quarters & 3]
    case nil: [1, 8, 3, 6][quarters & 3]
    }
  }

  /// EXIF's number of a picture's turn; nil where the file tells none.
  ///
  /// - Parameter item: The picture's identifier.
  static func orientation(_ bytes: [UInt8], item: Int) -> Int? {
    guard let meta = box("meta", in: bytes, 0..<bytes.count), meta.count >= 4,
      let iprp = box("iprp", in: bytes, meta.lowerBound + 4..<meta.upperBound),
      let ipco = box("ipco", in: bytes, iprp), let ipma = box("ipma", in: bytes, iprp)
    else { return nil }
    let properties = boxes(bytes, ipco)
    var (quarters, mirror, isTold) = (0, Int?.none, false)
    for index in associations(bytes, ipma, item) where properties.indices.contains(index - 1) {
      let property = properties[index - 1]
      guard let value = bytes[property.content].first else { continue }
      switch property.type {
      // A turn of what was mirrored is the opposite one before it.
      case "irot": (quarters, isTold) = (Int(mirror == nil ? value & 3 : (4 - value & 3) & 3), true)
      case "imir": (mirror, isTold) = (Int(value & 1), true)
      default: break
      }
    }
    return isTold ? orientation(quarters: quarters, mirror: mirror) : nil
  }

  /// The numbers of an item's properties, from 1.
  private static func associations(_ bytes: [UInt8], _ ipma: Range<Int>, _ item: Int) -> [Int] {
    guard ipma.count >= 8 else { return [] }
    let (version, isWide) = (bytes[ipma.lowerBound], bytes[ipma.lowerBound + 3] & 1 == 1)
    let (nameSize, size) = (version == 0 ? 2 : 4, isWide ? 2 : 1)
    var place = ipma.lowerBound + 8
    for _ in 0..<number(bytes, ipma.lowerBound + 4, 4) {
      guard place + nameSize + 1 <= ipma.upperBound else { return [] }
      let (name, count) = (number(bytes, place, nameSize), Int(bytes[place + nameSize]))
      place += nameSize + 1
      guard place + count * size <= ipma.upperBound else { return [] }
      if name == item {
        return (0..<count).map { number(bytes, place + $0 * size, size) & (isWide ? 0x7FFF : 0x7F) }
      }
      place += count * size
    }
    return []
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
    guard place + size <= bytes.count else { return 0 }
    return bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func box(_ type: String, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    boxes(bytes, range).first { $0.type == type }?.content
  }

  /// The boxes within a range, and where their contents are.
  private static func boxes(
    _ bytes: [UInt8], _ range: Range<Int>
  ) -> [(type: String, content: Range<Int>)] {
    var found: [(String, Range<Int>)] = []
    var place = range.lowerBound
    while place + 8 <= range.upperBound, found.count < 4096 {
      var (size, head) = (number(bytes, place, 4), 8)
      if size == 1, place + 16 <= range.upperBound, bytes[place + 8] == 0 {
        (size, head) = (number(bytes, place + 8, 8), 16)
      }
      if size == 0 { size = range.upperBound - place }
      guard size >= head, size <= range.upperBound - place else { break }
      let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      found.append((type, place + head..<place + size))
      place += size
    }
    return found
  }
}
