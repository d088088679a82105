import CRawKernels

/// Decodes sequential DCT JPEG with Huffman codes (ITU-T T.81, processes 1, 2 and 4): baseline and extended, 8 and
/// 12 bits, up to four components without subsampling.
///
/// libjpeg-turbo before version 3 decodes only 8 bits, but the Cinema DNG files of some cameras have 12.
struct DCTJPEGDecoder {
  /// A decoded file.
  struct Image: Hashable {
    var columns: Int
    var rows: Int
    var components: Int
    var precision: Int
    /// True if the three components are luma and color differences, by the same rules as in libjpeg and the readers
    /// based on it.
    var isYCbCr: Bool
    /// Rows of interleaved samples, without padding.
    var samples: [UInt16]
  }

  /// The most samples that a byte can stand for: a block of 64 takes at least two bits.
  static let samplesPerByte = 256

  private var segments: JPEGSegments
  private var frame: DCTJPEGFrame?
  private var quantization = [[Float]?](repeating: nil, count: 4)
  private var direct = [raw_jpeg_table?](repeating: nil, count: 4)
  private var alternating = [raw_jpeg_table?](repeating: nil, count: 4)
  private var restartInterval = 0
  private var hasJFIF = false
  /// The transform in Adobe's segment.
  private var adobeTransform: Int?
  private var isDecoded: [Bool] = []
  private var samples: [UInt16] = []

  private init(_ bytes: ArraySlice<UInt8>) {
    segments = JPEGSegments(bytes, name: "DCT JPEG")
  }

  /// Decodes the samples of a file.
  ///
  /// - Parameter sampleLimit: The most samples that the caller can use; a header that claims more is refused before
  ///   memory is allocated.
  /// - Throws: ``DNGError/Code/invalidFile`` or ``DNGError/Code/unsupported``.
  static func decode(
    _ bytes: ArraySlice<UInt8>, sampleLimit: Int
  ) throws(DNGError) -> Image {
    var decoder = Self(bytes)
    return try decoder.decode(limit: min(sampleLimit, bytes.count * samplesPerByte))
  }

  private mutating func decode(limit: Int) throws(DNGError) -> Image {
    try segments.readStart()
    while true {
      let segment = try segments.next()
      switch segment.marker {
      case 0xC4: try readHuffmanTables(segment)
      case 0xD0...0xD9: throw segments.damaged("not all components have a scan")
      case 0xDA:
        try readScan(segment)
        if let frame, isDecoded.allSatisfy(\.self) { return image(frame) }
      case 0xDB: try readQuantization(segment)
      case 0xDD: restartInterval = try segments.word(segment.content.lowerBound)
      case 0xE0: hasJFIF = hasJFIF || begins(segment, with: "JFIF\0")
      case 0xEE:
        if begins(segment, with: "Adobe"), segment.content.count >= 12 {
          adobeTransform = try segments.byte(segment.content.lowerBound + 11)
        }
      case let marker where JPEGSegments.isFrame(marker): try readFrame(segment, limit: limit)
      default: break
      }
    }
  }

  private func image(_ frame: DCTJPEGFrame) -> Image {
    Image(
      columns: frame.columns, rows: frame.rows, components: frame.components.count,
      precision: frame.precision, isYCbCr: isYCbCr(frame), samples: samples)
  }

  private func isYCbCr(_ frame: DCTJPEGFrame) -> Bool {
    guard frame.components.count == 3 else { return false }
    if hasJFIF { return true }
    if let adobeTransform { return adobeTransform != 0 }
    return frame.components.map(\.identifier) != Array("RGB".utf8)
  }

  private func begins(_ segment: JPEGSegments.Segment, with text: String) -> Bool {
    segments.bytes.dropFirst(segment.content.lowerBound).prefix(segment.content.count)
      .starts(with: text.utf8)
  }

  // MARK: Segments

  private mutating func readFrame(
    _ segment: JPEGSegments.Segment, limit: Int
  ) throws(DNGError) {
    guard frame == nil else { throw segments.damaged("it has two frame headers") }
    let frame = try DCTJPEGFrame(segment, of: segments)
    guard frame.sampleCount <= limit else {
      throw segments.damaged(
        "it claims \(frame.columns)x\(frame.rows) pixels, more than there are")
    }
    self.frame = frame
    isDecoded = frame.components.map { _ in false }
    samples = [UInt16](repeating: 0, count: frame.sampleCount)
  }

  private mutating func readHuffmanTables(_ segment: JPEGSegments.Segment) throws(DNGError) {
    for specification in try segments.huffmanTables(segment) {
      let destination = Int(specification.selector & 15)
      guard specification.selector < 0x20, destination < 4,
        let table = specification.table(greatest: .max)
      else { throw segments.damaged("a Huffman table") }
      if specification.selector < 0x10 {
        direct[destination] = table
      } else {
        alternating[destination] = table
      }
    }
  }

  private mutating func readQuantization(_ segment: JPEGSegments.Segment) throws(DNGError) {
    var place = segment.content.lowerBound
    while place < segment.content.upperBound {
      let selector = try segments.byte(place)
      let size = selector >> 4 + 1
      guard selector & 15 < 4, size <= 2, place + 1 + 64 * size <= segment.content.upperBound
      else { throw segments.damaged("a quantization table") }
      var steps: [Float] = []
      for index in 0..<64 {
        let step =
          size == 1
          ? try segments.byte(place + 1 + index) : try segments.word(place + 1 + 2 * index)
        guard step > 0 else { throw segments.damaged("a quantization table") }
        steps.append(Float(step))
      }
      quantization[selector & 15] = steps
      place += 1 + 64 * size
    }
  }

  private mutating func readScan(_ segment: JPEGSegments.Segment) throws(DNGError) {
    let start = segment.content.lowerBound
    guard let frame else { throw segments.damaged("a scan in front of the frame header") }
    let count = try segments.byte(start)
    guard (1...4).contains(count), segment.content.count >= 4 + 2 * count,
      try segments.word(start + 1 + 2 * count) == 63, try segments.byte(start + 3 + 2 * count) == 0
    else { throw segments.damaged("its scan header") }
    var components: [DCTJPEGScan.Component] = []
    for place in stride(from: start + 1, to: start + 1 + 2 * count, by: 2) {
      let (identifier, selectors) = (try segments.byte(place), try segments.byte(place + 1))
      guard let index = frame.components.firstIndex(where: { $0.identifier == identifier }),
        !isDecoded[index], selectors >> 4 < 4, selectors & 15 < 4
      else { throw segments.damaged("its scan header") }
      guard let direct = direct[selectors >> 4], let alternating = alternating[selectors & 15],
        let steps = quantization[frame.components[index].quantization]
      else { throw segments.damaged("a table is missing") }
      isDecoded[index] = true
      components.append(
        DCTJPEGScan.Component(index: index, tables: [direct, alternating], steps: steps))
    }
    let scan = DCTJPEGScan(
      frame: frame, components: components, restartInterval: restartInterval)
    segments.skip(to: try decode(scan, from: segment.content.upperBound))
  }

  private mutating func decode(_ scan: DCTJPEGScan, from start: Int) throws(DNGError) -> Int {
    let bytes = segments.bytes
    do throws(DCTJPEGScan.Failure) {
      var target = samples.mutableSpan
      return try scan.decode(bytes.span, from: start, into: &target)
    } catch {
      switch error {
      case .invalidCode: throw segments.damaged("its scan has an invalid code")
      case .tooShort: throw segments.damaged("its scan ends too soon")
      case .noRestart: throw segments.damaged("its scan lacks an expected restart marker")
      }
    }
  }
}
