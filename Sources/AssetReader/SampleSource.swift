import MediaCore
import QuickTime

/// An implementation of reading: libav, Y4M or raw.
protocol SampleSource: AnyObject {
  /// libav's name of the container: `mov,mp4,m4a,3gp,3g2,mj2`, `yuv4mpegpipe`.
  var containerName: String { get }
  /// The video and audio tracks.
  var tracks: [AssetTrack] { get }
  /// The total duration; invalid if unknown.
  var duration: MediaTime { get }
  /// The container's metadata for the whole file.
  var metadata: [String: String] { get }
  /// What the asset holds besides video and audio tracks.
  var contents: AssetContents { get }

  /// Tracks found so far that were missing when the asset was opened.
  var lateTracks: [AssetLateTrack] { get }

  /// The edit list of a track of a QuickTime or MPEG-4 file; empty for other tracks.
  func edits(of track: AssetTrack.ID) -> [MovieEdit]
  /// True for audio that is cut to its edit list to the sample, rather than by packets.
  func cutsAudio(of track: AssetTrack.ID) -> Bool
  /// True if only the start of the edit list is respected.
  func leavesEditsUndone(of track: AssetTrack.ID) -> Bool
  /// The duration of the media after the end of the edit list of a fragmented file.
  func restAfterEdits(of track: AssetTrack.ID) -> MediaTime

  /// The times of field-coded frames read so far that lack their second field.
  func loneFields(of track: AssetTrack.ID) -> [MediaTime]

  /// Selects the tracks to read. Called before the first read.
  func select(_ tracks: Set<AssetTrack.ID>)
  /// Drops alpha. Called before the first read.
  func discardAlpha()
  /// Overrides the color of the video. Called before the first read.
  func retag(_ color: ColorDescription)
  /// Seeks to a sync frame of a track at or before a time.
  ///
  /// - Returns: False if the file cannot be searched.
  func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool
  /// The next decoded sample in the file's order, or nil at the end.
  func nextSample() throws(AssetReaderError) -> AssetSample?
  /// The next compressed packet in the file's order, or nil at the end.
  func nextPacket() throws(AssetReaderError) -> CompressedPacket?
  /// Calls `body` with each packet that is read for decoding.
  func watchPackets(_ body: @escaping (CompressedPacket) -> Void)
  /// Stops reading a track and drops what was not yet delivered from it.
  func leave(_ track: AssetTrack.ID)
  /// Ends a track's decoding with the first packet for which `isLast` returns true.
  func endDecoding(of track: AssetTrack.ID, _ isLast: @escaping (CompressedPacket) -> Bool)
  /// Sets the thread count of decoders started from now on; 0 means one per core.
  func setThreadCount(_ count: Int)
}

extension SampleSource {
  var contents: AssetContents { AssetContents() }
  var lateTracks: [AssetLateTrack] { [] }
  func edits(of track: AssetTrack.ID) -> [MovieEdit] { [] }
  func cutsAudio(of track: AssetTrack.ID) -> Bool { false }
  func leavesEditsUndone(of track: AssetTrack.ID) -> Bool { false }
  func restAfterEdits(of track: AssetTrack.ID) -> MediaTime { .zero }
  func loneFields(of track: AssetTrack.ID) -> [MediaTime] { [] }
  func discardAlpha() {}
  func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool { false }
  func retag(_ color: ColorDescription) {}
  func watchPackets(_ body: @escaping (CompressedPacket) -> Void) {}
  func leave(_ track: AssetTrack.ID) {}
  func endDecoding(of track: AssetTrack.ID, _ isLast: @escaping (CompressedPacket) -> Bool) {}
  func setThreadCount(_ count: Int) {}
}
