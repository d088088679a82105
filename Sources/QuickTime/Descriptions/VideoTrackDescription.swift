public import MediaCore

/// What the sample entry of a video track says.
public struct VideoTrackDescription: Sendable, Hashable {
  /// The codec: the type of the sample entry.
  public var codec: VideoCodecType
  /// The size of the coded frames, 1 to 65535 each way.
  public var dimensions: VideoDimensions
  /// The nominal rate: it sets the track's time scale and the duration of a frame.
  public var frameRate: FrameRate
  /// Color, as `colr nclc`.
  public var color: ColorDescription
  /// Progressive, or the order of the two fields, as `fiel`.
  public var fieldOrder: FieldOrder
  /// The shape of a pixel, as `pasp`; a `tapt` goes with it where it is not square.
  public var pixelAspectRatio: PixelAspectRatio
  /// The part of the frame that is meant to be seen, as `clap`; nil for all of it.
  public var cleanAperture: CleanAperture?
  /// True if the frames have an alpha channel: depth 32 instead of 24.
  public var hasAlpha: Bool
  /// The mastering display, as `mdcv`, for HDR.
  public var masteringDisplay: MasteringDisplayColorVolume?
  /// The light level of the content, as `clli`, for HDR.
  public var contentLightLevel: ContentLightLevel?
  /// The codec's manufacturer in the sample entry; zeros by default.
  public var vendor: FourCharCode
  /// The name of the track for people; empty for none.
  public var name: String
  /// How far a player rotates the video, in clockwise quarter turns.
  public var quarterTurns = 0
  /// The language as ISO 639-2; nil where not known.
  public var language: String?

  /// A description; only codec, size and rate have no default.
  public init(
    codec: VideoCodecType, dimensions: VideoDimensions, frameRate: FrameRate,
    color: ColorDescription = .bt709, fieldOrder: FieldOrder = .progressive,
    pixelAspectRatio: PixelAspectRatio = .square, cleanAperture: CleanAperture? = nil,
    hasAlpha: Bool = false, masteringDisplay: MasteringDisplayColorVolume? = nil,
    contentLightLevel: ContentLightLevel? = nil, vendor: FourCharCode = FourCharCode(rawValue: 0),
    name: String = ""
  ) {
    self.codec = codec
    self.dimensions = dimensions
    self.frameRate = frameRate
    self.color = color
    self.fieldOrder = fieldOrder
    self.pixelAspectRatio = pixelAspectRatio
    self.cleanAperture = cleanAperture
    self.hasAlpha = hasAlpha
    self.masteringDisplay = masteringDisplay
    self.contentLightLevel = contentLightLevel
    self.vendor = vendor
    self.name = name
  }

  /// Units a second in the track: 30000 at 29.97.
  public var timescale: Int32 { frameRate.mediaTimescale }

  /// Frames a second that there is to be room for. A rate of hundreds is the grid of a track whose frames
  /// last as long as they are told to.
  var expectedFramesPerSecond: Double { min(frameRate.framesPerSecond, 240) }

  /// Units that a frame lasts: 1001 at 29.97.
  public var frameDuration: Int64 {
    Int64(timescale) / Int64(frameRate.numerator) * Int64(frameRate.denominator)
  }
}

/// The part of a frame that is meant to be seen (QTFF's `clap`), in pixels.
public struct CleanAperture: Sendable, Hashable {
  /// An exact number of pixels.
  public struct Rational: Sendable, Hashable {
    /// The numerator; may be negative.
    public var numerator: Int32
    /// The lower part, greater than zero.
    public var denominator: Int32
    /// A fraction.
    public init(_ numerator: Int32, _ denominator: Int32 = 1) {
      self.numerator = numerator
      self.denominator = denominator
    }
    /// The fraction as a number; 0 where it is none.
    public var value: Double {
      denominator == 0 ? 0 : Double(numerator) / Double(denominator)
    }
  }

  /// Width in pixels.
  public var width: Rational
  /// Height in pixels.
  public var height: Rational
  /// How far its center lies to the right of the frame's.
  public var horizontalOffset: Rational
  /// How far its center lies below the frame's.
  public var verticalOffset: Rational

  /// A part of the frame by its size and the offset of its center.
  public init(
    width: Rational, height: Rational, horizontalOffset: Rational = Rational(0),
    verticalOffset: Rational = Rational(0)
  ) {
    self.width = width
    self.height = height
    self.horizontalOffset = horizontalOffset
    self.verticalOffset = verticalOffset
  }

  /// The whole frame.
  public init(_ dimensions: VideoDimensions) {
    self.init(
      width: Rational(Int32(clamping: dimensions.width)),
      height: Rational(Int32(clamping: dimensions.height)))
  }
}

/// The display that HDR video was mastered on (SMPTE ST 2086), as `mdcv` stores it.
public struct MasteringDisplayColorVolume: Sendable, Hashable {
  /// A chromaticity in units of 0.00002.
  public struct Chromaticity: Sendable, Hashable {
    /// CIE 1931 x in units of 0.00002.
    public var x: UInt16
    /// CIE 1931 y in units of 0.00002.
    public var y: UInt16
    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  public var red: Chromaticity
  public var green: Chromaticity
  public var blue: Chromaticity
  public var white: Chromaticity
  /// The brightest, in units of 0.0001 candela a square metre.
  public var maximumLuminance: UInt32
  /// The darkest, in units of 0.0001 candela a square metre.
  public var minimumLuminance: UInt32

  /// A display from its primaries and its luminance.
  public init(
    red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity,
    maximumLuminance: UInt32, minimumLuminance: UInt32
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    self.maximumLuminance = maximumLuminance
    self.minimumLuminance = minimumLuminance
  }
}

/// How bright HDR content gets (CTA-861.3), in candela a square metre, as `clli` stores it.
public struct ContentLightLevel: Sendable, Hashable {
  /// The brightest pixel of the movie, in candela per square metre (MaxCLL).
  public var maximum: UInt16
  /// The brightest average of a frame.
  public var maximumFrameAverage: UInt16

  public init(maximum: UInt16, maximumFrameAverage: UInt16) {
    self.maximum = maximum
    self.maximumFrameAverage = maximumFrameAverage
  }
}
