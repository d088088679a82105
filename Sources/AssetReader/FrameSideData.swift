public import MediaCore

/// Side data that accompanies frames.
public struct FrameSideData: Sendable, Hashable {
  /// The mastering display of HDR video (SMPTE ST 2086).
  public struct MasteringDisplay: Sendable, Hashable {
    /// The chromaticities x and y of red, green, blue and white, in units of 0.00002: eight
    /// numbers.
    public var chromaticities: [UInt16]
    /// The maximum luminance, in units of 0.0001 cd/m².
    public var maximumLuminance: UInt32
    /// The minimum luminance, in units of 0.0001 cd/m².
    public var minimumLuminance: UInt32
  }

  /// The content light level of HDR video (CTA-861.3), in cd/m².
  public struct ContentLight: Sendable, Hashable {
    /// The maximum content light level (MaxCLL): that of the brightest pixel.
    public var maximum: UInt16
    /// The maximum frame-average light level (MaxFALL).
    public var maximumFrameAverage: UInt16
  }

  /// Closed captions of a frame as carried in line 21 (CEA-608): byte pairs with odd parity.
  public struct LineCaptions: Sendable, Hashable {
    /// Byte pairs of the first field.
    public var firstField: [UInt8] = []
    /// Byte pairs of the second field.
    public var secondField: [UInt8] = []

    /// True if all pairs are padding.
    public var isSilent: Bool {
      firstField.allSatisfy { $0 & 0x7F == 0 } && secondField.allSatisfy { $0 & 0x7F == 0 }
    }

    /// No captions.
    public init() {}
  }

  /// Side data that is only reported by name.
  public enum Extra: String, Sendable, Hashable, CaseIterable {
    /// SMPTE ST 2094-40.
    case hdr10Plus = "HDR10+ dynamic metadata"
    /// Dolby Vision's metadata or enhancement layer.
    case dolbyVision = "Dolby Vision metadata"
    /// CEA-708 according to ATSC A/53 part 4; CEA-608 is in ``FrameSideData/captions``.
    case captions708 = "CEA-708 closed captions"
    /// Two views in one frame, or one of two.
    case stereoscopy = "stereoscopic 3D layout"
    /// A panorama's projection.
    case projection = "spherical projection"
    /// An ICC profile. It is not applied; the color description of the frames counts.
    case colorProfile = "ICC color profile"
    /// Alpha that is not read: because the decoder does not support it, it is in a palette, or only
    /// later frames have it.
    case alpha = "alpha channel"
    /// The part of the frame inside its borders, if smaller than the frame (SMPTE ST 2016-1).
    case activeFormat = "active format description"
    /// A rotation or mirroring that the coded frames state (Exif, SEI of H.264 and HEVC) but their
    /// container does not.
    case orientation = "orientation of the frames"
    /// The part that a narrower screen shows (ISO/IEC 13818-2).
    case panScan = "pan-scan rectangle"
  }

  /// The mastering display; nil if not stated.
  public var masteringDisplay: MasteringDisplay?
  /// The content light level; nil if not stated.
  public var contentLight: ContentLight?
  /// The frame's closed captions; nil if there are none.
  public var captions: LineCaptions?
  /// Other side data.
  public var extras: Set<Extra> = []
  /// The timecode carried with the frame, as text; nil if there is none.
  public var timecodeText: String?

  /// Color code points that have no counterpart in `ColorDescription`, which leaves them
  /// unspecified.
  public var unknownColorCodes: [UnknownColorCode] = []

  /// No side data.
  public init() {}
}
