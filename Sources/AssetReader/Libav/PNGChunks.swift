import TIFF

/// What a PNG file says of its picture before the picture itself ("Portable Network Graphics", third edition).
struct PNGChunks {
  /// The color in words, as the chunk with the highest rank says it; nil if none does, or if an ICC profile is
  /// told in its place.
  private(set) var color: String?
  /// Exif's number of the orientation; nil if the file does not say.
  private(set) var orientation: Int?

  /// Nil for what is no PNG file.
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
    color = Self.color(chunks)
    if let exif = chunks["eXIf"], let file = try? TIFFFile(Array(exif)) {
      orientation = StillHeader.orientation(file)
    }
  }

  private static func color(_ chunks: [String: ArraySlice<UInt8>]) -> String? {
    if let codes = chunks["cICP"], codes.count == 4 {
      return codes.prefix(3).map { "\($0)" }.joined(separator: "-")
    }
    if chunks["iCCP"] != nil { return nil }
    if chunks["sRGB"] != nil { return "sRGB" }
    var words: [String] = []
    // Both are in units of 0.00001.
    if let gamma = chunks["gAMA"], gamma.count == 4 {
      words.append("gamma \(fraction(gamma))")
    }
    if let places = chunks["cHRM"], places.count == 32 {
      let numbers = stride(from: places.startIndex, to: places.endIndex, by: 4).map {
        fraction(places[$0..<$0 + 4])
      }
      words.append("chromaticities " + numbers.joined(separator: ", "))
    }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static func fraction(_ bytes: ArraySlice<UInt8>) -> String {
    "\(Double(number(bytes)) / 100_000)"
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}
