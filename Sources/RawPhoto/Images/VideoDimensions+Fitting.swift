import MediaCore

extension VideoDimensions {
  /// The largest size of the same shape that fits within the given size and is no larger than this one.
  func fitted(width most: Int, height highest: Int) -> VideoDimensions {
    let factor = min(Double(most) / Double(width), Double(highest) / Double(height), 1)
    return VideoDimensions(
      width: max(Int((Double(width) * factor).rounded()), 1),
      height: max(Int((Double(height) * factor).rounded()), 1))
  }
}
