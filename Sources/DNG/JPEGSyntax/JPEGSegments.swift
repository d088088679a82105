import CRawKernels
import MediaCore

/// Iterates over the marker segments of a JPEG file (ITU-T T.81, annex B) of any process.
struct JPEGSegments {
  /// A marker, and the contents of its segment after the length.
  struct Segment {
    var marker: UInt8
    var content: Range<Int>
  }

  /// A Huffman table as stated in a DHT segment.
  struct HuffmanSpecification {
    /// The class in the upper four bits, the destination in the lower four.
    var selector: UInt8
    /// Counts of code words of each length from 1 to 16.
    var lengthCounts: [UInt8]
    /// Values, ordered by the length of their code words.
    var values: [UInt8]

    /// The table for the C kernels; nil if the counts form no prefix code, or a value exceeds `greatest`.
    func table(greatest: UInt8) -> raw_jpeg_table? {
      var table = raw_jpeg_table()
      return raw_jpeg_make_table(lengthCounts, values, values.count, greatest, &table) == 0
        ? table : nil
    }
  }

  /// The file; all offsets are relative to its first byte.
  let bytes: ArraySlice<UInt8>
  /// What error messages call the file, such as "lossless JPEG".
  let name: String
  /// Where to look for the next marker.
  var offset = 0

  init(_ bytes: ArraySlice<UInt8>, name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// The process in the first frame header, 0 to 15 as in its marker; nil if there is none.
  static func process(of bytes: ArraySlice<UInt8>) -> UInt8? {
    var segments = Self(bytes, name: "JPEG")
    guard (try? segments.readStart()) != nil else { return nil }
    while let segment = try? segments.next() {
      if isFrame(segment.marker) { return segment.marker - 0xC0 }
      if segment.marker == 0xDA { return nil }
    }
    return nil
  }

  /// True for the marker of a frame header, and for the reserved marker JPG.
  static func isFrame(_ marker: UInt8) -> Bool {
    // DHT and DAC are in the same range.
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xCC
  }

  func damaged(_ what: String) -> DNGError {
    DNGError(.invalidFile, "the \(name) data is damaged: \(what)")
  }

  func byte(_ offset: Int) throws(DNGError) -> Int {
    guard offset < bytes.count else { throw damaged("it ends in its header") }
    return Int(bytes[bytes.startIndex + offset])
  }

  func word(_ offset: Int) throws(DNGError) -> Int {
    try byte(offset) << 8 | byte(offset + 1)
  }

  /// Reads the SOI marker.
  mutating func readStart() throws(DNGError) {
    guard try word(0) == 0xFFD8 else { throw damaged("it does not begin with a JPEG marker") }
    offset = 2
  }

  /// Continues at the first marker at or after an offset, to skip a scan.
  mutating func skip(to place: Int) {
    offset = place
    while offset + 1 < bytes.count {
      let start = bytes.startIndex + offset
      // In data, a zero byte is stuffed after FF.
      if bytes[start] == 0xFF, bytes[start + 1] != 0 { return }
      offset += 1
    }
  }

  /// Reads the next segment and moves past it.
  mutating func next() throws(DNGError) -> Segment {
    while true {
      guard try byte(offset) == 0xFF else { throw damaged("a marker is missing") }
      let marker = try byte(offset + 1)
      // Any marker may be preceded by fill bytes.
      if marker == 0xFF {
        offset += 1
        continue
      }
      let length = try word(offset + 2)
      let content = offset + 4
      let end = offset + 2 + length
      guard length >= 2, end <= bytes.count else { throw damaged("a segment has no end") }
      offset = end
      return Segment(marker: UInt8(marker), content: content..<end)
    }
  }

  func huffmanTables(_ segment: Segment) throws(DNGError) -> [HuffmanSpecification] {
    var tables: [HuffmanSpecification] = []
    var place = segment.content.lowerBound
    let end = segment.content.upperBound
    while place < end {
      guard place + 17 <= end else { throw damaged("a Huffman table") }
      let start = bytes.startIndex + place
      let counts = Array(bytes[start + 1..<start + 17])
      let total = counts.reduce(0) { $0 + Int($1) }
      guard place + 17 + total <= end else { throw damaged("a Huffman table") }
      tables.append(
        HuffmanSpecification(
          selector: bytes[start], lengthCounts: counts,
          values: Array(bytes[start + 17..<start + 17 + total])))
      place += 17 + total
    }
    return tables
  }
}
