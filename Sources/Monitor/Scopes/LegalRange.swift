/// The codes that video may have without surprises, at 10 bits (BT.709, BT.2020, BT.2100: narrow range).
public enum LegalRange {
  /// Luma, and red, green and blue: black to nominal white.
  public static let luma: ClosedRange<UInt16> = 64...940
  /// Chroma, around 512.
  public static let chroma: ClosedRange<UInt16> = 64...960

  /// Samples of a picture that are beyond the legal range.
  public struct Excess: Sendable, Hashable, Codable {
    /// Samples of luma.
    public var samples = 0
    /// Of those, below black.
    public var lumaBelow = 0
    /// Of those, above nominal white.
    public var lumaAbove = 0
    /// Pixels with chroma whose blue or red difference is out of range.
    public var chromaOutside = 0
    /// Pixels with chroma whose red, green or blue is below black or above nominal white although luma
    /// and chroma by themselves may be legal.
    public var gamutOutside = 0

    /// Nothing counted.
    public init() {}
  }
}
