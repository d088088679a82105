extension CMTimeRange {
  /// An invalid range, as a zeroed C structure is.
  public init() { self = .invalid }
}
