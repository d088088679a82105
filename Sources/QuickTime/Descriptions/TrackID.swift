/// The number of a track in its movie, from 1.
public struct TrackID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number.
  public let rawValue: UInt32
  /// A track by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The number.
  public var description: String { "\(rawValue)" }
}
