public import MediaCore

extension MovieIndex {
  /// A track and its samples.
  public struct Track: Sendable {
    /// The number in the track header, from 1.
    public let id: TrackID
    /// What it carries; nil for a kind that is not known here.
    public let mediaType: MediaType?
    /// The type of its sample entry: `apch`, `lpcm`, `tmcd`.
    public let codec: FourCharCode
    /// Units a second of its media.
    public let timescale: Int32
    /// Its name for people; empty for none.
    public let name: String
    /// False where a player leaves it out until it is asked.
    public let isEnabled: Bool
    /// The tracks that it refers to, by purpose: `tmcd`.
    public let references: [FourCharCode: [TrackID]]
    /// Its edit list; empty for none.
    public let edits: [MovieEdit]
    /// How long it lasts after edits.
    public let duration: MediaTime
    /// The size on the screen, in pixels; 0 for audio.
    public let displaySize: (width: Double, height: Double)
    /// Where its samples lie and when they are shown.
    public let samples: SampleTable
    /// How much later than they are decoded samples are shown; empty for none, and in fragments.
    public let compositionOffsets: CompositionOffsets
    /// The packets of audio whose samples are counted decoded; nil for other tracks.
    package let soundBlock: SoundBlock?
    /// What fragments say about times, beyond ``samples``.
    package let fragments: FragmentTimes
    /// The properties of a video track.
    public let video: Video?
    /// The audio description; nil if it is not PCM.
    public let audio: Audio?
    /// What is said about timecode.
    public let timecode: TimecodeFacts?
    /// What the facts of timed metadata (`mebx`) are called; nil for another track, and where that is damaged.
    public let metadataKeys: [MetadataKey]?

    /// How long its media last, before edits.
    public var mediaDuration: MediaTime {
      MediaTime(value: samples.duration, timescale: timescale)
    }

    /// The rate of a track whose samples all last as long; nil for others.
    public var frameRate: FrameRate? {
      guard samples.timeRuns.count == 1, let each = samples.timeRuns.first?.duration,
        let denominator = Int32(exactly: each)
      else { return nil }
      return FrameRate(timescale, denominator)
    }
  }

  /// What a video sample entry says.
  public struct Video: Sendable, Hashable {
    /// The size of the coded frames.
    public var dimensions = VideoDimensions(width: 0, height: 0)
    /// The name of the codec as the file has it: `Apple ProRes 422 HQ`.
    public var compressorName = ""
    /// The codec's manufacturer.
    public var vendor = FourCharCode(rawValue: 0)
    /// Bits of a pixel: 24, or 32 with alpha.
    public var depth = 0
    /// The kind of the `colr` atom: `nclc`, `nclx`, `prof`; nil for none.
    public var colorType: FourCharCode?
    /// Primaries, transfer and matrix as numbers, of `nclc` and `nclx`.
    public var colorCodes: [UInt16] = []
    /// Fields and their order as numbers (`fiel`); nil for none.
    public var fieldCodes: (count: UInt8, detail: UInt8)?
    /// The shape of a pixel (`pasp`); nil for none.
    public var pixelAspectRatio: PixelAspectRatio?
    /// The part that is meant to be seen (`clap`); nil for none.
    public var cleanAperture: CleanAperture?
    /// The mastering display (`mdcv`); nil for none.
    public var masteringDisplay: MasteringDisplayColorVolume?
    /// The light level (`clli`); nil for none.
    public var contentLightLevel: ContentLightLevel?
    /// The transfer mode of the media header (`vmhd`): 0x100 for straight alpha, 0x101 and 0x102 for colors that are
    /// multiplied by it, over white and over black; nil for none.
    public var graphicsMode: UInt16?
    /// True where a `gama` atom contradicts, or repeats, the color description.
    public var hasGamma = false
    /// The exponent of the `gama` atom, as 2.2; nil for none.
    public var gamma: Double?
    /// True where the track has a `tapt` atom.
    public var hasTrackApertures = false

