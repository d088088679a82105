import CRawKernels
import MediaCore

/// Decodes lossless JPEG (SOF3) with any predictor: one scan, no restart intervals.
struct LosslessJPEGDecoder {
  /// A decoded file.
  struct Image: Hashable {
    var columns = 0
    var rows = 0
    var components = 0
    var precision = 0
    /// Rows of interleaved samples without padding; empty if they went to a ``Place``.
    var samples: [UInt16] = []
    /// True if the samples went to the caller's ``Place``.
    var isPlaced = false
  }

  /// Memory to decode into, for an image of one shape.
  struct Place {
    let start: UnsafeMutablePointer<UInt16>
    /// Samples per row, all components.
    let rowLength: Int
    let rows: Int
    /// The number of samples from one row to the next.
    let stride: Int
  }

  /// Decodes the samples of a file.
  ///
  /// - Parameters:
  ///   - sampleLimit: The most samples that the caller can use; a header that claims more is refused before memory
  ///     is allocated.
  ///   - place: Memory to decode into if the image has its shape. Its contents are undefined after an error.
  /// - Throws: ``DNGError/Code/invalidFile`` or ``DNGError/Code/unsupported``.
  static func decode(
    _ bytes: ArraySlice<UInt8>, sampleLimit: Int, into place: Place? = nil
  ) throws(DNGError) -> Image {
    var parser = Parser(bytes: bytes, limit: sampleLimit, place: place)
    return try parser.decode()
  }

  /// True for a JPEG whose first frame header states another process.
  static func isOtherProcess(_ bytes: ArraySlice<UInt8>) -> Bool {
    JPEGSegments.process(of: bytes).map { $0 != 3 } ?? false
  }

  private struct Parser {
    var segments: JPEGSegments
    let limit: Int
    let place: Place?
    var image = Image()
    var identifiers: [UInt8] = []
    var tables = [raw_jpeg_table?](repeating: nil, count: 4)

    init(bytes: ArraySlice<UInt8>, limit: Int, place: Place?) {
      segments = JPEGSegments(bytes, name: "lossless JPEG")
      self.limit = limit
      self.place = place
    }

    func damaged(_ what: String) -> DNGError { segments.damaged(what) }
    func byte(_ offset: Int) throws(DNGError) -> Int { try segments.byte(offset) }
    func word(_ offset: Int) throws(DNGError) -> Int { try segments.word(offset) }

    mutating func decode() throws(DNGError) -> Image {
      let scan = try readHeader()
      return try readScan(scan.lowerBound, scan.upperBound)
    }

    /// Reads up to the scan; returns the range of its header.
    mutating func readHeader() throws(DNGError) -> Range<Int> {
      try segments.readStart()
      while true {
        let segment = try segments.next()
        switch segment.marker {
        case 0xC3: try readFrame(segment.content.lowerBound, segment.content.upperBound)
        case 0xC4: try readTables(segment)
        case 0xDA: return segment.content
        case let marker where JPEGSegments.isFrame(marker):
          throw DNGError(
            .unsupported, "its JPEG is not lossless (process \(marker - 0xC0)), and is not read")
        case 0xDD:
          guard try word(segment.content.lowerBound) == 0 else {
            throw DNGError(.unsupported, "lossless JPEG with restart intervals is not read")
          }
        default: break
        }
      }
    }

    mutating func readFrame(_ start: Int, _ end: Int) throws(DNGError) {
      guard end - start >= 6, image.components == 0 else { throw damaged("its frame header") }
      image.precision = try byte(start)
      image.rows = try word(start + 1)
      image.columns = try word(start + 3)
      image.components = try byte(start + 5)
      guard (2...16).contains(image.precision), image.rows > 0, image.columns > 0,
        (1...4).contains(image.components), end - start >= 6 + 3 * image.components
      else { throw damaged("its frame header") }
      for index in 0..<image.components {
        identifiers.append(UInt8(try byte(start + 6 + 3 * index)))
        guard try byte(start + 7 + 3 * index) == 0x11 else {
          throw DNGError(.unsupported, "lossless JPEG with subsampling is not read")
        }
      }
      guard image.rows * image.columns * image.components <= limit else {
        throw damaged("it claims \(image.columns)x\(image.rows) pixels, more than there are")
      }
    }

    mutating func readTables(_ segment: JPEGSegments.Segment) throws(DNGError) {
      // Other destinations belong to a JPEG that is not lossless, which its frame header then states.
      for specification in try segments.huffmanTables(segment) where specification.selector < 4 {
        guard let table = specification.table(greatest: 16) else {
          throw damaged("a Huffman table")
        }
        tables[Int(specification.selector)] = table
      }
    }

    mutating func readScan(_ start: Int, _ end: Int) throws(DNGError) -> Image {
      let components = image.components
      guard components > 0, try byte(start) == components, end - start >= 4 + 2 * components else {
        throw damaged("its scan header")
      }
      var used: [raw_jpeg_table] = []
      for index in 0..<components {
        let selector = try byte(start + 2 + 2 * index) >> 4
        guard try byte(start + 1 + 2 * index) == identifiers[index], selector < 4,
          let table = tables[selector]
        else { throw damaged("its scan header") }
        used.append(table)
      }
      let predictor = try byte(start + 1 + 2 * components)
      let shift = try byte(start + 3 + 2 * components) & 15
      guard (1...7).contains(predictor), shift < image.precision else {
        throw damaged("its scan header")
      }
      let rowLength = image.columns * components
      var scan = raw_jpeg_scan(
        columns: image.columns, rows: image.rows, components: components,
        precision: UInt32(image.precision), predictor: UInt32(predictor),
        point_transform: UInt32(shift), stride: rowLength)
      if let place, place.rowLength == rowLength, place.rows == image.rows {
        scan.stride = place.stride
        try decodeScan(from: end, scan, used, into: place.start)
        image.isPlaced = true
        return image
      }
      var failure: DNGError?
      image.samples = [UInt16](
        unsafeUninitializedCapacity: image.rows * rowLength
      ) { target, count in
        guard let start = target.baseAddress else { return }
        do throws(DNGError) {
          try decodeScan(from: end, scan, used, into: start)
          count = target.count
        } catch { failure = error }
      }
      if let failure { throw failure }
      return image
    }

    func decodeScan(
      from offset: Int, _ scan: raw_jpeg_scan, _ tables: [raw_jpeg_table],
      into target: UnsafeMutablePointer<UInt16>
    ) throws(DNGError) {
      let rest = segments.bytes.dropFirst(offset)
      var scan = scan
      let length = rest.withUnsafeBufferPointer { source in
        tables.withUnsafeBufferPointer { tables in
          let pointers = tables.indices.map { index in
            tables.baseAddress.map { $0.advanced(by: index) }
          }
          return pointers.withUnsafeBufferPointer {
            raw_jpeg_decode(source.baseAddress, source.count, &scan, $0.baseAddress, target)
          }
        }
      }
      guard length >= 0 else { throw damaged("its scan ends too soon or has an invalid code") }
    }
  }
}
