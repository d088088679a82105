/// The directories of a TIFF file, whose entries can be changed so that the file looks well formed but
/// contradicts itself.
struct TIFFTree: Structure {
  /// Where an entry is, and its value if that is elsewhere.
  struct Entry {
    var place: Int
    var type: UInt16
    var value: Range<Int>
  }

  let isLittleEndian: Bool
  private(set) var directories: [Range<Int>] = []
  private(set) var entries: [Entry] = []

  private static let sizes: [UInt16: Int] = [
    1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 13: 4,
  ]
  /// Entries that point to directories: SubIFDs, Exif, GPS.
  private static let links: Set<UInt64> = [330, 34665, 34853]

  /// The tree of a valid file; `start` is where a TIFF file begins inside another one.
  init(_ bytes: [UInt8], at start: Int = 0) {
    isLittleEndian = bytes[start] == 0x49
    var open = [Int(number(bytes, start + 4, 4))]
    while let offset = open.popLast() {
      let first = start + offset
      let count = Int(number(bytes, first, 2))
      directories.append(first..<first + 2 + 12 * count)
      for index in 0..<count {
        let place = first + 2 + 12 * index
        let type = UInt16(number(bytes, place + 2, 2))
        let length = Int(number(bytes, place + 4, 4)) * (Self.sizes[type] ?? 1)
        let far = start + Int(number(bytes, place + 8, 4))
        let value = length <= 4 ? place + 8..<place + 8 + length : far..<far + length
        entries.append(Entry(place: place, type: type, value: value))
        guard Self.links.contains(number(bytes, place, 2)) else { continue }
        for link in stride(from: value.lowerBound, to: value.upperBound, by: 4) {
          open.append(Int(number(bytes, link, 4)))
        }
      }
    }
  }

  /// The directories and their values, with the directories repeated because they matter most.
  var places: [Range<Int>] {
    [0..<8] + directories + directories + entries.map(\.value).filter { !$0.isEmpty }
  }

  /// The same file with its numbers in the other byte order; pixels are unchanged.
  func swapped(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    func turn(_ start: Int, _ size: Int) {
      result.replaceSubrange(start..<start + size, with: bytes[start..<start + size].reversed())
    }
    result[0] = isLittleEndian ? 0x4D : 0x49
    result[1] = result[0]
    turn(2, 2)
    turn(4, 4)
    for directory in directories { turn(directory.lowerBound, 2) }
    for entry in entries {
      turn(entry.place, 2)
      turn(entry.place + 2, 2)
      turn(entry.place + 4, 4)
      if !(entry.place..<entry.place + 12).contains(entry.value.lowerBound) {
        turn(entry.place + 8, 4)
      }
      let size = Self.sizes[entry.type] ?? 1
      let step = entry.type == 5 || entry.type == 10 ? 4 : size
      for start in stride(from: entry.value.lowerBound, to: entry.value.upperBound, by: step) {
        turn(start, step)
      }
    }
    return result
  }

  func rearrange(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    guard let entry = entries.randomElement(using: &random),
      let other = entries.randomElement(using: &random),
      let directory = directories.randomElement(using: &random)
    else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0: copy(2, from: other.place, to: entry.place, &bytes)
    case 1, 2: put(UInt64.random(in: 0...14, using: &random), 2, at: entry.place + 2, &bytes)
    case 3, 4: put(amount(bytes.count, &random), 4, at: entry.place + 4, &bytes)
    case 5: put(amount(bytes.count, &random), 4, at: entry.place + 8, &bytes)
    case 6: put(UInt64(directory.lowerBound), 4, at: entry.place + 8, &bytes)
    case 7: copy(12, from: other.place, to: entry.place, &bytes)
    case 8: put(amount((directory.count - 2) / 12, &random), 2, at: directory.lowerBound, &bytes)
    case 9:
      // As a float: not a number, infinite, the greatest, or negative.
      put(UInt64.random(in: 11...12, using: &random), 2, at: entry.place + 2, &bytes)
      put(
        [0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF, 0xBF80_0000].randomElement(
          using: &random) ?? 0, 4, at: entry.place + 8, &bytes)
    default:
      let size = Self.sizes[entry.type] ?? 1
      let width = entry.type == 5 || entry.type == 10 ? 4 : size
      let steps = entry.value.count / width
      guard steps > 0 else { return }
      let place = entry.value.lowerBound + width * Int.random(in: 0..<steps, using: &random)
      put(amount(bytes.count, &random), width, at: place, &bytes)
    }
  }

  /// A count or an offset: small, near a limit, or too large.
  private func amount(_ limit: Int, _ random: inout SplitMix64) -> UInt64 {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: UInt64.random(in: 0...9, using: &random)
    case 1: UInt64(max(limit + Int.random(in: -9...9, using: &random), 0))
    case 2: Mutation.extremes.randomElement(using: &random) ?? 0
    default: UInt64(Int.random(in: 0...max(limit, 1), using: &random))
    }
  }

  private func copy(_ count: Int, from: Int, to: Int, _ bytes: inout [UInt8]) {
    guard max(from, to) + count <= bytes.count else { return }
    bytes.replaceSubrange(to..<to + count, with: Array(bytes[from..<from + count]))
  }

  private func put(_ number: UInt64, _ size: Int, at place: Int, _ bytes: inout [UInt8]) {
    guard place + size <= bytes.count else { return }
    for index in 0..<size {
      bytes[place + (isLittleEndian ? index : size - 1 - index)] =
        UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
    }
  }

  private func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) {
      $0 << 8 | UInt64(bytes[start + (isLittleEndian ? size - 1 - $1 : $1)])
    }
  }
}
