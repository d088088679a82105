import TIFF

/// DNG's ProfileGainTableMap: gains that depend on position and brightness.
package struct GainMap: Hashable, Sendable {
  /// Grid points across.
  package var columns: Int
  /// Grid points down.
  package var rows: Int
  /// Gains per point, for brightness from 0 to 1.
  package var count: Int
  /// The weights of red, green, blue, their minimum and their maximum in brightness.
  package var weights: [Float]
  /// The gains: rows outermost, brightness innermost.
  package var gains: [Float]

  package init(columns: Int, rows: Int, count: Int, weights: [Float], gains: [Float]) {
    self.columns = columns
    self.rows = rows
    self.count = count
    self.weights = weights
    self.gains = gains
  }

  /// The tag's bytes, little-endian.
  var encoded: [UInt8] {
    let integers: [UInt32] = [UInt32(rows), UInt32(columns)]
    let spacing: [Double] = [1 / Double(rows), 1 / Double(columns)]
    let origin: [Double] = [0.5 / Double(rows), 0.5 / Double(columns)]
    return TIFFValue.longs(integers).encoded + TIFFValue.doubles(spacing + origin).encoded
      + TIFFValue.longs([UInt32(count)]).encoded + TIFFValue.floats(weights + gains).encoded
  }
}
