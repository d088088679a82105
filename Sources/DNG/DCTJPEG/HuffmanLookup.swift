/// A Huffman table for decoding, of any values of a byte.
struct HuffmanLookup {
  static let directBits = 9

  /// By the next bits: the length of the word in the upper byte (0: longer than these bits), its value in
  /// the lower one.
  let direct: [UInt16]
  /// The greatest code of each length, left-aligned in 16 bits, plus one.
  let limits: InlineArray<17, UInt32>
  /// What takes a code of each length to the place of its value.
  let offsets: InlineArray<17, Int32>
  /// Values by increasing length of their words.
  let values: [UInt8]

  /// The table of a DHT segment; nil where its counts are those of no prefix code.
  init?(_ specification: JPEGSegments.HuffmanSpecification) {
    var direct = [UInt16](repeating: 0, count: 1 << Self.directBits)
    var limits = InlineArray<17, UInt32>(repeating: 0)
    var offsets = InlineArray<17, Int32>(repeating: 0)
    let values = specification.values
    var code: UInt32 = 0
    var index = 0
    for length in 1...16 {
      let count = Int(specification.lengthCounts[length - 1])
      guard index + count <= values.count, code + UInt32(count) <= 1 << UInt32(length) else {
        return nil
      }
      offsets[length] = Int32(index) - Int32(code)
      if length <= Self.directBits {
        let span = 1 << (Self.directBits - length)
        for place in 0..<count {
          let first = (Int(code) + place) * span
          let entry = UInt16(length) << 8 | UInt16(values[index + place])
          for slot in first..<first + span { direct[slot] = entry }
        }
      }
      code += UInt32(count)
      index += count
      limits[length] = code << UInt32(16 - length)
      code <<= 1
    }
    guard index == values.count, index > 0 else { return nil }
    (self.direct, self.limits, self.offsets, self.values) = (direct, limits, offsets, values)
  }

  /// The value of the next word, which is dropped; nil where there is none. 16 bits have to be filled.
  @inline(__always)
  func value(_ reader: inout EntropyBits) -> UInt8? {
    let found = direct[Int(truncatingIfNeeded: reader.bits >> UInt64(64 - Self.directBits))]
    guard found >> 8 == 0 else {
      reader.drop(Int(found >> 8))
      return UInt8(truncatingIfNeeded: found)
    }
    return longValue(&reader)
  }

  private func longValue(_ reader: inout EntropyBits) -> UInt8? {
    let head = UInt32(truncatingIfNeeded: reader.bits >> 48)
    var length = Self.directBits + 1
    while length <= 16, head >= limits[length] { length += 1 }
    guard length <= 16 else { return nil }
    let place = Int(head >> UInt32(16 - length)) + Int(offsets[length])
    guard values.indices.contains(place) else { return nil }
    reader.drop(length)
    return values[place]
  }
}
