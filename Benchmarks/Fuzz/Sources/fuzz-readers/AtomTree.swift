/// The atoms of a movie, to be taken out, doubled or put elsewhere with the sizes around them right: a
/// file that only its meaning spoils.
struct AtomTree: Structure {
  struct Atom {
    var range: Range<Int>
    /// Where the atoms around it begin.
    var parents: [Int]
  }

  private(set) var atoms: [Atom] = []

  /// The atoms of a movie that hold others.
  private static let movie = Dictionary(
    uniqueKeysWithValues: [
      "moov", "trak", "mdia", "minf", "stbl", "dinf", "edts", "udta", "mvex", "moof", "traf",
      "tapt", "gmhd", "tref", "meta", "ilst",
    ].map { ($0, 0) })
  /// How many bytes of their own those have that hold others.
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

  /// Takes an atom out, doubles it, or puts a copy of it behind another one.
  func rearrange(_ bytes: inout [UInt8], using random: inout SplitMix64) {
    guard let atom = atoms.randomElement(using: &random), atom.range.upperBound <= bytes.count,
      let other = atoms.randomElement(using: &random), other.range.upperBound <= bytes.count
    else { return }
    // A copy of much is nothing new, and costs time.
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
