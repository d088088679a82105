extension CMTimeRange {
  /// Zeros, as a structure of C has them: a range that is not valid.
  public init() { self = .invalid }
}
