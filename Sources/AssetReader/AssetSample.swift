public import MediaCore

/// A decoded frame or run of audio, and the track it belongs to.
public struct AssetSample: Sendable {
  /// The track.
  public var trackID: AssetTrack.ID
  /// The media and its time. A frame's `attachments.timecode` is set if the track has timecode.
  public var sampleBuffer: SampleBuffer
  /// The frame's index in its track, from 0, counting frames that failed to decode; for audio, the
  /// index of the first audio frame.
  public var index: Int64
  /// True if the frame decodes without any other.
  public var isKeyFrame: Bool
  /// Side data that comes with the frame.
  public var sideData = FrameSideData()
  /// The audio channel layout that the decoder reports: `stereo`, `5.1(side)`; nil for video, and
  /// if unknown.
  public var channelLayout: String?
  /// Audio samples that exceeded full scale and were clipped.
  package var clipped: [AudioExcess.Sample] = []
}
