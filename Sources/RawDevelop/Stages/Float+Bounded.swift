extension Float {
  /// The value clamped to a range; NaN becomes the lower bound.
  func bounded(_ low: Float, _ high: Float) -> Float {
    self >= high ? high : self >= low ? self : low
  }
}
