/// The legal 10-bit codes of video (BT.709, BT.2020, BT.2100: narrow range).
public enum LegalRange {
  /// Luma, red, green and blue: black to nominal white.
  public static let luma: ClosedRange<UInt16> = 64...940
  /// Chroma, around 512.
  public static let chroma: ClosedRange<UInt16> = 64...960

  /// The number of samples beyond the legal range.
  public struct Excess: Sendable, Hashable, Codable {
    /// All luma samples.
    public var samples = 0
    /// Luma samples below black.
    public var lumaBelow = 0
    /// Luma samples above nominal white.
    public var lumaAbove = 0
    /// Pixels with their own chroma whose blue or red difference is out of range.
    public var chromaOutside = 0
    /// Pixels with their own chroma whose red, green or blue is below black or above nominal white,
    /// even if luma and chroma are legal.
    public var gamutOutside = 0

    public init() {}
  }
}
