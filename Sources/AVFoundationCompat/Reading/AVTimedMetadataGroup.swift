public import MediaCore

/// Facts that hold for a stretch of time.
public final class AVTimedMetadataGroup: Sendable {
  /// The facts.
  public let items: [AVMetadataItem]
  /// When they hold.
  public let timeRange: CMTimeRange

  /// Facts of a stretch of time.
  public init(items: [AVMetadataItem], timeRange: CMTimeRange) {
    (self.items, self.timeRange) = (items, timeRange)
  }
}

extension AVTimedMetadataGroup: Hashable {
  /// True for the same object.
  public static func == (lhs: AVTimedMetadataGroup, rhs: AVTimedMetadataGroup) -> Bool {
    lhs === rhs
  }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
