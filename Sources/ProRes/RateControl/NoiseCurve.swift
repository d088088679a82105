/// How the bytes of slices of noise fall with the scale: of those that have many levels, nearly all of them ones.
///
/// A coarser scale has the same effect as weaker noise, so all such slices are on one curve, each at its
/// own place, whatever the profile. It falls the more steeply the fewer levels are left, up to the
/// third power of the scale.
enum NoiseCurve {
  /// The least levels of luma, a macroblock, of what is taken for noise below scale 3: a smooth picture
  /// with fewer does not fall so steeply.
  static let fewestLevels = 9
  /// The least part of them, in hundredths, that are ones. At index 1 and 2 slices of noise have 78
  /// and more on average, but at HQ, and those of natural and drawn pictures 66 at most.
  static let leastOnes = 72

  /// Bytes of a macroblock at a place, beyond those that stay. Places are logarithms of scales.
  static func bytes(at place: Float) -> Float { PortableMath.exponential(level(at: place)) }

  /// The place where a macroblock takes so many bytes beyond those that stay.
  static func place(bytes: Float) -> Float {
    let level = PortableMath.logarithm(max(bytes, 0.01))
    guard level < highest else { return (highest - level) / steepness[0].slope }
    var (low, high) = (0, levels.count - 1)
    guard level > levels[high] else { return Float(high) * step }
    while high - low > 1 {
      let middle = (low + high) / 2
      if levels[middle] > level { low = middle } else { high = middle }
    }
    return (Float(low) + (levels[low] - level) / (levels[low] - levels[high])) * step
  }

  private static func level(at place: Float) -> Float {
    guard place > 0 else { return highest - place * steepness[0].slope }
    let index = Int(place / step)
    guard index + 1 < levels.count else { return levels[levels.count - 1] }
    let part = place / step - Float(index)
    return levels[index] + part * (levels[index + 1] - levels[index])
  }

  /// The power of the scale with which bytes fall, by the logarithm of those that are left. Found by
  /// encoding noise of three strengths at indices 1 to 6 in LT, 422 and HQ.
  private static let steepness: [(level: Float, slope: Float)] = [
    (5.5, 0.55), (5.0, 0.8), (4.75, 1.05), (4.5, 1.3), (4.25, 1.6), (4.0, 1.85), (3.5, 2.3),
    (3.0, 2.8), (2.5, 3.1), (2.0, 3.1), (1.5, 2.7), (1.0, 2.1), (0.5, 1.2), (0, 1),
  ]
  private static let highest: Float = 6
  private static let step: Float = 1 / 32

  /// Logarithms of bytes, place by place.
  private static let levels: [Float] = {
    var levels = [highest]
    while let level = levels.last, level > -2 { levels.append(level - slope(level) * step) }
    return levels
  }()

  private static func slope(_ level: Float) -> Float {
    var above = steepness[0]
    for point in steepness {
      if level >= point.level {
        let span = above.level - point.level
        let part = span > 0 ? min((level - point.level) / span, 1) : 0
        return point.slope + part * (above.slope - point.slope)
      }
      above = point
    }
    return above.slope
  }
}
