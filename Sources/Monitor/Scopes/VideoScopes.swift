/// The scopes of a frame, computed from its 10-bit samples.
///
/// A level of a map is four codes: level 16 is black (64), level 235 nominal white (940).
public struct VideoScopes: Sendable, Hashable {
  /// The scopes to compute.
  public struct Selection: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Luma across the frame's width.
    public static let waveform = Selection(rawValue: 1)
    /// Red, green and blue across the frame's width.
    public static let parade = Selection(rawValue: 2)
    public static let vectorscope = Selection(rawValue: 4)
    /// The number of samples at each level.
    public static let histogram = Selection(rawValue: 8)
    public static let all: Selection = [.waveform, .parade, .vectorscope, .histogram]
  }

  /// The number of levels of a map, each of four codes.
  public static let levelCount = 256
  /// The maximum number of columns of a map across the frame's width.
  public static let columnLimit = 320

  /// Luma by column and level; nil if not requested.
  public let waveform: DensityMap?
  /// Red, green and blue by column and level, of the pixels that have their own chroma; empty if
  /// not requested.
  public let parade: [DensityMap]
  /// Blue difference by column, red difference by row; gray is at 128, 128. Nil if not requested.
  public let vectorscope: DensityMap?
  /// The number of samples of luma, red, green and blue at each level; empty if not requested.
  public let histogram: [[UInt32]]
  /// The samples beyond the legal range.
  public let excess: LegalRange.Excess

  /// Computes the scopes of a frame.
  public init(_ frame: PreviewFrame, _ wanted: Selection = .all) {
    var counter = ScopeCounter(frame, wanted)
    counter.count(frame)
    waveform = counter.waveform
    parade = counter.parade
    vectorscope = counter.vectorscope
    histogram = counter.histogram
    excess = counter.excess
  }
}
