public import MediaCore

/// What a decode of every frame found.
public struct StrictDecodeReport: Sendable {
  /// Something that a decoder or the container complained about.
  public struct Finding: Sendable, Hashable {
    /// The track; nil where the container itself is wrong.
    public var trackID: AssetTrack.ID?
    /// The picture's place in its track from 0, or the first audio frame's; exact where each
    /// picture stands alone, as in ProRes, else the number of pictures that came out before.
    public var index: Int64
    /// The time of the sample after the last good one; invalid where not known.
    public var time: MediaTime
    /// What libav said, in one line.
    public var message: String
  }

  /// One track, decoded to its end.
  public struct Track: Sendable, Identifiable {
    /// The facts of the container.
    public var track: AssetTrack
    /// Packets that the container delivered.
    public var packetCount = 0
    /// Their bytes.
    public var byteCount: Int64 = 0
    /// Pictures decoded, or audio frames (samples of every channel).
    public var sampleCount: Int64 = 0
    /// Pictures or runs of sound that were refused.
    public var errorCount = 0
    /// Time of the first decoded sample; invalid where there was none.
    public var startTime: MediaTime = .invalid
    /// End of the last decoded sample; invalid where there was none.
    public var endTime: MediaTime = .invalid

    /// The track's number in the file.
    public var id: AssetTrack.ID { track.id }
    /// The length of what was decoded; for sound the exact sum of its frames.
    public var duration: MediaTime {
      if let audio = track.audio { return audio.duration(ofFrames: Int(sampleCount)) }
      return startTime.isNumeric && endTime.isNumeric ? endTime - startTime : .zero
    }
  }

  /// The tracks of pictures and sound.
  public var tracks: [Track]
  /// What was wrong, in order, at most 100.
  public var findings: [Finding] = []
  /// All that was wrong.
  public var findingCount = 0

  /// The first thing that was wrong.
  public var firstError: Finding? { findings.first }
  /// True where everything was decoded without a finding.
  public var isClean: Bool { findingCount == 0 }

  mutating func add(_ finding: Finding) {
    findingCount += 1
    if findings.count < 100 { findings.append(finding) }
  }
}

/// The facts of one decoded picture.
public struct DecodedPicture: Sendable, Hashable {
  /// The track.
  public var trackID: AssetTrack.ID
  /// The picture's place in its track, from 0.
  public var index: Int64
  /// When it is shown; invalid where the container does not say.
  public var presentationTimeStamp: MediaTime
  /// How long it lasts; invalid where the container does not say.
  public var duration: MediaTime
  /// True where it needs no other picture.
  public var isKeyFrame: Bool
  /// The size.
  public var dimensions: VideoDimensions
  /// The color that the bitstream itself says, nothing filled in from the container.
  public var color: ColorDescription
  /// One picture or two fields, as the bitstream says.
  public var fieldOrder: FieldOrder
  /// libav's name of the layout.
  public var sourceFormatName: String
}
