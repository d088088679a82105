/// The chunks of an OpenEXR file, from its headers and offset tables ("OpenEXR File Layout").
///
/// Needed because libavcodec shows missing chunks as black.
struct EXRChunks {
  /// The kind of a part's chunks, which determines how they begin.
  fileprivate enum Kind {
    case lines, tiles
    /// Lines or tiles with any number of samples per pixel. Their sizes are not checked.
    case deep

    /// The offset of the chunk's size field.
    var place: Int { self == .tiles ? 16 : 4 }
  }

  /// One header. A file has one part, or several with a header each.
  struct Part {
    fileprivate var kind: Kind
    /// The chunk count in the header, if any.
    fileprivate var count: Int?
    fileprivate var compression: UInt8?
    fileprivate var width: Int { dataWindow.width }
    fileprivate var height: Int { dataWindow.height }
    /// The tiles' width, height and mode.
    fileprivate var tile: (width: Int, height: Int, mode: UInt8)?
    /// The stored pixels.
    var dataWindow = Window()
    /// The displayed pixels.
    var displayWindow = Window()
    /// Channel names, in order.
    var channels: [String] = []
    /// x and y of red, green, blue and white.
    var chromaticities: [Float]?
    /// The timecode as one SMPTE ST 12 word.
    var timecode: UInt32?
  }

  /// A rectangle of pixels.
  struct Window: Equatable {
    var left = 0
    var top = 0
    var width = 0
    var height = 0

    func contains(_ other: Window) -> Bool {
      other.left >= left && other.top >= top && other.left + other.width <= left + width
        && other.top + other.height <= top + height
    }
  }

  private let bytes: UnsafeRawBufferPointer
  private var place = 8
  private(set) var parts: [Part] = []
  private let isMultipart: Bool

  /// True if any of the file's chunks is missing or incomplete. False if this is not an OpenEXR
  /// file, and if the number of chunks is unknown.
  static func areCut(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.starts(with: [0x76, 0x2F, 0x31, 0x01]) else { return false }
    guard bytes.count > 8, let chunks = EXRChunks(bytes) else { return true }
    return chunks.areCut
  }

