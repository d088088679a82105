/// Which test pattern the pattern device makes.
package enum PatternKind: String, Sendable, Hashable, CaseIterable {
  /// The color bars of SMPTE RP 219-1, at their 10-bit codes.
  case bars
  /// Circles that get finer outwards, up to the finest that the frame holds, and move.
  case zoneplate
  /// A gray frame full of noise: heavy load for an encoder.
  case noise
  /// Every code that video may carry: luma 4 to 1019 from left to right, and chroma below.
  case ramp
  /// Large timecode on gray, and a bar that counts the frames of a second.
  case clock
}
