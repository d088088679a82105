public import MediaCore

/// What is done to pictures between a source and an encoder, in the order of the properties.
///
/// libavfilter does it: `bwdif`, `crop`, `transpose`, `fps`, `lut3d`, `zscale`, `pad`, `drawtext`, `scale`.
public struct PictureProcessing: Sendable, Hashable {
  /// How two fields become pictures.
  public enum Deinterlacing: String, Sendable, Hashable, CaseIterable {
    /// A picture of each frame, at the moment of its first field.
    case frames
    /// A picture of each field: twice the rate.
    case fields
  }

  /// How a picture gets another size. The result has square pixels; shapes are those that are seen,
  /// with the source's pixel aspect ratio.
  public enum Fitting: String, Sendable, Hashable, CaseIterable {
    /// All of the picture within the size, black beside it.
    case fit
    /// The size filled with the picture, what is beyond its edges cut off evenly.
    case fill
    /// Pixels to pixels, whatever the shape.
    case stretch
    /// No scaling: the middle of the picture is cut out. Pixels keep their shape.
    case crop
  }

  /// The filters of `zscale` (zimg).
  public enum ScalingFilter: String, Sendable, Hashable, CaseIterable {
    case point, bilinear, bicubic, spline16, spline36, lanczos
  }

  /// Another size.
  public struct Scaling: Sendable, Hashable {
    /// The size.
    public var size: VideoDimensions
    /// What becomes of another shape.
    public var fitting = Fitting.fit
    /// The filter.
    public var filter = ScalingFilter.spline36

    /// A size, fitted in by spline36 unless told otherwise.
    public init(_ size: VideoDimensions) { self.size = size }
  }

  /// What is drawn into pictures, each at a place of its own.
  public enum BurnIn: String, Sendable, Hashable, CaseIterable {
    /// The movie's timecode, at the bottom.
    case timecode
    /// The frame's number from 0, at the bottom right.
    case frame
    /// The source's name, at the top left.
    case name
  }

  /// How pixels lie in memory.
  public struct Layout: Sendable, Hashable {
    /// The layout.
    public var format: PixelFormat
    /// What the codes' ends mean.
    public var range: ColorDescription.Range

    /// A layout at a range.
    public init(_ format: PixelFormat, range: ColorDescription.Range) {
      (self.format, self.range) = (format, range)
    }
  }

  /// How fields become pictures; nil leaves them.
  public var deinterlacing: Deinterlacing?
  /// True to mirror, left to right.
  public var isMirrored = false
  /// Quarters of a turn, clockwise, behind mirroring.
  public var quarterTurns = 0
  /// Another rate, by repeating or leaving out the frames nearest in time; nil for the source's.
  public var frameRate: FrameRate?
  /// A 3D look-up table (`.cube` and others that `lut3d` reads), applied by tetrahedra to R'G'B' from
  /// 0 (black) to 1 (white); what lies outside is cut off.
  public var lut: String?
  /// Another size; nil for the source's.
  public var scaling: Scaling?
  /// What is drawn.
  public var burnIns: Set<BurnIn> = []
  /// Another layout; nil for the nearest one to the source's.
  public var layout: Layout?

  /// Nothing done.
  public init() {}

  /// True where pictures pass as they are.
  public var isEmpty: Bool { self == PictureProcessing() }
}
