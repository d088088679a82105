import AssetWriter
public import MediaCore

/// What a segment is for.
public enum AVAssetSegmentType: Int, Hashable, Sendable {
  /// What a player needs before any other segment: the tracks, and no media.
  case initialization = 1
  /// Media, which need the initialization segment alone.
  case separable = 2
}

/// What a segment holds.
public final class AVAssetSegmentReport: Sendable {
  /// What the segment is for.
  public let segmentType: AVAssetSegmentType
  /// The tracks that have something in it; of an initialization segment all.
  public let trackReports: [AVAssetSegmentTrackReport]

  init(_ segment: MediaSegment) {
    segmentType = segment.kind == .initialization ? .initialization : .separable
    trackReports = segment.tracks.map(AVAssetSegmentTrackReport.init)
  }
}

/// What a track has in a segment.
public final class AVAssetSegmentTrackReport: Sendable {
  /// The track's number in the initialization segment, from 1.
  public let trackID: CMPersistentTrackID
  /// Pictures or audio.
  public let mediaType: AVMediaType
  /// The source time at which the first sample is presented; invalid in an initialization segment.
  public let earliestPresentationTimeStamp: CMTime
  /// From there to the end of the last sample; invalid in an initialization segment.
  public let duration: CMTime
  /// Where the first picture lies in the segment, for lists of pictures to skim through; nil for audio.
  public let firstVideoSampleInformation: AVAssetSegmentReportSampleInformation?

  init(_ track: MediaSegment.Track) {
    trackID = CMPersistentTrackID(track.id)
    mediaType = track.mediaType
    earliestPresentationTimeStamp = track.earliestPresentationTime
    duration = track.duration
    firstVideoSampleInformation = track.firstPicture.map(
      AVAssetSegmentReportSampleInformation.init)
  }
}

/// Where a sample lies in a segment.
public final class AVAssetSegmentReportSampleInformation: Sendable {
  /// The source time at which it is presented.
  public let presentationTimeStamp: CMTime
  /// Its first byte in the segment.
  public let offset: Int
  /// Bytes of it.
  public let length: Int
  /// True if it needs no sample before it.
  public let isSyncSample: Bool

  init(_ picture: MediaSegment.Picture) {
    presentationTimeStamp = picture.presentationTime
    offset = picture.offset
    length = picture.byteCount
    isSyncSample = picture.isSync
  }
}
