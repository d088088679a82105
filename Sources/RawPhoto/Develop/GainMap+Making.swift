import DNG

extension GainMap {
  /// A gain map that brings a scene's dark and bright regions closer together.
  ///
  /// Each region's brightness is moved part of the way to middle gray; light beyond white, up to the headroom, is
  /// rolled off below white. Brightness increases with light everywhere, so no tones are reversed.
  ///
  /// - Parameters:
  ///   - means: The mean of the logarithm (base 2) of each region's light, row by row.
  ///   - headroom: The greatest light, where 1 is white.
  init(means: [Double], columns: Int, rows: Int, headroom: Double) {
    let count = 48
    let share = Float(1 / headroom)
    let weights: [Float] = [0.2880 * share, 0.7119 * share, 0.0001 * share, 0, 0]
    let gains = means.flatMap { mean -> [Float] in
      let lift = min(max(Double.exp2((-2.47 - mean) * 0.3), 0.75), 3.0)
      return (0..<count).map { index in
        let light = max(Double(index), 0.25) / Double(count) * headroom
        let rolled = min(light * (1 + light / (headroom * headroom)) / (1 + light), 1)
        let lifted = rolled * lift / (1 + rolled * (lift - 1))
        return Float(min(max(lifted / light, 1.0 / 4096), 4096))
      }
    }
    self.init(columns: columns, rows: rows, count: count, weights: weights, gains: gains)
  }
}
