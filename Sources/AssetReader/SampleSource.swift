import MediaCore
import QuickTime

/// One way to read an asset: libav, Y4M, raw.
protocol SampleSource: AnyObject {
  /// What the file is, in the words of libav: `mov,mp4,m4a,3gp,3g2,mj2`, `yuv4mpegpipe`.
  var containerName: String { get }
  /// Pictures and sound; nothing else counts as a track here.
  var tracks: [AssetTrack] { get }
  /// The length of the whole; invalid where not known.
  var duration: MediaTime { get }
  /// What the container says of the whole.
  var metadata: [String: String] { get }
  /// What it holds beside tracks of pictures and sound.
  var contents: AssetContents { get }

  /// Tracks so far that were not found when it was opened.
  var lateTracks: [AssetLateTrack] { get }

  /// The edit list of a track of a QuickTime or MPEG-4 file; empty for other tracks.
  func edits(of track: AssetTrack.ID) -> [MovieEdit]
  /// True for sound that is cut to its edit list to the sample, rather than at packets.
  func cutsSound(of track: AssetTrack.ID) -> Bool
  /// True for an edit list of which no more is followed than where it begins.
  func leavesEditsUndone(of track: AssetTrack.ID) -> Bool

  /// Leaves out all other tracks. Called before the first read.
  func select(_ tracks: Set<AssetTrack.ID>)
  /// Leaves out alpha. Called before the first read.
  func discardAlpha()
  /// Says what the codes of pictures mean, whatever the source says. Called before the first read.
  func retag(_ color: ColorDescription)
  /// Goes to a sync frame of a track at a time or before it. Called before the first read.
  ///
  /// - Returns: False where the file cannot be searched: it is read from its beginning.
  func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool
  /// The next decoded sample in the file's order, or nil at the end.
  func nextSample() throws(AssetReaderError) -> AssetSample?
  /// The next compressed packet in the file's order, or nil at the end.
  func nextPacket() throws(AssetReaderError) -> CompressedPacket?
  /// Tells of each packet that is read to be decoded.
  func watchPackets(_ body: @escaping (CompressedPacket) -> Void)
  /// Reads no more of a track, and forgets what was not delivered of it.
  func leave(_ track: AssetTrack.ID)
  /// How many threads each decoder has that is begun from here on; 0 for one a core.
  func setThreadCount(_ count: Int)
}

extension SampleSource {
  var contents: AssetContents { AssetContents() }
  var lateTracks: [AssetLateTrack] { [] }
  func edits(of track: AssetTrack.ID) -> [MovieEdit] { [] }
  func cutsSound(of track: AssetTrack.ID) -> Bool { false }
  func leavesEditsUndone(of track: AssetTrack.ID) -> Bool { false }
  func discardAlpha() {}
  func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool { false }
  func retag(_ color: ColorDescription) {}
  func watchPackets(_ body: @escaping (CompressedPacket) -> Void) {}
  func leave(_ track: AssetTrack.ID) {}
  func setThreadCount(_ count: Int) {}
}
