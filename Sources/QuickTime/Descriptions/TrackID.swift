/// The number of a track in its movie, from 1.
public struct TrackID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number in the track header, from 1.
  public let rawValue: UInt32
  /// A track by its number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// The number in the track header, from 1.
  public var description: String { "\(rawValue)" }
}
