public import MediaCore

/// The result of decoding every frame.
public struct StrictDecodeReport: Sendable {
  /// An error reported by a decoder or the demuxer.
  public struct Finding: Sendable, Hashable {
    /// The track; nil if the container itself is damaged.
    public var trackID: AssetTrack.ID?
    /// The index in the track of the video frame, or of the first audio frame, from 0. Exact for
    /// intra-only codecs such as ProRes; otherwise the number of frames decoded before.
    public var index: Int64
    /// The end time of the last good sample; invalid if unknown.
    public var time: MediaTime
    /// libav's message, in one line.
    public var message: String
  }

  /// One track, decoded to its end.
  public struct Track: Sendable, Identifiable {
    /// The track's properties according to the container.
    public var track: AssetTrack
    /// The number of packets read.
    public var packetCount = 0
    /// The size of these packets in bytes.
    public var byteCount: Int64 = 0
    /// The number of decoded video frames, or audio frames (one sample of every channel).
    public var sampleCount: Int64 = 0
    /// The number of findings in this track.
    public var errorCount = 0
    /// The time of the first decoded sample; invalid if there is none.
    public var startTime: MediaTime = .invalid
    /// The end of the last decoded sample; invalid if there is none.
    public var endTime: MediaTime = .invalid

    /// The track's index in the file.
    public var id: AssetTrack.ID { track.id }
    /// The duration of the decoded samples; for audio, the exact sum of its frames.
    public var duration: MediaTime {
      if let audio = track.audio { return audio.duration(ofFrames: Int(sampleCount)) }
      return startTime.isNumeric && endTime.isNumeric ? endTime - startTime : .zero
    }
  }

  /// The video and audio tracks.
  public var tracks: [Track]
  /// The findings in order, at most 100.
  public var findings: [Finding] = []
  /// The number of all findings.
  public var findingCount = 0

  /// The first finding.
  public var firstError: Finding? { findings.first }
  /// True if everything was decoded without a finding.
  public var isClean: Bool { findingCount == 0 }

  mutating func add(_ finding: Finding) {
    findingCount += 1
    if findings.count < 100 { findings.append(finding) }
  }
}

/// The properties of one decoded frame.
public struct DecodedFrame: Sendable, Hashable {
  /// The track.
  public var trackID: AssetTrack.ID
  /// The frame's index in its track, from 0.
  public var index: Int64
  /// The presentation time; invalid if the container gives none.
  public var presentationTimeStamp: MediaTime
  /// The duration; invalid if the container gives none.
  public var duration: MediaTime
  /// True if the frame decodes without any other.
  public var isKeyFrame: Bool
  /// The size.
  public var dimensions: VideoDimensions
  /// The color stated by the bitstream alone, with nothing filled in from the container.
  public var color: ColorDescription
  /// The scan type and field order stated by the bitstream.
  public var fieldOrder: FieldOrder
  /// libav's name of the pixel format.
  public var sourceFormatName: String
}
