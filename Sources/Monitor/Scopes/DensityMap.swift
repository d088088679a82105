/// The number of samples at each point of a scope.
public struct DensityMap: Sendable, Hashable {
  /// The number of points in a row.
  public let width: Int
  /// The number of rows; the first one is the lowest level.
  public let height: Int
  /// The counts, row by row.
  public internal(set) var counts: [UInt32]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    counts = [UInt32](repeating: 0, count: width * height)
  }

  /// The count at a point.
  public subscript(x: Int, y: Int) -> UInt32 { counts[y * width + x] }

  /// The brightness of each point: 0 for no samples, otherwise 1 to 255 by the square root of the
  /// count, so that few samples remain visible beside many.
  ///
  /// - Parameter full: The count for full brightness; nil for the map's largest count.
  public func densities(full: Int? = nil) -> [UInt8] {
    let top = Double(max(full ?? Int(counts.max() ?? 0), 1))
    // Most counts are small, and many points share a count.
    var table = [UInt8](repeating: 0, count: 256)
    func density(_ count: UInt32) -> UInt8 {
      UInt8(min(max(255 * (Double(count) / top).squareRoot(), 1), 255).rounded())
    }
    for count in 1..<table.count { table[count] = density(UInt32(count)) }
    return counts.map { $0 < 256 ? table[Int($0)] : density($0) }
  }
}
