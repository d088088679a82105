/// How many samples fell on each point of a scope.
public struct DensityMap: Sendable, Hashable {
  /// Points in a row.
  public let width: Int
  /// Rows; the first one is that of the lowest level.
  public let height: Int
  /// Samples by point, row by row.
  public internal(set) var counts: [UInt32]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    counts = [UInt32](repeating: 0, count: width * height)
  }

  /// Samples at a point.
  public subscript(x: Int, y: Int) -> UInt32 { counts[y * width + x] }

  /// The brightness to draw each point with: 0 where nothing fell, else 1 to 255 by the square root of
  /// the count, so that a few samples are seen beside many.
  ///
  /// - Parameter full: The count of full brightness; nil for the largest one of the map.
  public func densities(full: Int? = nil) -> [UInt8] {
    let top = Double(max(full ?? Int(counts.max() ?? 0), 1))
    // Most counts are small, and many points have the same one.
    var table = [UInt8](repeating: 0, count: 256)
    func density(_ count: UInt32) -> UInt8 {
      UInt8(min(max(255 * (Double(count) / top).squareRoot(), 1), 255).rounded())
    }
    for count in 1..<table.count { table[count] = density(UInt32(count)) }
    return counts.map { $0 < 256 ? table[Int($0)] : density($0) }
  }
}
