public import MediaCore

/// A decoded picture or run of sound, and the track it belongs to.
public struct AssetSample: Sendable {
  /// The track.
  public var trackID: AssetTrack.ID
  /// The media and its time. A picture's `attachments.timecode` is set where the track has one.
  public var sampleBuffer: SampleBuffer
  /// The picture's place in its track, from 0, where those before it that do not decode have places too; for
  /// sound the first frame's.
  public var index: Int64
  /// True where the picture needs no other to be decoded.
  public var isKeyFrame: Bool
  /// What comes with a picture beside its codes.
  public var sideData = PictureSideData()
  /// Where the channels of sound belong, as its decoder says: `stereo`, `5.1(side)`; nil for pictures, and where
  /// that is not known.
  public var channelLayout: String?
  /// What of sound was above full scale, and clipped.
  package var clipped: [SoundExcess.Sample] = []
}
