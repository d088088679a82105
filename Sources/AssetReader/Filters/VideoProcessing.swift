public import MediaCore

/// The processing of frames between a source and an encoder, in the order of the properties.
///
/// Done by libavfilter: `bwdif`, `crop`, `transpose`, `fps`, `lut3d`, `zscale`, `pad`, `drawtext`,
/// `scale`.
public struct VideoProcessing: Sendable, Hashable {
  /// How interlaced frames become progressive ones.
  public enum Deinterlacing: String, Sendable, Hashable, CaseIterable {
    /// One frame from each interlaced frame, at the time of its first field.
    case frames
    /// One frame from each field: twice the rate.
    case fields
  }

  /// How a frame is fitted to another size. The result has square pixels; the source's aspect ratio
  /// is its display aspect ratio.
  public enum Fitting: String, Sendable, Hashable, CaseIterable {
    /// The whole frame within the size, with black bars.
    case fit
    /// The size filled, with the excess cut off evenly.
    case fill
    /// Stretched to the size, ignoring the aspect ratio.
    case stretch
    /// No scaling: the center of the frame is cut out and the pixel aspect ratio stays.
    case crop
  }

  /// The filters of `zscale` (zimg).
  public enum ScalingFilter: String, Sendable, Hashable, CaseIterable {
    case point, bilinear, bicubic, spline16, spline36, lanczos
  }

  /// Scaling to another size.
  public struct Scaling: Sendable, Hashable {
    /// The size.
    public var size: VideoDimensions
    /// How another aspect ratio is fitted.
    public var fitting = Fitting.fit
    /// The filter.
    public var filter = ScalingFilter.spline36

    /// Scaling to a size, fitted in with spline36 by default.
    public init(_ size: VideoDimensions) { self.size = size }
  }

  /// What is drawn into frames, each at its own place.
  public enum BurnIn: String, Sendable, Hashable, CaseIterable {
    /// The movie's timecode, at the bottom.
    case timecode
    /// The frame's number from 0, at the bottom right.
    case frame
    /// The source's name, at the top left.
    case name
  }

  /// The pixel layout of the output.
  public struct Layout: Sendable, Hashable {
    /// The layout.
    public var format: PixelFormat
    /// The range of the codes.
    public var range: ColorDescription.Range

    /// Creates a layout.
    public init(_ format: PixelFormat, range: ColorDescription.Range) {
      (self.format, self.range) = (format, range)
    }
  }

  /// How to deinterlace; nil keeps the fields.
  public var deinterlacing: Deinterlacing?
  /// True to mirror, left to right.
  public var isMirrored = false
  /// Clockwise quarter turns, applied after mirroring.
  public var quarterTurns = 0
  /// Another frame rate, reached by repeating or dropping the frames nearest in time; nil for the
  /// source's.
  public var frameRate: FrameRate?
  /// A 3D look-up table (`.cube` and others that `lut3d` reads), applied with tetrahedral
  /// interpolation to R'G'B' from 0 (black) to 1 (white); values outside are clipped.
  public var lut: String?
  /// Another size; nil for the source's.
  public var scaling: Scaling?
  /// What to draw.
  public var burnIns: Set<BurnIn> = []
  /// Another layout; nil for the nearest one to the source's.
  public var layout: Layout?

  /// No processing.
  public init() {}

  /// True if frames pass unchanged.
  public var isEmpty: Bool { self == VideoProcessing() }
}
