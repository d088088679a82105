import AssetWriter
public import MediaCore

/// The kind of a segment.
public enum AVAssetSegmentType: Int, Hashable, Sendable {
  /// What a player needs before any other segment: track descriptions, without media.
  case initialization = 1
  /// Media that need only the initialization segment.
  case separable = 2
}

/// Describes a segment.
public final class AVAssetSegmentReport: Sendable {
  public let segmentType: AVAssetSegmentType
  /// The tracks with media in the segment; all tracks for an initialization segment.
  public let trackReports: [AVAssetSegmentTrackReport]

  init(_ segment: MediaSegment) {
    segmentType = segment.kind == .initialization ? .initialization : .separable
    trackReports = segment.tracks.map(AVAssetSegmentTrackReport.init)
  }
}

/// Describes a track in a segment.
public final class AVAssetSegmentTrackReport: Sendable {
  /// The track ID in the initialization segment, from 1.
  public let trackID: CMPersistentTrackID
  /// Video or audio.
  public let mediaType: AVMediaType
  /// The source time at which the first sample is presented; invalid in an initialization segment.
  public let earliestPresentationTimeStamp: CMTime
  /// The duration to the end of the last sample; invalid in an initialization segment.
  public let duration: CMTime
  /// The position of the first frame in the segment, for I-frame playlists; nil for audio.
  public let firstVideoSampleInformation: AVAssetSegmentReportSampleInformation?

  init(_ track: MediaSegment.Track) {
    trackID = CMPersistentTrackID(track.id)
    mediaType = track.mediaType
    earliestPresentationTimeStamp = track.earliestPresentationTime
    duration = track.duration
    firstVideoSampleInformation = track.firstFrame.map(
      AVAssetSegmentReportSampleInformation.init)
  }
}

/// The position of a sample in a segment.
public final class AVAssetSegmentReportSampleInformation: Sendable {
  public let presentationTimeStamp: CMTime
  /// The offset of its first byte in the segment.
  public let offset: Int
  /// Its size in bytes.
  public let length: Int
  /// True if it can be decoded without earlier samples.
  public let isSyncSample: Bool

  init(_ frame: MediaSegment.Frame) {
    presentationTimeStamp = frame.presentationTime
    offset = frame.offset
    length = frame.byteCount
    isSyncSample = frame.isSync
  }
}