  /// Nil if the header is incomplete. The bytes must be those of an OpenEXR file, and more than 8.
  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    let version = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    isMultipart = version & 0x1000 != 0
    let kind: Kind = version & 0x800 != 0 ? .deep : version & 0x200 != 0 ? .tiles : .lines
    repeat {
      guard let part = readPart(kind) else { return nil }
      parts.append(part)
      guard place < bytes.count else { return nil }
    } while isMultipart && bytes[place] != 0
    // An empty header ends the headers of a multi-part file.
    if isMultipart { place += 1 }
  }

  // MARK: The header

  private mutating func readPart(_ kind: Kind) -> Part? {
    var part = Part(kind: kind)
    while let name = readText() {
      if name.isEmpty { return part }
      guard readText() != nil, let size = number(at: place), size >= 0,
        size <= bytes.count - place - 4
      else { return nil }
      place += 4
      take(name, UnsafeRawBufferPointer(rebasing: bytes[place..<place + size]), &part)
      place += size
    }
    return nil
  }

  private func take(_ name: String, _ value: UnsafeRawBufferPointer, _ part: inout Part) {
    func number(_ index: Int) -> Int {
      Int(Int32(littleEndian: value.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
    }
    func window() -> Window {
      Window(
        left: number(0), top: number(1), width: number(2) - number(0) + 1,
        height: number(3) - number(1) + 1)
    }
    switch name {
    case "compression": part.compression = value.first
    case "chunkCount" where value.count == 4: part.count = number(0)
    case "dataWindow" where value.count == 16: part.dataWindow = window()
    case "displayWindow" where value.count == 16: part.displayWindow = window()
    case "channels": part.channels = Self.channels(value)
    case "chromaticities" where value.count == 32:
      part.chromaticities = (0..<8).map {
        Float(bitPattern: UInt32(truncatingIfNeeded: number($0)))
      }
    case "timeCode" where value.count == 8: part.timecode = UInt32(truncatingIfNeeded: number(0))
    case "tiles" where value.count == 9: part.tile = (number(0), number(1), value[8])
    case "type" where isMultipart:
      let type = String(decoding: value, as: UTF8.self)
      part.kind = type.hasPrefix("deep") ? .deep : type.hasPrefix("tiled") ? .tiles : .lines
    default: break
    }
  }

  /// The names in a channel list. 16 more bytes follow each name.
  private static func channels(_ list: UnsafeRawBufferPointer) -> [String] {
    var (names, place) = ([String](), 0)
    while place < list.count, let end = list[place...].firstIndex(of: 0), end > place {
      names.append(String(decoding: list[place..<end], as: UTF8.self))
      place = end + 17
    }
    return names
  }

  /// Text up to a zero byte; nil if there is none.
  private mutating func readText() -> String? {
    guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
    defer { place = end + 1 }
    return String(decoding: bytes[place..<end], as: UTF8.self)
  }

  /// A 32-bit number; nil beyond the end.
  private func number(at place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - 4 else { return nil }
    return Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
  }

  // MARK: The chunks

  private var areCut: Bool {
    var count = 0
    for part in parts {
      guard let own = Self.count(part), (1...1 << 28).contains(own) else { return false }
      count += own
    }
    let data = place + count * 8
    guard data <= bytes.count else { return true }
    let first = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
    // The table was never filled in. libavcodec reads scan lines without it.
    if first == 0, !isMultipart, parts[0].kind == .lines { return isCut(count, from: data) }
    return (0..<count).contains { index in
      let offset = UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: place + index * 8, as: UInt64.self))
      guard let chunk = Int(exactly: offset), chunk >= data, chunk < bytes.count else {
        return true
      }
      return end(ofChunk: chunk) == nil
    }
  }

  /// True unless `count` complete scan line chunks follow one another from an offset.
  private func isCut(_ count: Int, from data: Int) -> Bool {
    var chunk = data
    for _ in 0..<count {
      guard let end = end(ofChunk: chunk) else { return true }
      chunk = end
    }
    return false
  }

  /// Where a chunk ends; nil if it is incomplete.
  private func end(ofChunk chunk: Int) -> Int? {
    var (place, kind) = (chunk, parts[0].kind)
    if isMultipart {
      guard let part = number(at: chunk), parts.indices.contains(part) else { return nil }
      kind = parts[part].kind
      place += 4
    }
    place += kind.place
    guard kind != .deep else { return place <= bytes.count ? place : nil }
    guard let size = number(at: place), size > 0, size <= bytes.count - place - 4 else {
      return nil
    }
    return place + 4 + size
  }

  /// The number of chunks of a part; nil if it cannot be determined.
  private static func count(_ part: Part) -> Int? {
    if let count = part.count { return count }
    let sizes = 1...1 << 20
    guard part.kind != .deep, sizes.contains(part.width), sizes.contains(part.height) else {
      return nil
    }
    guard part.kind == .tiles else {
      let lines: Int
      switch part.compression {
      // None, RLE, ZIPS.
      case 0, 1, 2: lines = 1
      // ZIP, PXR24.
      case 3, 5: lines = 16
      // PIZ, B44, B44A, DWAA, HTJ2K of 32 lines.
      case 4, 6, 7, 8, 11: lines = 32
      // DWAB, HTJ2K of 256 lines.
      case 9, 10: lines = 256
      default: return nil
      }
      return (part.height + lines - 1) / lines
    }
    guard let tile = part.tile, tile.width > 0, tile.height > 0 else { return nil }
    let roundsUp = tile.mode >> 4 != 0
    let wide = levels(part.width, of: tile.width, roundsUp: roundsUp)
    let high = levels(part.height, of: tile.height, roundsUp: roundsUp)
    switch tile.mode & 0xF {
    case 0: return wide[0] * high[0]
    // Mipmaps: one level for each halving of the longer side; the shorter one stays at one tile.
    case 1:
      return (0..<max(wide.count, high.count)).reduce(0) { sum, level in
        let across = level < wide.count ? wide[level] : 1
        let down = level < high.count ? high[level] : 1
        return sum + across * down
      }
    // Ripmaps: every width with every height.
    case 2: return wide.reduce(0, +) * high.reduce(0, +)
    default: return nil
    }
  }

  /// The number of tiles along one side, at each level down to one pixel.
  private static func levels(_ size: Int, of tile: Int, roundsUp: Bool) -> [Int] {
    var (counts, divisor) = ([Int](), 1)
    while true {
      let rest = max((size + (roundsUp ? divisor - 1 : 0)) / divisor, 1)
      counts.append((rest + tile - 1) / tile)
      guard rest > 1 else { return counts }
      divisor *= 2
    }
  }
}
