import Foundation

@testable import DNG

/// A sequential DCT JPEG made of coefficients, and the samples that they stand for.
struct ExampleDCTJPEG {
  var columns: Int
  var rows: Int
  var precision = 12
  /// 0 for baseline, 1 for extended.
  var process: UInt8 = 1
  /// The frame's, one per component.
  var identifiers: [UInt8]
  /// Minimum coded units between restart markers; 0 for none.
  var restartInterval = 0
  /// One scan for all components, or one for each.
  var isInterleaved = true
  /// Quantization in zigzag order.
  var steps = [Int](repeating: 1, count: 64)
  /// Segments after the first marker.
  var segments: [UInt8] = []
  /// Quantized coefficients of each component: blocks row by row, each in zigzag order.
  var blocks: [[[Int]]]

  var blockCount: Int { (columns + 7) / 8 * ((rows + 7) / 8) }

  init(columns: Int, rows: Int, components: Int, blocks: [[[Int]]]) {
    (self.columns, self.rows, self.blocks) = (columns, rows, blocks)
    identifiers = (1...UInt8(components)).map(\.self)
  }

  /// Interleaved samples, transformed and quantized.
  init(
    _ samples: [UInt16], columns: Int, rows: Int, components: Int, precision: Int = 12,
    steps: [Int] = [Int](repeating: 1, count: 64)
  ) {
    self.init(columns: columns, rows: rows, components: components, blocks: [])
    (self.precision, self.steps) = (precision, steps)
    for component in 0..<components {
      var plane: [[Int]] = []
      for top in stride(from: 0, to: rows, by: 8) {
        for left in stride(from: 0, to: columns, by: 8) {
          let block = (0..<64).map { index -> Double in
            let (y, x) = (min(top + index / 8, rows - 1), min(left + index % 8, columns - 1))
            return Double(samples[(y * columns + x) * components + component])
              - Double(1 << (precision - 1))
          }
          let coefficients = Self.transformed(block, isInverse: false)
          plane.append(
            (0..<64).map { Int((coefficients[Self.zigzag[$0]] / Double(steps[$0])).rounded()) })
        }
      }
      blocks.append(plane)
    }
  }

  // MARK: Reference

  /// The samples, computed in double precision.
  func samples() -> [UInt16] {
    var result = [UInt16](repeating: 0, count: columns * rows * blocks.count)
    let across = (columns + 7) / 8
    for (component, plane) in blocks.enumerated() {
      for (place, block) in plane.enumerated() {
        var coefficients = [Double](repeating: 0, count: 64)
        for index in 0..<64 {
          coefficients[Self.zigzag[index]] = Double(block[index]) * Double(steps[index])
        }
        let values = Self.transformed(coefficients, isInverse: true)
        for index in 0..<64 {
          let (y, x) = (place / across * 8 + index / 8, place % across * 8 + index % 8)
          guard y < rows, x < columns else { continue }
          let code = (values[index] + Double(1 << (precision - 1)) + 0.5).rounded(.down)
          result[(y * columns + x) * blocks.count + component] = UInt16(
            min(max(code, 0), Double(1 << precision - 1)))
        }
      }
    }
    return result
  }

  /// Row-by-row indices of a block's coefficients, in zigzag order.
  static let zigzag: [Int] = (0..<64).sorted { first, second in
    func key(_ index: Int) -> (Int, Int) {
      let (row, column) = (index / 8, index % 8)
      return (row + column, (row + column) % 2 == 0 ? column : row)
    }
    return key(first) < key(second)
  }

  /// A row of eight for each frequency.
  private static let cosines: [Double] = (0..<64).map { index in
    let (frequency, place) = (index / 8, index % 8)
    let scale = frequency == 0 ? 0.125.squareRoot() : 0.5
    return scale * cos(Double((2 * place + 1) * frequency) * Double.pi / 16)
  }

  private static func transformed(_ block: [Double], isInverse: Bool) -> [Double] {
    // Steps in the cosines from one source to the next, and from one target to the next.
    let (step, stride) = isInverse ? (8, 1) : (1, 8)
    func pass(_ block: [Double]) -> [Double] {
      // Transforms the rows and transposes the block, so that two passes transform both directions.
      [Double](unsafeUninitializedCapacity: 64) { result, count in
        // Loops without iterators, because tests are built without optimization.
        while count < 64 {
          let (target, row) = (count / 8, count % 8)
          var (sum, source) = (0.0, 0)
          while source < 8 {
            sum += block[8 * row + source] * cosines[step * source + stride * target]
            source += 1
          }
          result[count] = sum
          count += 1
        }
      }
    }
    return pass(pass(block))
  }

  // MARK: File

