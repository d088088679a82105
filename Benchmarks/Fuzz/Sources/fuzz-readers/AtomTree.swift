/// The atoms of a movie, which can be removed, duplicated or moved while the sizes around them stay right: a
/// file that is well formed and only wrong in meaning.
struct AtomTree: Structure {
  struct Atom {
    var range: Range<Int>
    /// Where the enclosing atoms begin.
    var parents: [Int]
  }

  private(set) var atoms: [Atom] = []

  /// The atoms of a movie that contain others.
  private static let movie = Dictionary(
    uniqueKeysWithValues: [
      "moov", "trak", "mdia", "minf", "stbl", "dinf", "edts", "udta", "mvex", "moof", "traf",
      "tapt", "gmhd", "tref", "meta", "ilst",
    ].map { ($0, 0) })
  /// The size in bytes of the containers' own fields.
  private let containers: [String: Int]

  init(_ bytes: [UInt8], containers: [String: Int]? = nil) {
    self.containers = containers ?? Self.movie
    look(at: bytes, in: 0..<bytes.count, parents: [])
  }

  private mutating func look(at bytes: [UInt8], in range: Range<Int>, parents: [Int]) {
    var position = range.lowerBound
    while position + 8 <= range.upperBound, atoms.count < 4096 {
      let size = Self.number(bytes, position)
      let end = size < 8 ? range.upperBound : min(position + size, range.upperBound)
      atoms.append(Atom(range: position..<end, parents: parents))
      let kind = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      if let own = containers[kind], position + 8 + own <= end {
        look(at: bytes, in: position + 8 + own..<end, parents: parents + [position])
      }
      position = end
    }
  }

  /// Removes an atom, duplicates it, or puts a copy of it after another one.
  func rearrange(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    guard let atom = atoms.randomElement(using: &random), atom.range.upperBound <= bytes.count,
      let other = atoms.randomElement(using: &random), other.range.upperBound <= bytes.count
    else { return }
    // Large copies find nothing new, and take time.
    switch Int.random(in: 0..<4, using: &random) {
    case 0, 1:
      bytes.removeSubrange(atom.range)
      grow(&bytes, atom.parents, by: -atom.range.count)
    case 2 where atom.range.count < 65_536:
      bytes.insert(contentsOf: Array(bytes[atom.range]), at: atom.range.upperBound)
      grow(&bytes, atom.parents, by: atom.range.count)
    default:
      guard atom.range.count < 65_536 else { return }
      bytes.insert(contentsOf: Array(bytes[atom.range]), at: other.range.upperBound)
      grow(&bytes, other.parents, by: atom.range.count)
    }
  }

  private func grow(_ bytes: inout [UInt8], _ parents: [Int], by count: Int) {
    for start in parents where start + 4 <= bytes.count {
      let size = UInt32(truncatingIfNeeded: Self.number(bytes, start) + count)
      for byte in 0..<4 {
        bytes[start + byte] = UInt8(truncatingIfNeeded: size >> UInt32(8 * (3 - byte)))
      }
    }
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> Int {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}
