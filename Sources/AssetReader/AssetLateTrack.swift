public import MediaCore

/// A track that begins after the part of the file that is probed for tracks. It is not read.
///
/// MPEG streams, FLV and live streams may announce tracks late.
public struct AssetLateTrack: Sendable, Hashable, Identifiable {
  /// The track's place in the file, from 0.
  public var id: Int
  /// The kind of track: `video`, `audio`, `subtitle`, `data`.
  public var kind: String
  /// libavcodec's name of the codec; nil if it has none.
  public var codecName: String?
  /// The time of its first packet; invalid if the container gives none.
  public var startTime: MediaTime
  /// Its number among the file's tracks of its kind, from 1.
  public var number = 1
}
