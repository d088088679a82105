/// Parts of a file that can be made to contradict each other while each stays well formed.
protocol Structure {
  func rearrange(_ bytes: inout [UInt8], using random: inout SplitMix64)
}

/// Ways to damage bytes, with some knowledge of their structure.
struct Mutation {
  /// Where numbers and tables are; damage elsewhere does little.
  var places: [Range<Int>]
  /// Sizes in bytes of numbers aligned within a place.
  var numberSizes = [2, 4, 8]
  /// What can be rearranged; nil if there is nothing.
  var structure: (any Structure)?

  /// Numbers that break arithmetic.
  static let extremes: [UInt64] = [
    0, 1, 2, 7, 8, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x1000_0000, 0x7FFF_FFFF,
    0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x1_0000_0000, 0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF,
  ]

  func apply(to seed: [UInt8], using random: inout SplitMix64) -> [UInt8] {
    var bytes = seed
    if let structure, Int.random(in: 0..<2, using: &random) == 0 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        structure.rearrange(&bytes, using: &random)
      }
      if Bool.random(using: &random) { return bytes }
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard bytes.count > 16, let range = places.randomElement(using: &random) else { break }
      let limit = min(range.upperBound, bytes.count)
      guard range.lowerBound < limit else { continue }
      let place = Int.random(in: range.lowerBound..<limit, using: &random)
      spoil(&bytes, at: place, in: range.lowerBound..<limit, &random)
    }
    return bytes
  }

  private func spoil(
    _ bytes: inout [UInt8], at place: Int, in range: Range<Int>, _ random: inout SplitMix64
  ) {
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
    case 2, 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 4...8: setNumber(&bytes, near: place, in: range, &random)
    case 9, 10:
      let count = min(Int.random(in: 1...64, using: &random), bytes.count - place)
      let from = Int.random(in: 0...bytes.count - count, using: &random)
      bytes.replaceSubrange(place..<place + count, with: Array(bytes[from..<from + count]))
    case 11:
      let count = min(Int.random(in: 1...48, using: &random), bytes.count - place)
      bytes.removeSubrange(place..<place + count)
    case 12:
      let count = min(Int.random(in: 1...48, using: &random), bytes.count - place)
      bytes.insert(contentsOf: Array(bytes[place..<place + count]), at: place)
    case 13, 14: bytes.swapAt(place, Int.random(in: range, using: &random))
    default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    }
  }

  /// Replaces a big-endian number by an extreme one, or by one slightly above or below it.
  private func setNumber(
    _ bytes: inout [UInt8], near place: Int, in range: Range<Int>, _ random: inout SplitMix64
  ) {
    let size = numberSizes.randomElement(using: &random) ?? 4
    let start = range.lowerBound + (place - range.lowerBound) / min(size, 4) * min(size, 4)
    guard start + size <= bytes.count else { return }
    let old = bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value =
      Bool.random(using: &random)
      ? Self.extremes.randomElement(using: &random) ?? 0
      : old &+ UInt64(bitPattern: Int64.random(in: -9...9, using: &random))
    for byte in 0..<size {
      bytes[start + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - byte)))
    }
  }
}

extension Mutation {
  /// The tables of a movie, and the beginnings of its other top-level atoms.
  init(movie bytes: [UInt8]) {
    places = []
    structure = AtomTree(bytes)
    var position = 0
    while position + 8 <= bytes.count {
      var size = Self.number(bytes, position, 4)
      let kind = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      if size == 1, position + 16 <= bytes.count { size = Self.number(bytes, position + 8, 8) }
      let end = size < 8 ? bytes.count : min(position + size, bytes.count)
      let isTable = kind == "moov" || kind == "moof" || kind == "ftyp"
      places.append(position..<(isTable ? end : min(position + 16, end)))
      if isTable { places.append(position..<end) }
      position = kind == "mdat" && size >= bytes.count ? position + 16 : end
    }
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> Int {
    Int(truncatingIfNeeded: bytes[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      & Int.max
  }

  /// The directories of a TIFF file and their values, and the beginnings of the data they refer to.
  init(tiff bytes: [UInt8]) {
    let tree = TIFFTree(bytes)
    let last = tree.places.map(\.upperBound).max() ?? 0
    places = tree.places + [0..<bytes.count]
    if last < bytes.count { places += [last..<min(last + 160, bytes.count), last..<bytes.count] }
    numberSizes = [1, 2, 4]
    structure = tree
  }

  /// All of a text or of another small file.
  init(whole bytes: [UInt8]) { places = [0..<max(bytes.count, 1)] }
}