  func file() -> [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8] + segments
    let isWide = steps.contains { $0 > 255 }
    file += segment(
      0xDB, [isWide ? 0x10 : 0] + steps.flatMap { isWide ? word($0) : [UInt8($0)] })
    var frame: [UInt8] = [UInt8(precision)] + word(rows) + word(columns)
    frame.append(UInt8(blocks.count))
    for identifier in identifiers { frame += [identifier, 0x11, 0] }
    file += segment(0xC0 + process, frame)
    if restartInterval > 0 { file += segment(0xDD, word(restartInterval)) }
    let all = Array(blocks.indices)
    for scan in isInterleaved ? [all] : all.map({ [$0] }) { file += coded(scan) }
    return file + [0xFF, 0xD9]
  }

  private func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }

  private func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + word(content.count + 2) + content
  }

  /// A code word and the bits that follow it.
  private struct Symbol {
    var value: UInt8
    var bits: Int
    var size: Int
    var isDirect: Bool
  }

  /// A scan, with tables made for it.
  private func coded(_ scan: [Int]) -> [UInt8] {
    let units = units(scan)
    var counts = [[UInt32]](repeating: [UInt32](repeating: 0, count: 256), count: 2)
    for symbol in units.joined() { counts[symbol.isDirect ? 0 : 1][Int(symbol.value)] += 1 }
    let codes = counts.map { HuffmanCode(counts: $0) }
    var bytes: [UInt8] = []
    for (kind, code) in codes.enumerated() {
      bytes += segment(0xC4, [UInt8(kind << 4)] + code.lengthCounts + code.values)
    }
    let selectors: [UInt8] = scan.flatMap { [identifiers[$0], UInt8(0)] }
    bytes += segment(0xDA, [UInt8(scan.count)] + selectors + [0, 63, 0])
    let words = codes.map { Self.words($0) }
    var bits = BitWriter()
    for (index, unit) in units.enumerated() {
      if restartInterval > 0, index > 0, index % restartInterval == 0 {
        bits.flush()
        bits.bytes += [0xFF, 0xD0 + UInt8((index / restartInterval - 1) % 8)]
      }
      for symbol in unit {
        let (code, length) = words[symbol.isDirect ? 0 : 1][Int(symbol.value)]
        bits.put(code, length)
        bits.put(symbol.bits, symbol.size)
      }
    }
    bits.flush()
    return bytes + bits.bytes
  }

  /// The symbols of each minimum coded unit.
  private func units(_ scan: [Int]) -> [[Symbol]] {
    var predictions = [Int](repeating: 0, count: blocks.count)
    return (0..<blockCount).map { place in
      if restartInterval > 0, place % restartInterval == 0 {
        predictions = predictions.map { _ in 0 }
      }
      return scan.flatMap { component -> [Symbol] in
        let block = blocks[component][place]
        let difference = block[0] - predictions[component]
        predictions[component] = block[0]
        return [symbol(0, difference, isDirect: true)] + alternating(block)
      }
    }
  }

  private func alternating(_ block: [Int]) -> [Symbol] {
    var symbols: [Symbol] = []
    var run = 0
    for index in 1..<64 {
      guard block[index] != 0 else {
        run += 1
        continue
      }
      while run > 15 {
        symbols.append(Symbol(value: 0xF0, bits: 0, size: 0, isDirect: false))
        run -= 16
      }
      symbols.append(symbol(run, block[index], isDirect: false))
      run = 0
    }
    if run > 0 { symbols.append(Symbol(value: 0, bits: 0, size: 0, isDirect: false)) }
    return symbols
  }

  private func symbol(_ run: Int, _ value: Int, isDirect: Bool) -> Symbol {
    let size = Int.bitWidth - value.magnitude.leadingZeroBitCount
    let bits = (value < 0 ? value - 1 : value) & ((1 << size) - 1)
    return Symbol(value: UInt8(run << 4 | size), bits: bits, size: size, isDirect: isDirect)
  }

  /// Code words and their lengths, indexed by value.
  private static func words(_ code: HuffmanCode) -> [(Int, Int)] {
    var words = [(Int, Int)](repeating: (0, 0), count: 256)
    var (word, index) = (0, 0)
    for length in 1...16 {
      for _ in 0..<code.lengthCounts[length - 1] {
        words[Int(code.values[index])] = (word, length)
        word += 1
        index += 1
      }
      word <<= 1
    }
    return words
  }

  private struct BitWriter {
    var bytes: [UInt8] = []
    private var pending = 0
    private var count = 0

    mutating func put(_ value: Int, _ length: Int) {
      pending = pending << length | value
      count += length
      while count >= 8 {
        count -= 8
        let byte = UInt8(pending >> count & 255)
        bytes += byte == 0xFF ? [0xFF, 0] : [byte]
        pending &= (1 << count) - 1
      }
    }

    /// Fills up the last byte with ones.
    mutating func flush() {
      if count > 0 { put((1 << (8 - count)) - 1, 8 - count) }
    }
  }
}
