/// The priority of speed or quality in taking a photo.
public enum PhotoQualityPrioritization: Int, Sendable, Hashable, CaseIterable, Comparable, Codable {
  /// One exposure.
  case speed = 1
  /// A few exposures.
  case balanced = 2
  /// As many exposures as are useful.
  case quality = 3

  /// Orders by quality.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
