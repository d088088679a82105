import Foundation

/// The source samples and weights for each sample of a scaled row or column, for a three-lobed Lanczos filter.
struct LanczosFilter {
  private struct Taps {
    var first: Int
    var weights: [Float]
  }

  private let taps: [Taps]
  private let sourceCount: Int

  /// - Parameters:
  ///   - scale: The scale, greater than 0.
  ///   - offset: The start of the first new sample, in source samples.
  init(scale: Double, offset: Double, from sourceCount: Int, to count: Int) {
    self.sourceCount = sourceCount
    // When scaling down, the filter is widened by the same factor.
    let stretch = max(1 / scale, 1)
    taps = (0..<count).map { index in
      let center = offset + (Double(index) + 0.5) / scale - 0.5
      let first = Int((center - 3 * stretch).rounded(.up))
      let last = max(Int((center + 3 * stretch).rounded(.down)), first)
      // Weights beyond the edges are added to the edge samples.
      let start = min(max(first, 0), sourceCount - 1)
      let end = min(max(last, start), sourceCount - 1)
      var weights = [Double](repeating: 0, count: end - start + 1)
      for place in first...last {
        weights[min(max(place, start), end) - start] += Self.weight(
          (Double(place) - center) / stretch)
      }
      let sum = weights.reduce(0, +)
      return Taps(first: start, weights: weights.map { Float($0 / sum) })
    }
  }

  static func weight(_ x: Double) -> Double {
    if abs(x) < 1e-9 { return 1 }
    if abs(x) >= 3 { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }

  /// Scales rows with three colors per sample.
  func filteredRows(_ samples: [Float], rows: Int) -> [Float] {
    var made = [Float](repeating: 0, count: 3 * taps.count * rows)
    for row in 0..<rows {
      for (column, tap) in taps.enumerated() {
        let to = 3 * (row * taps.count + column)
        for (place, weight) in tap.weights.enumerated() {
          let from = 3 * (row * sourceCount + tap.first + place)
          for color in 0..<3 { made[to + color] += weight * samples[from + color] }
        }
      }
    }
    return made
  }

  /// Scales columns with three colors per sample.
  func filteredColumns(_ samples: [Float], width: Int) -> [Float] {
    let count = 3 * width
    var made = [Float](repeating: 0, count: count * taps.count)
    for (row, tap) in taps.enumerated() {
      for (place, weight) in tap.weights.enumerated() {
        let from = (tap.first + place) * count
        for index in 0..<count { made[row * count + index] += weight * samples[from + index] }
      }
    }
    return made
  }
}
