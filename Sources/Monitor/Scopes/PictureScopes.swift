/// What measuring instruments show of a picture, made of its 10-bit samples.
///
/// A level of a map stands for four codes: level 16 is black (64), level 235 nominal white (940).
public struct PictureScopes: Sendable, Hashable {
  /// Which instruments to compute.
  public struct Selection: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    /// A selection from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Luma over the picture's width.
    public static let waveform = Selection(rawValue: 1)
    /// Red, green and blue over the picture's width.
    public static let parade = Selection(rawValue: 2)
    /// Chroma alone.
    public static let vectorscope = Selection(rawValue: 4)
    /// How often each level comes.
    public static let histogram = Selection(rawValue: 8)
    /// All of them.
    public static let all: Selection = [.waveform, .parade, .vectorscope, .histogram]
  }

  /// Levels of a map, each of four codes.
  public static let levelCount = 256
  /// The most columns that a map over the picture's width has.
  public static let columnLimit = 320

  /// Luma by column and level; nil where it is not wanted.
  public let waveform: DensityMap?
  /// Red, green and blue by column and level, of the pixels with chroma of their own; else empty.
  public let parade: [DensityMap]
  /// Blue difference by column, red difference by row; 128 of each is gray.
  public let vectorscope: DensityMap?
  /// Samples of luma, red, green and blue at each level; else empty.
  public let histogram: [[UInt32]]
  /// What is beyond the legal range.
  public let excess: LegalRange.Excess

  /// Makes the scopes of a picture.
  public init(_ picture: PreviewPicture, _ wanted: Selection = .all) {
    var counter = ScopeCounter(picture, wanted)
    counter.count(picture)
    waveform = counter.waveform
    parade = counter.parade
    vectorscope = counter.vectorscope
    histogram = counter.histogram
    excess = counter.excess
  }
}
