import TIFF

/// The chunks of a PNG file before its image data ("Portable Network Graphics", third edition).
struct PNGChunks {
  /// The color that the file states.
  let color: PNGColor
  /// The Exif orientation; nil if the file states none.
  private(set) var orientation: Int?

  /// Nil if this is not a PNG file.
  init?(_ bytes: [UInt8]) {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else { return nil }
    var chunks: [String: ArraySlice<UInt8>] = [:]
    var place = 8
    while place + 12 <= bytes.count {
      let size = Self.number(bytes[place..<place + 4])
      let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
      guard name != "IDAT", size <= bytes.count - place - 12 else { break }
      chunks[name] = bytes[place + 8..<place + 8 + size]
      place += size + 12
    }
    color = PNGColor(chunks)
    if let exif = chunks["eXIf"], let file = try? TIFFFile(Array(exif)) {
      orientation = StillHeader.orientation(file)
    }
  }

  /// A big-endian number.
  static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
