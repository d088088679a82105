/// The parts of a HEIF file's boxes that the library needs (ISO/IEC 23008-12).
struct HEIFHeader {
  private let boxes: MediaBoxes
  /// The content of `meta`, a full box, after its version and flags.
  private let meta: Range<Int64>
  private static let largestSide = 1 << 24

  /// Nil if the file does not describe its images.
  init?(_ read: @escaping (_ offset: Int64, _ count: Int) -> [UInt8]) {
    boxes = MediaBoxes(read: read)
    guard let meta = boxes.first("meta", in: MediaBoxes.everything), meta.count >= 4 else {
      return nil
    }
    self.meta = (meta.lowerBound + 4)..<meta.upperBound
  }

  /// The size of the primary item, which is the image that viewers show: its clean aperture if it
  /// has one, else its spatial extents. If the file does not list that item's properties, the
  /// largest image's size, because tiles and thumbnails are smaller.
  var imageSize: (width: Int, height: Int)? {
    guard let list = boxes.first("iprp", in: meta),
      let container = boxes.first("ipco", in: list)
    else { return nil }
    var properties: [(kind: String, content: Range<Int64>)] = []
    boxes.forEach(in: container) { kind, content in
      properties.append((kind, content))
      return true
    }
    let own = primaryItem.flatMap { item in self.properties(of: item, in: list) } ?? []
    // Property numbers start at 1.
    let primary = own.compactMap { $0 >= 1 && $0 <= properties.count ? properties[$0 - 1] : nil }
    guard let size = largestExtents(primary) else { return largestExtents(properties) }
    let aperture = primary.first { $0.kind == "clap" }.flatMap { cleanAperture($0.content) }
    if let aperture, aperture.width <= size.width, aperture.height <= size.height {
      return aperture
    }
    return size
  }

  /// The largest spatial extents among the properties.
  private func largestExtents(
    _ properties: [(kind: String, content: Range<Int64>)]
  ) -> (width: Int, height: Int)? {
    var best: (width: Int, height: Int)?
    for property in properties where property.kind == "ispe" {
      guard let width = boxes.number(at: property.content.lowerBound + 4, count: 4),
        let height = boxes.number(at: property.content.lowerBound + 8, count: 4)
      else { break }
      if (1...Self.largestSide).contains(width), (1...Self.largestSide).contains(height),
        width * height > (best?.width ?? 0) * (best?.height ?? 0)
      {
        best = (width, height)
      }
    }
    return best
  }

  /// Width and height of a clean aperture, stored as fractions.
  private func cleanAperture(_ content: Range<Int64>) -> (width: Int, height: Int)? {
    let numbers = (0..<4).compactMap { boxes.number(at: content.lowerBound + $0 * 4, count: 4) }
    guard numbers.count == 4, numbers[1] > 0, numbers[3] > 0 else { return nil }
    let (width, height) = (numbers[0] / numbers[1], numbers[2] / numbers[3])
    return width > 0 && height > 0 ? (width, height) : nil
  }

  /// The number of the primary item.
  private var primaryItem: Int? {
    guard let box = boxes.first("pitm", in: meta),
      let version = boxes.number(at: box.lowerBound, count: 1)
    else { return nil }
    return boxes.number(at: box.lowerBound + 4, count: version == 0 ? 2 : 4)
  }

  /// The numbers of an item's properties; nil if the file does not list them.
  private func properties(of item: Int, in list: Range<Int64>) -> [Int]? {
    guard let box = boxes.first("ipma", in: list) else { return nil }
    var reader = Reader(boxes: boxes, offset: box.lowerBound, end: box.upperBound)
    guard let version = reader.next(1), let flags = reader.next(3), let count = reader.next(4)
    else { return nil }
    // The highest bit of each number marks properties that readers must know.
    let (width, mask) = flags & 1 == 1 ? (2, 0x7FFF) : (1, 0x7F)
    for _ in 0..<min(count, 4096) {
      guard let number = reader.next(version == 0 ? 2 : 4), let entries = reader.next(1) else {
        return nil
      }
      if number == item {
        return (0..<entries).compactMap { _ in reader.next(width).map { $0 & mask } }
      }
      reader.skip(entries * width)
    }
    return nil
  }

  /// The offset of the Exif data, at its TIFF header; nil if there is none.
  var exif: Int64? {
    guard let item = exifItem, let place = place(of: item),
      let skipped = boxes.number(at: place, count: 4)
    else { return nil }
    return place + 4 + Int64(skipped)
  }

  /// The number of the Exif item.
  private var exifItem: Int? {
    guard let list = boxes.first("iinf", in: meta),
      let version = boxes.number(at: list.lowerBound, count: 1)
    else { return nil }
    let entries = list.lowerBound + (version == 0 ? 6 : 8)
    guard entries < list.upperBound else { return nil }
    var found: Int?
    boxes.forEach(in: entries..<list.upperBound) { kind, content in
      guard kind == "infe", let version = boxes.number(at: content.lowerBound, count: 1) else {
        return true
      }
      // Version 2 has two-byte numbers, version 3 four-byte numbers; two bytes of protection
      // follow.
      let width = version == 2 ? 2 : 4
      let type = boxes.read(content.lowerBound + 4 + Int64(width) + 2, 4)
      if version >= 2, type.elementsEqual("Exif".utf8) {
        found = boxes.number(at: content.lowerBound + 4, count: width)
      }
      return found == nil
    }
    return found
  }

  /// Where an item begins in the file; nil if it is stored in another way.
  private func place(of item: Int) -> Int64? {
    guard let list = boxes.first("iloc", in: meta) else { return nil }
    var reader = Reader(boxes: boxes, offset: list.lowerBound, end: list.upperBound)
    guard let version = reader.next(1), version <= 2, reader.next(3) != nil,
      let sizes = reader.next(2), let count = reader.next(version == 2 ? 4 : 2)
    else { return nil }
    let (offsetSize, lengthSize) = (sizes >> 12, sizes >> 8 & 15)
    let (baseSize, indexSize) = (sizes >> 4 & 15, version == 0 ? 0 : sizes & 15)
    for _ in 0..<min(count, 4096) {
      guard let number = reader.next(version == 2 ? 4 : 2),
        let method = version == 0 ? 0 : reader.next(2), reader.next(2) != nil,
        let base = reader.next(baseSize), let extents = reader.next(2)
      else { return nil }
      for extent in 0..<min(extents, 4096) {
        guard reader.next(indexSize) != nil, let offset = reader.next(offsetSize),
          reader.next(lengthSize) != nil
        else { return nil }
        guard number == item, extent == 0 else { continue }
        let (place, isTooFar) = base.addingReportingOverflow(offset)
        guard method & 15 == 0, !isTooFar, Int64(place) < MediaBoxes.everything.upperBound else {
          return nil
        }
        return Int64(place)
      }
    }
    return nil
  }

  /// Reads consecutive numbers.
  private struct Reader {
    let boxes: MediaBoxes
    var offset: Int64
    let end: Int64

    mutating func next(_ count: Int) -> Int? {
      guard [0, 1, 2, 3, 4, 8].contains(count), offset + Int64(count) <= end else { return nil }
      defer { offset += Int64(count) }
      return boxes.number(at: offset, count: count)
    }

    mutating func skip(_ count: Int) { offset += Int64(count) }
  }
}