    /// The color; nil if the file has none, or an unknown one.
    public var color: ColorDescription? {
      guard colorCodes.count == 3,
        let primaries = UInt8(exactly: colorCodes[0])
          .flatMap(ColorDescription.Primaries.init(rawValue:)),
        let transfer = UInt8(exactly: colorCodes[1])
          .flatMap(ColorDescription.TransferFunction.init(rawValue:)),
        let matrix = UInt8(exactly: colorCodes[2])
          .flatMap(ColorDescription.Matrix.init(rawValue:))
      else { return nil }
      return ColorDescription(primaries: primaries, transferFunction: transfer, matrix: matrix)
    }

    /// Progressive, or the order of the two fields; nil if the file does not say.
    public var fieldOrder: FieldOrder? {
      switch (fieldCodes?.count, fieldCodes?.detail) {
      case (1, _): .progressive
      case (2, 1), (2, 9): .topFieldFirst
      case (2, 6), (2, 14): .bottomFieldFirst
      default: nil
      }
    }

    /// True where both say the same.
    public static func == (lhs: Video, rhs: Video) -> Bool {
      lhs.dimensions == rhs.dimensions && lhs.compressorName == rhs.compressorName
        && lhs.vendor == rhs.vendor && lhs.depth == rhs.depth && lhs.colorType == rhs.colorType
        && lhs.colorCodes == rhs.colorCodes && lhs.fieldCodes?.count == rhs.fieldCodes?.count
        && lhs.fieldCodes?.detail == rhs.fieldCodes?.detail
        && lhs.pixelAspectRatio == rhs.pixelAspectRatio && lhs.cleanAperture == rhs.cleanAperture
        && lhs.masteringDisplay == rhs.masteringDisplay
        && lhs.contentLightLevel == rhs.contentLightLevel && lhs.hasGamma == rhs.hasGamma
        && lhs.gamma == rhs.gamma
        && lhs.hasTrackApertures == rhs.hasTrackApertures
    }

    /// Hashes what tells sample entries apart.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dimensions)
      hasher.combine(compressorName)
      hasher.combine(colorCodes)
    }
  }

  /// What a PCM sample entry says.
  public struct Audio: Sendable, Hashable {
    /// Samples a second, from 1 to 2³¹ − 1.
    public var sampleRate: Double
    public var channelCount: Int
    /// Significant bits of a sample.
    public var bitsPerChannel: Int
    /// True for floating point.
    public var isFloat: Bool
    /// True where the most significant byte comes first.
    public var isBigEndian: Bool
    /// Bytes of one sample of every channel.
    public var bytesPerFrame: Int
    /// The channel layout; nil if the file has none.
    public var channelLayout: AudioChannelLayout?
    /// The format, where it is one of ours.
    public var format: AudioFormat?
  }

  /// What a timecode track says.
  public struct TimecodeFacts: Sendable, Hashable {
    /// Units a second of the track's durations.
    public var timescale: UInt32
    /// Units that a frame lasts.
    public var frameDuration: UInt32
    /// Frames that are counted in a second.
    public var framesPerSecond: UInt8
    /// True for drop-frame counting.
    public var isDropFrame: Bool
    /// True where the count wraps at 24 hours.
    public var wrapsAt24Hours: Bool
    /// True where addresses before zero make sense.
    public var allowsNegative: Bool
    /// The name of the reel; empty for none.
    public var reelName: String
    /// The frame number of the first frame; nil where the sample could not be read.
    public var startFrame: UInt32?

    /// How the timecode counts; nil where it makes no sense.
    public var format: TimecodeFormat? {
      guard let numerator = Int32(exactly: timescale),
        let denominator = Int32(exactly: frameDuration),
        let rate = FrameRate(numerator, denominator)
      else { return nil }
      return TimecodeFormat(frameRate: rate, isDropFrame: isDropFrame)
    }

    /// The address of the first frame; nil where it is not known.
    public var start: Timecode? {
      guard let format, let startFrame else { return nil }
      return Timecode(frameNumber: Int64(startFrame), format: format)
    }
  }
}
