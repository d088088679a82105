public import MediaCore

/// Closed captions of a frame as line 21 has them (CEA-608): pairs of bytes with odd parity.
public struct CaptionSample: Sendable, Hashable {
  /// When the frame is shown, from the movie's start.
  public var start: MediaTime
  /// Pairs of the first field: CC1, CC2.
  public var firstField: [UInt8]
  /// Pairs of the second field: CC3, CC4 and extended data services.
  public var secondField: [UInt8]

  /// The captions of a frame.
  public init(start: MediaTime, firstField: [UInt8], secondField: [UInt8]) {
    self.start = start
    self.firstField = firstField
    self.secondField = secondField
  }
}
