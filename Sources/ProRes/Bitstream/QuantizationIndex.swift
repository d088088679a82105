/// The `quantization_index` of a slice and the scale that it stands for (RDD 36, 7.3).
enum QuantizationIndex {
  /// The indices that a slice may carry.
  static let range = 1...224

  /// The factor that all weights are multiplied by: the index itself up to 128, then steps of 4
  /// up to 512.
  static func scale(_ index: Int) -> Int { index <= 128 ? index : 128 + (index - 128) * 4 }
}
