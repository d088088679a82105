/// Reads the segments before a JPEG image's data.
enum JPEGReader {
  /// - Throws: ``ImageFileError/Code/invalidFile``.
  static func summary(_ bytes: [UInt8]) throws(ImageFileError) -> ImageFileSummary {
    var segments = Segments(bytes: bytes)
    var summary: ImageFileSummary?
    var (exif, xmp, profile) = ([UInt8]?.none, [UInt8]?.none, [Int: ArraySlice<UInt8>]())
    var hasISOMap = false
    while let (marker, content) = try segments.next() {
      switch marker {
      case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
        summary = try frame(content, byteCount: bytes.count)
      case 0xE1 where content.starts(with: "Exif\0\0".utf8) && exif == nil:
        exif = Array(content.dropFirst(6))
      case 0xE1 where content.starts(with: JPEGSegments.xmpName) && xmp == nil:
        xmp = Array(content.dropFirst(JPEGSegments.xmpName.count))
      case 0xE2 where content.starts(with: "ICC_PROFILE\0".utf8) && content.count > 14:
        profile[Int(content[content.startIndex + 12])] = content.dropFirst(14)
      case 0xE2 where content.starts(with: JPEGSegments.gainMapName): hasISOMap = true
      default: break
      }
    }
    guard var summary else {
      throw .invalidFile("it has no frame header before its data")
    }
    summary.isWhole = segments.endsWhole()
    if let exif { summary.take(exif: exif) }
    summary.take(profile: profile.sorted { $0.key < $1.key }.flatMap { Array($0.value) })
    summary.hasXMP = xmp != nil
    let text = xmp.map { String(decoding: $0, as: UTF8.self) } ?? ""
    // The XMP form is Adobe's, which Android took over; Apple's older files are recognized by their gain map
    // version.
    summary.gainMap =
      hasISOMap
      ? .iso : text.contains("hdrgm:Version") ? .xmp : text.contains("HDRGainMap") ? .apple : nil
    return summary
  }

  /// A frame header (ITU-T T.81, B.2.2).
  private static func frame(
    _ content: ArraySlice<UInt8>, byteCount: Int
  ) throws(ImageFileError) -> ImageFileSummary {
    let bytes = Array(content)
    guard bytes.count >= 6, bytes.count >= 6 + 3 * Int(bytes[5]), bytes[5] > 0 else {
      throw .invalidFile("its frame header is too short")
    }
    var summary = ImageFileSummary(
      kind: .jpeg, width: Int(bytes[3]) << 8 | Int(bytes[4]),
      height: Int(bytes[1]) << 8 | Int(bytes[2]), bitDepth: Int(bytes[0]),
      components: Int(bytes[5]), byteCount: byteCount)
    guard bytes[5] == 3 else { return summary }
    let sampling = [bytes[7], bytes[10], bytes[13]]
    summary.chroma =
      switch sampling {
      case _ where sampling[1] != sampling[2]: nil
      case _ where sampling[0] == sampling[1]: "4:4:4"
      case [0x21, 0x11, 0x11]: "4:2:2"
      case [0x22, 0x11, 0x11]: "4:2:0"
      case [0x12, 0x11, 0x11]: "4:4:0"
      case [0x41, 0x11, 0x11]: "4:1:1"
      default: nil
      }
    return summary
  }

  /// The segments up to the image's data, and what follows.
  struct Segments {
    let bytes: [UInt8]
    private(set) var place = 2

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(ImageFileError) -> (marker: UInt8, content: ArraySlice<UInt8>)? {
      while place < bytes.count, bytes[place] == 0xFF, place + 1 < bytes.count,
        bytes[place + 1] == 0xFF
      { place += 1 }
      guard place + 4 <= bytes.count, bytes[place] == 0xFF else {
        throw .invalidFile("it ends, or is damaged, before its image")
      }
      let marker = bytes[place + 1]
      guard marker != 0xDA, marker != 0xD9 else { return nil }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      let end = place + 2 + length
      guard length >= 2, end <= bytes.count else {
        throw .invalidFile("it ends within a segment before its image")
      }
      defer { place = end }
      return (marker, bytes[place + 4..<end])
    }

    /// True if the image's data end with the EOI marker, and so do those of each image that directly follows,
    /// such as a gain map.
    func endsWhole() -> Bool {
      bytes.withUnsafeBufferPointer { bytes in
        var start = place
        repeat {
          guard let end = Self.end(of: bytes, from: start) else { return false }
          start = end + 2
        } while bytes.dropFirst(start - 2).starts(with: [0xFF, 0xD8])
        return true
      }
    }

    /// The offset after an image's EOI marker; nil if there is none. `start` must be the beginning of one of its
    /// segments or of its data.
    static func end(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      var place = start
      while place + 1 < bytes.count {
        let marker = bytes[place + 1]
        // In the data, FF is followed by 0 or by a restart marker.
        guard bytes[place] == 0xFF, marker != 0, marker != 0xFF, !(0xD0...0xD7).contains(marker)
        else {
          place += 1
          continue
        }
        if marker == 0xD9 { return place + 2 }
        guard place + 4 <= bytes.count else { return nil }
        place += 2 + (Int(bytes[place + 2]) << 8 | Int(bytes[place + 3]))
      }
      return nil
    }
  }
}
