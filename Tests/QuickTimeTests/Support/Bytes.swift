import Glibc

/// Comparisons that are fast even without optimization.
extension [UInt8] {
  /// True if both hold the same bytes.
  func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let there = other.baseAddress else { return count == other.count }
    return withUnsafeBytes { $0.baseAddress.map { memcmp($0, there, count) == 0 } ?? true }
  }

  /// True if both arrays hold the same bytes.
  func isSame(as other: [UInt8]) -> Bool { other.withUnsafeBytes { isSame(as: $0) } }

  /// True if both hold the same bytes in a range of the other.
  func isSame(as other: [UInt8], in range: Range<Int>) -> Bool {
    guard range.upperBound <= count, range.upperBound <= other.count else { return false }
    return withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard let here = mine.baseAddress, let there = theirs.baseAddress else { return true }
        return memcmp(here + range.lowerBound, there + range.lowerBound, range.count) == 0
      }
    }
  }
}
