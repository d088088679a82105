public import MediaCore

/// A track that begins behind the part of a file by which its tracks are found: it is not read.
///
/// MPEG streams, FLV and live streams may say on the way what they hold.
public struct AssetLateTrack: Sendable, Hashable, Identifiable {
  /// The track's place in the file, from 0.
  public var id: Int
  /// What it is: `video`, `audio`, `subtitle`, `data`.
  public var kind: String
  /// libavcodec's name of the codec; nil where it has none.
  public var codecName: String?
  /// The time of its first packet; invalid where the container does not say.
  public var startTime: MediaTime
  /// Its number among the file's tracks of its kind, from 1.
  public var number = 1
}
