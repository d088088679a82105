import CRawKernels

/// Decodes a scan of sequential DCT JPEG: Huffman-coded blocks of coefficients, with restart intervals.
struct DCTJPEGScan {
  /// A component of the scan.
  struct Component {
    /// Its index among the frame's components.
    var index: Int
    /// The tables for the DC coefficient and for the AC coefficients.
    var tables: [raw_jpeg_table]
    /// Quantization steps in zigzag order.
    var steps: [Float]
  }

  /// Why a scan could not be decoded.
  enum Failure: Error {
    case invalidCode
    case tooShort
    case noRestart
  }

  /// State that changes from block to block.
  private struct Place {
    var reader = raw_jpeg_reader()
    /// Each component's last DC coefficient, quantized.
    var predictions = InlineArray<4, Int32>(repeating: 0)

    init(at offset: Int) { reader.next = offset }
  }

  let frame: DCTJPEGFrame
  let components: [Component]
  /// Minimum coded units between restart markers; 0 if there are none.
  let restartInterval: Int
  private let transform: InverseDCT

  init(frame: DCTJPEGFrame, components: [Component], restartInterval: Int) {
    (self.frame, self.components, self.restartInterval) = (frame, components, restartInterval)
    transform = InverseDCT(precision: frame.precision)
  }

  /// Decodes all blocks into interleaved samples.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - start: The offset of the scan's data.
  /// - Returns: An offset at or before the marker that follows the scan.
  func decode(
    _ bytes: Span<UInt8>, from start: Int, into samples: inout MutableSpan<UInt16>
  ) throws(Failure) -> Int {
    var place = Place(at: start)
    var unit = 0
    for y in stride(from: 0, to: frame.rows, by: 8) {
      for x in stride(from: 0, to: frame.columns, by: 8) {
        if restartInterval > 0, unit > 0, unit % restartInterval == 0 {
          place = try restarted(place, unit / restartInterval - 1, bytes)
        }
        unit += 1
        for (number, component) in components.enumerated() {
          let block = try block(component, number, &place, bytes)
          store(block, x, y, component.index, &samples)
        }
      }
      guard !place.reader.isOverdrawn else { throw .tooShort }
    }
    return place.reader.next
  }

  /// The place after the restart marker that is due.
  private func restarted(
    _ place: Place, _ number: Int, _ bytes: Span<UInt8>
  ) throws(Failure) -> Place {
    var reader = place.reader
    bytes.withUnsafeBufferPointer { raw_jpeg_fill(&reader, $0.baseAddress, $0.count) }
    guard !reader.isOverdrawn else { throw .tooShort }
    guard reader.unusedBytes == 0 else { throw .noRestart }
    var next = reader.next
    while next + 1 < bytes.count, bytes[next] == 0xFF, bytes[next + 1] == 0xFF { next += 1 }
    guard next + 1 < bytes.count, bytes[next] == 0xFF,
      bytes[next + 1] == 0xD0 + UInt8(number % 8)
    else { throw .noRestart }
    return Place(at: next + 2)
  }

  /// Decodes the next block of a component.
  private func block(
    _ component: Component, _ number: Int, _ place: inout Place, _ bytes: Span<UInt8>
  ) throws(Failure) -> InverseDCT.Rows {
    var numbers = InlineArray<64, Int32>(repeating: 0)
    let count = read(component.tables, &place.reader, bytes, &numbers)
    guard count > 0 else { throw .invalidCode }
    // In a damaged scan the sum of differences may overflow.
    place.predictions[number] &+= numbers[0]
    let first = Float(place.predictions[number]) * component.steps[0]
    guard count > 1 else { return transform.samples(uniform: first) }
    var coefficients = InverseDCT.Coefficients(repeating: 0)
    coefficients[0] = first
    for index in 1..<count {
      coefficients[Self.places[index]] = Float(numbers[index]) * component.steps[index]
    }
    return transform.samples(coefficients)
  }

  private func read(
    _ tables: [raw_jpeg_table], _ reader: inout raw_jpeg_reader, _ bytes: Span<UInt8>,
    _ numbers: inout InlineArray<64, Int32>
  ) -> Int {
    var target = numbers.mutableSpan
    return target.withUnsafeMutableBufferPointer { numbers in
      tables.withUnsafeBufferPointer { tables in
        bytes.withUnsafeBufferPointer { bytes in
          guard let direct = tables.baseAddress else { return -1 }
          return Int(
            raw_jpeg_read_block(
              &reader, bytes.baseAddress, bytes.count, direct, direct + 1, numbers.baseAddress))
        }
      }
    }
  }

  /// Stores the part of a block that lies in the image: blocks may extend beyond its edges.
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

  /// The position of each zigzag coefficient for ``InverseDCT``: column by column.
  private static let places: InlineArray<64, Int> = [
    0, 8, 1, 2, 9, 16, 24, 17, 10, 3, 4, 11, 18, 25, 32, 40,
    33, 26, 19, 12, 5, 6, 13, 20, 27, 34, 41, 48, 56, 49, 42, 35,
    28, 21, 14, 7, 15, 22, 29, 36, 43, 50, 57, 58, 51, 44, 37, 30,
    23, 31, 38, 45, 52, 59, 60, 53, 46, 39, 47, 54, 61, 62, 55, 63,
  ]
}

extension raw_jpeg_reader {
  /// True if more bits were used than precede the marker or the end.
  fileprivate var isOverdrawn: Bool { borrowed > count }
  /// Whole unused bytes before the marker or the end.
  fileprivate var unusedBytes: Int { max(Int(count) - Int(borrowed), 0) / 8 }
}
