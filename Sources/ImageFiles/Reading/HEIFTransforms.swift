/// The rotation and mirroring (ISO/IEC 23008-12, 6.5.10 and 6.5.12) and cropping (6.5.9) of the images in a HEIF
/// file, and their size before that. libheif applies them without reporting them.
enum HEIFTransforms {
  /// How an image is stored.
  struct Storage: Equatable {
    /// Width of the visible part in pixels, as stored.
    var width: Int
    /// Height of the visible part in pixels, as stored.
    var height: Int
    /// The EXIF orientation; nil if the file has no transforms.
    var orientation: Int?
    /// The offset from the center of the coded image to the center of the visible part, right and down, in
    /// pixels; nil if nothing is cropped.
    var offset: SIMD2<Double>?

    /// The first visible column and row of the uncropped decoded image.
    ///
    /// Without a crop, the excess at the right and bottom is the encoder's padding.
    func start(inWidth all: Int, height rows: Int) -> (column: Int, row: Int) {
      guard let offset else { return (0, 0) }
      func first(_ all: Int, _ seen: Int, _ offset: Double) -> Int {
        let place = (Double(all - seen) / 2 + offset).rounded()
        return Int(min(max(place, 0), Double(max(all - seen, 0))))
      }
      return (first(all, width, offset.x), first(rows, height, offset.y))
    }
  }

  /// The EXIF orientation for a rotation followed by mirroring.
  ///
  /// - Parameters:
  ///   - quarters: Counterclockwise quarter turns.
  ///   - mirror: 0 to swap top and bottom, 1 to swap left and right; nil for neither.
  static func orientation(quarters: Int, mirror: Int?) -> Int {
    switch mirror {
    case 0?: [4, 5, 2, 7][quarters & 3]
    case .some: [2, 7, 4, 5][quarters & 3]
    case nil: [1, 8, 3, 6][quarters & 3]
    }
  }

  /// How an image is stored; nil if the file does not state its size.
  ///
  /// The standard says that an image's size (`ispe`) is the one before all transforms, and precedes them. libheif
  /// up to 1.15 writes the turned image's size after its rotation, and later versions of libheif turn that once
  /// more, so the size is not taken from libheif.
  ///
  /// - Parameter item: The image's identifier.
  static func storage(_ bytes: [UInt8], item: Int) -> Storage? {
    var (size, cut) = ((width: Int, height: Int)?.none, Storage?.none)
    var (quarters, mirror, isStated) = (0, Int?.none, false)
    for property in properties(bytes, item: item) {
      let content = property.content
      switch property.type {
      case "ispe" where size == nil && content.count >= 12:
        let stated = (
          number(bytes, content.lowerBound + 4, 4), number(bytes, content.lowerBound + 8, 4)
        )
        size = quarters % 2 == 0 ? stated : (stated.1, stated.0)
      // No known writer crops an image that has been turned; such a crop is ignored.
      case "clap" where !isStated: cut = aperture(bytes, content)
      case "irot" where !content.isEmpty:
        let value = Int(bytes[content.lowerBound] & 3)
        // A rotation after mirroring equals the opposite rotation before it.
        (quarters, isStated) = (mirror == nil ? value : (4 - value) & 3, true)
      case "imir" where !content.isEmpty:
        (mirror, isStated) = (Int(bytes[content.lowerBound] & 1), true)
      default: break
      }
    }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    var storage = cut ?? Storage(width: size.width, height: size.height)
    storage.orientation = isStated ? orientation(quarters: quarters, mirror: mirror) : nil
    return storage
  }

  /// The clean aperture (ISO/IEC 14496-12, 12.1.4): width, height, and the offset of its center from the image's
  /// center, as fractions. Nil if it makes no sense.
  private static func aperture(_ bytes: [UInt8], _ content: Range<Int>) -> Storage? {
    guard content.count >= 32 else { return nil }
    func fraction(_ index: Int) -> Double? {
      let place = content.lowerBound + 8 * index
      let (above, below) = (number(bytes, place, 4), number(bytes, place + 4, 4))
      return below == 0 ? nil : Double(Int32(truncatingIfNeeded: above)) / Double(below)
    }
    guard let width = fraction(0), let height = fraction(1), let x = fraction(2),
      let y = fraction(3), width >= 1, height >= 1, width < 0x1p24, height < 0x1p24
    else { return nil }
    var storage = Storage(width: Int(width.rounded()), height: Int(height.rounded()))
    storage.offset = SIMD2(x, y)
    return storage
  }

  /// The properties of an item, in the order in which they are applied.
  private static func properties(
    _ bytes: [UInt8], item: Int
  ) -> [(type: String, content: Range<Int>)] {
    guard let (all, associations) = itemProperties(bytes) else { return [] }
    var properties: [(type: String, content: Range<Int>)] = []
    for association in associations where association.item == item {
      for place in association.places {
        let index = association.index(place, in: bytes) - 1
        if all.indices.contains(index) { properties.append(all[index]) }
      }
    }
    return properties
  }

  /// An item's properties, as listed in an association box.
  struct Association {
    let item: Int
    /// The offsets of the properties' 1-based indices; an index shares its bytes with the bit that marks a property
    /// as essential.
    let places: [Int]
    /// Bytes in an index.
    let size: Int

    func index(_ place: Int, in bytes: [UInt8]) -> Int {
      number(bytes, place, size) & (size == 2 ? 0x7FFF : 0x7F)
    }
  }

  /// The associations in a box, up to the first truncated one.
  static func associations(_ bytes: [UInt8], _ ipma: Range<Int>) -> [Association] {
    guard ipma.count >= 8 else { return [] }
    let (version, isWide) = (bytes[ipma.lowerBound], bytes[ipma.lowerBound + 3] & 1 == 1)
    let (nameSize, size) = (version == 0 ? 2 : 4, isWide ? 2 : 1)
    var found: [Association] = []
    var place = ipma.lowerBound + 8
    for _ in 0..<number(bytes, ipma.lowerBound + 4, 4) {
      guard place + nameSize + 1 <= ipma.upperBound else { break }
      let (name, count) = (number(bytes, place, nameSize), Int(bytes[place + nameSize]))
      place += nameSize + 1
      guard place + count * size <= ipma.upperBound else { break }
      found.append(
        Association(item: name, places: (0..<count).map { place + $0 * size }, size: size))
      place += count * size
    }
    return found
  }

  /// The properties of a file's items and the items' associations with them; nil if there are none.
  static func itemProperties(
    _ bytes: [UInt8]
  ) -> (all: [(type: String, content: Range<Int>)], associations: [Association])? {
    guard let meta = box("meta", in: bytes, 0..<bytes.count), meta.count >= 4,
      let iprp = box("iprp", in: bytes, meta.lowerBound + 4..<meta.upperBound),
      let ipco = box("ipco", in: bytes, iprp)
    else { return nil }
    // Items with long identifiers have a second association box.
    let stated = boxes(bytes, iprp).filter { $0.type == "ipma" }
      .flatMap { associations(bytes, $0.content) }
    return (boxes(bytes, ipco), stated)
  }

  static func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int {
    guard place + size <= bytes.count else { return 0 }
    return bytes[place..<place + size].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func box(_ type: String, in bytes: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    boxes(bytes, range).first { $0.type == type }?.content
  }

  /// The boxes within a range, with the ranges of their contents.
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
