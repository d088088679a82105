extension Float {
  /// The value within a range; what is no number becomes its low end.
  func bounded(_ low: Float, _ high: Float) -> Float {
    self >= high ? high : self >= low ? self : low
  }
}
