/// Decodes a scan of sequential DCT JPEG: blocks of coefficients, by Huffman codes, with restart intervals.
struct DCTJPEGScan {
  /// A component of the scan.
  struct Component {
    /// Its place among those of the frame.
    var index: Int
    var direct: HuffmanLookup
    var alternating: HuffmanLookup
    /// Steps of coefficients in zigzag order.
    var steps: [Float]
  }

  /// What a scan was found to be.
  enum Failure: Error {
    case invalidCode
    case tooShort
    case noRestart
  }

  let frame: DCTJPEGFrame
  /// Minimum coded units from a restart marker to the next; 0 for none.
  let restartInterval: Int
  let components: [Component]
  /// Each component's last coefficient of frequency zero, in its steps.
  private var predictions = InlineArray<4, Int32>(repeating: 0)
  private var reader: EntropyBits
  private let transform: InverseDCT

  init(frame: DCTJPEGFrame, components: [Component], restartInterval: Int, start: Int) {
    (self.frame, self.components, self.restartInterval) = (frame, components, restartInterval)
    reader = EntropyBits(at: start)
    transform = InverseDCT(precision: frame.precision)
  }

  /// Decodes all blocks into interleaved samples.
  ///
  /// - Returns: A place in front of the marker behind the scan.
  mutating func decode(
    _ bytes: Span<UInt8>, into samples: inout MutableSpan<UInt16>
  ) throws(Failure) -> Int {
    var unit = 0
    for y in stride(from: 0, to: frame.rows, by: 8) {
      for x in stride(from: 0, to: frame.columns, by: 8) {
        if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
          try restart(unit / restartInterval - 1, bytes)
        }
        unit += 1
        for place in components.indices {
          let block = try block(place, bytes)
          store(block, x, y, components[place].index, &samples)
        }
      }
      guard !reader.isOverdrawn else { throw .tooShort }
    }
    return reader.next
  }

  /// Goes on behind the restart marker that is due.
  private mutating func restart(_ number: Int, _ bytes: Span<UInt8>) throws(Failure) {
    reader.fill(bytes)
    guard !reader.isOverdrawn else { throw .tooShort }
    var place = reader.next
    guard reader.unusedBytes == 0 else { throw .noRestart }
    while place + 1 < bytes.count, bytes[place] == 0xFF, bytes[place + 1] == 0xFF { place += 1 }
    guard place + 1 < bytes.count, bytes[place] == 0xFF,
      bytes[place + 1] == 0xD0 + UInt8(number % 8)
    else { throw .noRestart }
    reader = EntropyBits(at: place + 2)
    predictions = InlineArray(repeating: 0)
  }

  /// The samples of the next block of a component.
  private mutating func block(
    _ place: Int, _ bytes: Span<UInt8>
  ) throws(Failure) -> InverseDCT.Rows {
    let component = components[place]
    reader.fill(bytes)
    guard let size = component.direct.value(&reader), size < 16 else { throw .invalidCode }
    // Differences of a damaged scan may add up to anything.
    if size > 0 { predictions[place] &+= reader.signed(Int(size)) }
    let first = Float(predictions[place]) * component.steps[0]
    var coefficients = InverseDCT.Coefficients(repeating: 0)
    var index = 1
    var isUniform = true
    while index < 64 {
      reader.fill(bytes)
      guard let code = component.alternating.value(&reader) else { throw .invalidCode }
      let (run, size) = (Int(code >> 4), Int(code & 15))
      if size == 0 {
        guard run == 15 || run == 0 else { throw .invalidCode }
        guard run == 15 else { break }
        index += 16
        // Another coefficient has to follow.
        guard index < 64 else { throw .invalidCode }
        continue
      }
      index += run
      guard index < 64 else { throw .invalidCode }
      isUniform = false
      coefficients[Self.places[index]] =
        Float(reader.signed(size)) * component.steps[index]
      index += 1
    }
    guard !isUniform else { return transform.samples(uniform: first) }
    coefficients[0] = first
    return transform.samples(coefficients)
  }

  /// Stores what lies within the picture: blocks may reach over its edges.
  private func store(
    _ block: InverseDCT.Rows, _ x: Int, _ y: Int, _ component: Int,
    _ samples: inout MutableSpan<UInt16>
  ) {
    let step = frame.components.count
    for row in 0..<min(8, frame.rows - y) {
      var place = ((y + row) * frame.columns + x) * step + component
      let line = block[row]
      for column in 0..<min(8, frame.columns - x) {
        samples[place] = UInt16(line[column])
        place += step
      }
    }
  }

  /// Where ``InverseDCT`` wants coefficients in zigzag order: columns one after the other.
  private static let places: InlineArray<64, Int> = [
    0, 8, 1, 2, 9, 16, 24, 17, 10, 3, 4, 11, 18, 25, 32, 40,
    33, 26, 19, 12, 5, 6, 13, 20, 27, 34, 41, 48, 56, 49, 42, 35,
    28, 21, 14, 7, 15, 22, 29, 36, 43, 50, 57, 58, 51, 44, 37, 30,
    23, 31, 38, 45, 52, 59, 60, 53, 46, 39, 47, 54, 61, 62, 55, 63,
  ]
}
