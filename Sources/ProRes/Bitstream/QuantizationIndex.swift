/// The `quantization_index` of a slice and the scale that it stands for (RDD 36, 7.3).
enum QuantizationIndex {
  /// The indices that a slice may carry.
  static let range = 1...224

  /// Stand for index 1 with three wider dead zones, and for index 2 with one. Where most levels are
  /// ones, a step from an index to the next takes nearly all of them at once; these take those first
  /// that are least worth.
  static let sparse = 225...228

  /// The factor that all weights are multiplied by: the index itself up to 128, then steps of 4
  /// up to 512.
  static func scale(_ index: Int) -> Int {
    switch index {
    case 225, 226, 228: 1
    case 227: 2
    default: index <= 128 ? index : 128 + (index - 128) * 4
    }
  }

  /// What a slice's header says.
  static func coded(_ index: Int) -> UInt8 { UInt8(sparse.contains(index) ? scale(index) : index) }

  /// The index whose scale is the least that is not below `scale`, within the range.
  static func index(scale: Double) -> Int {
    let whole = Int(scale.rounded(.up).clamped(to: 1...512))
    return whole <= 128 ? whole : 128 + (whole - 128 + 3) / 4
  }
}

extension Comparable {
  func clamped(to range: ClosedRange<Self>) -> Self {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
