public import MediaCore

/// The properties of one track of an asset.
public struct AssetTrack: Sendable, Hashable, Identifiable {
  /// The track's place in the file, from 0.
  public var id: Int
  /// Video or audio.
  public var mediaType: MediaType
  /// libavcodec's name of the codec: `prores`, `h264`, `pcm_s24le`, `rawvideo`.
  public var codecName: String
  /// The sample entry's code in the file, such as `apch`; nil if the container has none.
  public var codecTag: FourCharCode?
  /// The profile's name, such as `HQ` or `High 4:2:2`; nil if the codec has none.
  public var profile: String?
  /// The format that ``AssetReader/nextSample()`` delivers. Each frame's own description takes
  /// precedence, because a stream may change its color on the way.
  public var formatDescription: FormatDescription
  /// The exact frame rate; nil for audio, and if the container does not state it. If frame
  /// durations vary, this is the mean.
  public var frameRate: FrameRate?
  /// libav's name of the decoder's output format: `yuv420p`, `fltp`.
  public var sourceFormatName: String
  /// Significant bits of a sample in the file; 0 if unknown.
  public var sourceBitDepth: Int
  /// True if frames carry an alpha plane.
  public var hasAlpha: Bool
  /// How far a player rotates the video, in degrees clockwise, 0 to 359.
  public var rotation: Int
  /// The channel layout: `stereo`, `5.1`; nil if the file does not state it.
  public var channelLayout: String?
  /// The timecode of the first frame; nil if missing or invalid.
  public var timecode: Timecode?
  /// The timecode as the file spells it.
  public var timecodeText: String?
  /// The time of the first sample; invalid if unknown.
  public var startTime: MediaTime
  /// The duration; invalid if unknown.
  public var duration: MediaTime
  /// The container's sample count; nil if it gives none.
  public var sampleCount: Int?
  /// One tick of the track's time stamps.
  public var timeUnit: MediaTime
  /// The language as an ISO 639-2 code; nil if unknown.
  public var language: String?
  /// The track's title; nil if it has none.
  public var title: String?
  /// The container's metadata for the track.
  public var metadata: [String: String] = [:]
  /// Side data of the frames, as far as the container carries it.
  public var sideData = FrameSideData()
  /// True if a player mirrors the video left to right before rotating it.
  public var isMirrored = false
  /// The track ID in a QuickTime or MPEG-4 file; nil for other files.
  package var movieTrackNumber: UInt32?
  /// The dispositions that the file gives the track, such as `commentary`.
  package var marks: [String] = []
  /// True for a track that players select by default.
  package var isDefault = false
  /// True if the file states that colors are premultiplied by alpha.
  package var isAlphaPremultiplied = false
  /// True if each pixel of the source has its own chroma.
  public var hasFullChroma = false
  /// True if the container states the pixel aspect ratio: players follow it rather than the
  /// codec's.
  package var containerTellsPixelShape = false
  /// The coded frames' pixel aspect ratio, if it differs from the container's, which takes
  /// precedence; nil if they agree or one of them states none.
  package var otherPixelAspectRatio: PixelAspectRatio?
  /// The color description in a Matroska file's header, besides the one in the coded frames; nil
  /// for other containers.
  package var containerColor: ColorDescription?
  /// The range that a QuickTime, MPEG-4 or Matroska container states, if the coded frames state
  /// another one; nil if they agree or one of them states none.
  package var otherContainerRange: ColorDescription.Range?
  /// The container's H.264 or HEVC decoder configuration record (`avcC`, `hvcC`); empty if it has
  /// none.
  package var decoderConfiguration: [UInt8] = []
  /// The numbers of the MPEG transport stream programs that the track belongs to; empty if there
  /// are no programs.
  public var programs: Set<Int> = []
  /// True if the container or codec states whether the video is interlaced and which field is
  /// first.
  public var statesFieldOrder = true
  /// The field order that the container states for interlaced frames; nil if it states none.
  package var containerFieldOrder: FieldOrder?
  /// True if each coded picture of the file is a single field. Pairs are read as frames; the
  /// track's size, rate and sample count are those of the frames.
  package var isOfSingleFields = false
  /// True if the coded frames state an interlaced source but not which field is first.
  package var isMarkedInterlaced = false
  /// True if each frame comes out with the time of the next one: the decoder delays frames for
  /// reordering that the stream does not use, and the container gives decode times only.
  package var isShownAsDecoded = false
  /// The times, from the start of a QuickTime movie, at which the timecode does not continue from
  /// the previous frame.
  package var timecodeJumps: [MediaTime] = []
  /// Each channel's role as Core Audio's `AudioChannelLabel`; nil unless the file labels every
  /// channel.
  public var channelLabels: [UInt32]?

  /// The video format; nil for other tracks.
  public var video: VideoFormatDescription? {
    if case .video(let description) = formatDescription { description } else { nil }
  }

  /// True if the codec can state which field of a frame is first. Its frames are then right, and
  /// the container may be wrong.
  package var framesTellFieldOrder: Bool {
    [
      "prores", "h264", "hevc", "mpeg1video", "mpeg2video", "mpeg4", "vc1", "wmv3", "dvvideo",
      "dnxhd", "ffv1", "cfhd", "utvideo", "cavs", "vvc",
    ].contains(codecName)
  }

  /// True if the codec has no fields. Only the container can then state their order.
  var isOfWholeFrames: Bool { ["av1", "vp8", "vp9"].contains(codecName) }

  /// The audio format; nil for other tracks.
  @inline(never)  // Swift 6.3's CopyPropagation fails where it is inlined into an initializer.
  public var audio: AudioFormat? {
    if case .audio(let format) = formatDescription { format } else { nil }
  }
}

extension [AssetTrack] {
  /// The number of a track among those of its kind, from 1, as used in messages and to select
  /// audio.
  package func number(of track: AssetTrack) -> Int {
    let place = filter { $0.mediaType == track.mediaType }.firstIndex { $0.id == track.id }
    return (place ?? 0) + 1
  }
}
