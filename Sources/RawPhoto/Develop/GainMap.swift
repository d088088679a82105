/// DNG's ProfileGainTableMap: a gain for each place of the picture and each brightness.
struct GainMap: Hashable, Sendable {
  /// Points across.
  var columns: Int
  /// Points down.
  var rows: Int
  /// Gains of a point, for brightness from 0 to 1.
  var count: Int
  /// What brightness is made of: red, green, blue, the least and the greatest of them.
  var weights: [Float]
  /// Gains: rows outermost, brightness innermost.
  var gains: [Float]

  /// The map that brings a scene's dark and bright regions together.
  ///
  /// Each region's brightness is raised or lowered a part of the way to middle grey; what is beyond
  /// white, up to the headroom, is rolled off below it. Brightness rises with light everywhere, so
  /// nothing turns over.
  ///
  /// - Parameters:
  ///   - means: The mean of the logarithm (base 2) of each region's light, row by row.
  ///   - headroom: The greatest light, 1 being white.
  init(means: [Double], columns: Int, rows: Int, headroom: Double) {
    let count = 48
    self.columns = columns
    self.rows = rows
    self.count = count
    let share = Float(1 / headroom)
    weights = [0.2880 * share, 0.7119 * share, 0.0001 * share, 0, 0]
    gains = means.flatMap { mean -> [Float] in
      let lift = min(max(Double.exp2((-2.47 - mean) * 0.3), 0.75), 3.0)
      return (0..<count).map { index in
        let light = max(Double(index), 0.25) / Double(count) * headroom
        let rolled = min(light * (1 + light / (headroom * headroom)) / (1 + light), 1)
        let lifted = rolled * lift / (1 + rolled * (lift - 1))
        return Float(min(max(lifted / light, 1.0 / 4096), 4096))
      }
    }
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
