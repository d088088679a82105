import CRawKernels

/// A prefix code for the categories of differences, based on how often each occurs.
///
/// Lengths come from Huffman's method and are then limited to 16 bits as in ITU-T T.81, K.2; one code point is
/// reserved because no code word may consist of ones only.
struct HuffmanCode: Hashable {
  /// Counts of code words of each length from 1 to 16.
  private(set) var lengthCounts = [UInt8](repeating: 0, count: 16)
  /// Categories, ordered by the length of their code words.
  private(set) var values: [UInt8] = []

  /// The code for categories with these counts; those with a count of 0 have no word.
  init(counts: some Collection<UInt32>) {
    let depths = Self.depths(counts.map { UInt64($0) })
    let reserved = depths.count - 1
    var histogram = [Int](repeating: 0, count: 64)
    for depth in depths where depth > 0 { histogram[depth] += 1 }
    Self.limit(&histogram)
    // The reserved word is one of the longest ones.
    if let longest = histogram.lastIndex(where: { $0 > 0 }) { histogram[longest] -= 1 }
    lengthCounts = (1...16).map { UInt8(histogram[$0]) }
    values = (0..<reserved).filter { depths[$0] > 0 }
      .sorted { (depths[$0], $0) < (depths[$1], $1) }.map { UInt8($0) }
  }

  /// Word lengths, by repeatedly merging the two rarest nodes. The last length is that of a reserved symbol for the
  /// all-ones word.
  private static func depths(_ frequencies: [UInt64]) -> [Int] {
    let reserved = frequencies.count
    var depths = [Int](repeating: 0, count: reserved + 1)
    var nodes: [(weight: UInt64, members: [Int])] = [(0, [reserved])]
    for (symbol, count) in frequencies.enumerated() where count > 0 {
      nodes.append((count, [symbol]))
    }
    while nodes.count > 1 {
      nodes.sort { $0.weight > $1.weight }
      let first = nodes.removeLast()
      let second = nodes.removeLast()
      let members = first.members + second.members
      for member in members { depths[member] += 1 }
      nodes.append((first.weight + second.weight, members))
    }
    return depths
  }

  /// Shortens words longer than 16 bits (K.2, figure K.3).
  private static func limit(_ histogram: inout [Int]) {
    for length in stride(from: histogram.count - 1, to: 16, by: -1) {
      while histogram[length] > 0 {
        var shorter = length - 2
        while shorter > 0, histogram[shorter] == 0 { shorter -= 1 }
        histogram[length] -= 2
        histogram[length - 1] += 1
        histogram[shorter + 1] += 2
        histogram[shorter] -= 1
      }
    }
  }

  /// The code words in the form that the C kernel takes.
  var codes: raw_jpeg_codes {
    var codes = raw_jpeg_codes()
    var word: UInt32 = 0
    var index = 0
    withUnsafeMutableBytes(of: &codes.word) { words in
      withUnsafeMutableBytes(of: &codes.length) { lengths in
        for length in 1...16 {
          for _ in 0..<Int(lengthCounts[length - 1]) {
            let symbol = Int(values[index])
            words.storeBytes(of: word, toByteOffset: 4 * symbol, as: UInt32.self)
            lengths.storeBytes(of: UInt8(length), toByteOffset: symbol, as: UInt8.self)
            word += 1
            index += 1
          }
          word <<= 1
        }
      }
    }
    return codes
  }
}
