public import MediaCore

/// What comes with pictures beside their codes.
public struct PictureSideData: Sendable, Hashable {
  /// The display that HDR pictures were mastered on (SMPTE ST 2086).
  public struct MasteringDisplay: Sendable, Hashable {
    /// x and y of red, green, blue and white, in units of 0.00002: eight numbers.
    public var chromaticities: [UInt16]
    /// The brightest, in units of 0.0001 candela a square metre.
    public var maximumLuminance: UInt32
    /// The darkest, in units of 0.0001 candela a square metre.
    public var minimumLuminance: UInt32
  }

  /// How bright HDR pictures get (CTA-861.3), in candela a square metre.
  public struct ContentLight: Sendable, Hashable {
    /// The brightest pixel.
    public var maximum: UInt16
    /// The brightest average of a frame.
    public var maximumFrameAverage: UInt16
  }

  /// Closed captions of a frame as line 21 has them (CEA-608): pairs of bytes with odd parity.
  public struct LineCaptions: Sendable, Hashable {
    /// Pairs of the first field.
    public var firstField: [UInt8] = []
    /// Pairs of the second field.
    public var secondField: [UInt8] = []

    /// True where all pairs are padding.
    public var isSilent: Bool {
      firstField.allSatisfy { $0 & 0x7F == 0 } && secondField.allSatisfy { $0 & 0x7F == 0 }
    }

    /// None.
    public init() {}
  }

  /// What is known by its name only.
  public enum Extra: String, Sendable, Hashable, CaseIterable {
    /// SMPTE ST 2094-40.
    case hdr10Plus = "HDR10+ dynamic metadata"
    /// Dolby Vision's metadata or enhancement layer.
    case dolbyVision = "Dolby Vision metadata"
    /// CEA-708, as ATSC A/53 part 4 has it; CEA-608 is in ``PictureSideData/captions``.
    case captions708 = "CEA-708 closed captions"
    /// Two views in one picture, or one of two.
    case stereoscopy = "stereoscopic 3D layout"
    /// A panorama's projection.
    case projection = "spherical projection"
    /// A color profile of the International Color Consortium: pictures are taken for what their codes say.
    case colorProfile = "ICC color profile"
    /// Alpha that the decoder here does not read, of a palette, or of later pictures alone where none is read.
    case alpha = "alpha channel"
    /// The part of the picture that is no border, where it is not all of it (SMPTE ST 2016-1).
    case activeFormat = "active format description"
    /// A turn or a mirror that the pictures say themselves (Exif, SEI of H.264 and HEVC) and their container does not.
    case orientation = "orientation of the pictures"
    /// The part that a narrower screen shows (ISO/IEC 13818-2).
    case panScan = "pan-scan rectangle"
  }

  /// The mastering display; nil where nothing is said.
  public var masteringDisplay: MasteringDisplay?
  /// The light level; nil where nothing is said.
  public var contentLight: ContentLight?
  /// Closed captions of the frame; nil for none.
  public var captions: LineCaptions?
  /// What else there is.
  public var extras: Set<Extra> = []
  /// The timecode that came with the picture, as text; nil where there is none.
  public var timecodeText: String?

  /// Color code points that have no counterpart in `ColorDescription`, which leaves them
  /// unspecified.
  public var unknownColorCodes: [UnknownColorCode] = []

  /// Nothing said.
  public init() {}
}
