public import MediaCore

/// The facts of one track of an asset.
public struct AssetTrack: Sendable, Hashable, Identifiable {
  /// The track's place in the file, from 0.
  public var id: Int
  /// Pictures or sound.
  public var mediaType: MediaType
  /// libavcodec's name of the codec: `prores`, `h264`, `pcm_s24le`, `rawvideo`.
  public var codecName: String
  /// The sample entry's code in the file, such as `apch`; nil where the container has none.
  public var codecTag: FourCharCode?
  /// The profile's name, such as `HQ` or `High 4:2:2`; nil where the codec has none.
  public var profile: String?
  /// What ``AssetReader/nextSample()`` delivers. A picture's own description is the final word:
  /// a stream may change its color on the way.
  public var formatDescription: FormatDescription
  /// The exact rate; nil for sound and where the container does not say. Where pictures have
  /// varying durations it is the mean.
  public var frameRate: FrameRate?
  /// libav's name of the decoder's own layout: `yuv420p`, `fltp`.
  public var sourceFormatName: String
  /// Significant bits of a sample in the file, 0 where not known.
  public var sourceBitDepth: Int
  /// True where pictures carry an alpha plane.
  public var hasAlpha: Bool
  /// The turn that a player gives the picture, in degrees clockwise, 0 to 359.
  public var rotation: Int
  /// The name of the speakers' order: `stereo`, `5.1`; nil where the file does not say.
  public var channelLayout: String?
  /// The address of the first frame; nil where there is none that follows the rules.
  public var timecode: Timecode?
  /// The timecode as the file spells it.
  public var timecodeText: String?
  /// The time of the first sample; invalid where not known.
  public var startTime: MediaTime
  /// The length; invalid where not known.
  public var duration: MediaTime
  /// Samples as the container counts them; nil where it does not.
  public var sampleCount: Int?
  /// One tick of the track's time stamps.
  public var timeUnit: MediaTime
  /// The language as ISO 639-2; nil where not known.
  public var language: String?
  /// The track's name; nil for none.
  public var title: String?
  /// What the container says of the track.
  public var metadata: [String: String] = [:]
  /// What comes with the pictures, as far as the container says.
  public var sideData = PictureSideData()
  /// True where a player shows the picture as in a mirror, before it is turned.
  public var isMirrored = false
  /// The track's own number in a QuickTime or MPEG-4 file; nil for other files.
  package var movieTrackNumber: UInt32?
  /// What the file marks the track as, such as `commentary`.
  package var marks: [String] = []
  /// True for a track that the file has players begin with.
  package var isDefault = false
  /// True if colors are multiplied by alpha already, as the file says.
  package var isAlphaPremultiplied = false
  /// True where each pixel of the source has chroma of its own.
  public var hasFullChroma = false
  /// True where the container says what shape pixels have: players believe it, and not the codec's frames.
  package var containerTellsPixelShape = false
  /// The shape of pixels that the pictures say themselves where their container says another one, which is believed;
  /// nil where they agree or one of them says nothing.
  package var otherPixelAspectRatio: PixelAspectRatio?
  /// What a Matroska file says of the pictures' colors, beside what they say themselves; nil for other containers.
  package var containerColor: ColorDescription?
  /// The range that a QuickTime, MPEG-4 or Matroska file says where the pictures say another one; nil where they
  /// agree or one of them says nothing.
  package var otherContainerRange: ColorDescription.Range?
  /// What a decoder of H.264 or HEVC is told before the first picture, as the container has it (`avcC`, `hvcC`); empty
  /// where it has no such record.
  package var decoderConfiguration: [UInt8] = []
  /// The programs of an MPEG transport stream that the track is of, by number; none where there are no programs.
  public var programs: Set<Int> = []
  /// True where the container or the codec says whether pictures are fields, and which is first.
  public var saysFieldOrder = true
  /// True where each picture of the file is a field. Pairs of them are read as frames, which is what the track says of
  /// size, rate and number.
  package var isOfSingleFields = false
  /// True where the pictures say that they are of an interlaced source, and not which field is first.
  package var isSaidInterlaced = false
  /// True for pictures that come with the time of the next one, as their decoder holds each back for others that are not
  /// there and their container says only when they are decoded.
  package var isShownAsDecoded = false
  /// When the timecode of a QuickTime movie does not count on from the frame before, from the movie's beginning.
  package var timecodeJumps: [MediaTime] = []
  /// What each channel is for, as Core Audio's `AudioChannelLabel` numbers it; nil where the file
  /// does not say of each.
  public var channelLabels: [UInt32]?

  /// The pictures, for a track of pictures.
  public var video: VideoFormatDescription? {
    if case .video(let description) = formatDescription { description } else { nil }
  }

  /// True where the codec has a way to say which field of a frame is first: then its frames are right
  /// and the container may not be.
  package var framesTellFieldOrder: Bool {
    [
      "prores", "h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4", "vc1", "wmv3", "dvvideo",
      "dnxhd", "ffv1", "cfhd", "utvideo", "av1", "vp8", "vp9", "cavs", "vvc",
    ].contains(codecName)
  }

  /// The sound, for a track of sound.
  @inline(never)  // Swift 6.3's CopyPropagation fails where it is inlined into an initializer.
  public var audio: AudioFormat? {
    if case .audio(let format) = formatDescription { format } else { nil }
  }
}

extension [AssetTrack] {
  /// The number of a track among those of its kind, from 1, as messages and choices of audio count.
  package func number(of track: AssetTrack) -> Int {
    let place = filter { $0.mediaType == track.mediaType }.firstIndex { $0.id == track.id }
    return (place ?? 0) + 1
  }
}
