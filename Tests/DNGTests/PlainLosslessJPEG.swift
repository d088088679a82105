/// Decodes scans of lossless JPEG one bit at a time, as ITU-T T.81 describes it.
struct PlainLosslessJPEG {
  /// How many code words have each length from 1 to 16, and the categories in the order of their words.
  struct Table {
    let counts: [UInt8]
    let values: [UInt8]
  }

  private struct Failure: Error {}

  let columns: Int
  let rows: Int
  let precision: Int
  let predictor: Int
  let pointTransform: Int
  /// One for each component.
  let tables: [Table]

  /// The samples of a scan; nil if it ends too soon or has an invalid code word.
  func decode(_ scan: [UInt8]) -> [UInt16]? {
    var bits = Bits(bytes: scan)
    let (components, width) = (tables.count, columns * tables.count)
    var samples = [Int](repeating: 0, count: width * rows)
    do {
      for place in samples.indices {
        let (row, column) = (place / width, place % width)
        let left = column >= components ? samples[place - components] : 0
        let above = row > 0 ? samples[place - width] : 0
        let corner = row > 0 && column >= components ? samples[place - width - components] : 0
        let prediction =
          switch (row, column) {
          case (0, ..<components): 1 << (precision - pointTransform - 1)
          case (0, _): left
          case (_, ..<components): above
          default: predict(left, above, corner)
          }
        let difference = try bits.difference(tables[place % components])
        samples[place] = (prediction + difference) & 0xFFFF
      }
    } catch { return nil }
    return samples.map { UInt16(truncatingIfNeeded: $0 << pointTransform) }
  }

  private func predict(_ left: Int, _ above: Int, _ corner: Int) -> Int {
    switch predictor {
    case 1: left
    case 2: above
    case 3: corner
    case 4: left + above - corner
    case 5: left + ((above - corner) >> 1)
    case 6: above + ((left - corner) >> 1)
    default: (left + above) >> 1
    }
  }

  private struct Bits {
    let bytes: [UInt8]
    private var place = 0
    private var current: UInt8 = 0
    private var left = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws -> Int {
      if left == 0 {
        guard place < bytes.count else { throw Failure() }
        current = bytes[place]
        place += 1
        if current == 0xFF {
          // Zero is stuffing; anything else is a marker.
          guard place < bytes.count, bytes[place] == 0 else { throw Failure() }
          place += 1
        }
        left = 8
      }
      left -= 1
      return Int((current >> UInt8(left)) & 1)
    }

    mutating func difference(_ table: Table) throws -> Int {
      var (code, first, index) = (0, 0, 0)
      for length in 0..<16 {
        code = code << 1 | (try next())
        let count = Int(table.counts[length])
        if code - first < count { return try number(Int(table.values[index + code - first])) }
        index += count
        first = (first + count) << 1
      }
      throw Failure()
    }

    private mutating func number(_ size: Int) throws -> Int {
      guard size < 16 else { return 32_768 }
      var value = 0
      for _ in 0..<size { value = value << 1 | (try next()) }
      return size > 0 && value < 1 << (size - 1) ? value - (1 << size) + 1 : value
    }
  }
}
