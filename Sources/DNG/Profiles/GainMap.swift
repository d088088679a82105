import TIFF

/// DNG's ProfileGainTableMap: a gain for each place of the picture and each brightness.
package struct GainMap: Hashable, Sendable {
  /// Points across.
  package var columns: Int
  /// Points down.
  package var rows: Int
  /// Gains of a point, for brightness from 0 to 1.
  package var count: Int
  /// What brightness is made of: red, green, blue, the least and the greatest of them.
  package var weights: [Float]
  /// Gains: rows outermost, brightness innermost.
  package var gains: [Float]

  package init(columns: Int, rows: Int, count: Int, weights: [Float], gains: [Float]) {
    self.columns = columns
    self.rows = rows
    self.count = count
    self.weights = weights
    self.gains = gains
  }

  /// The bytes of the tag, in the order of a little-endian file.
  var encoded: [UInt8] {
    let integers: [UInt32] = [UInt32(rows), UInt32(columns)]
    let spacing: [Double] = [1 / Double(rows), 1 / Double(columns)]
    let origin: [Double] = [0.5 / Double(rows), 0.5 / Double(columns)]
    return TIFFValue.longs(integers).encoded + TIFFValue.doubles(spacing + origin).encoded
      + TIFFValue.longs([UInt32(count)]).encoded + TIFFValue.floats(weights + gains).encoded
  }
}
