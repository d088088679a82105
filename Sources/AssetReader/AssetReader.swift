public import MediaCore
package import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads movies, Y4M and raw picture files as sample buffers.
///
/// ```swift
/// let reader = try AssetReader("clip.mov")
/// while let sample = try reader.nextSample() {
///   use(sample.sampleBuffer)
/// }
/// ```
///
/// Movies go through libavformat and libavcodec: any container and codec of theirs. Y4M and raw
/// files are read by readers of this module, which notice a file that ends within a frame.
/// Pictures keep the decoder's own layout where `PixelFormat` has it, and then also its memory;
/// others are brought to the nearest layout that loses nothing. Sound becomes interleaved PCM:
/// 16, 24 or 32 bits as the source has them; sound of lossy codecs, which decode to floating
/// point, is rounded to 24 bits.
///
/// A reader is used from one thread at a time.
public final class AssetReader {
  /// How to read.
  public struct Options: Sendable {
    /// Threads of each decoder; 0 for one a core.
    public var threadCount = 0
    /// True for threads that decode several pictures at once, and for that take as many packets before they give the
    /// first one; false for threads that share one picture at a time, as far as the codec allows that.
    package var overlapsPictures = true
    /// True to map raw files into memory rather than read them: nothing is copied, but the process
    /// dies if somebody shortens the file meanwhile.
    public var mapsRawFiles = false

    /// All cores, files read rather than mapped.
    public init() {}
  }

  private enum Mode { case none, samples, packets }

  /// Where the asset is.
  public let location: AssetLocation
  /// What the file is, in libav's words: `mov,mp4,m4a,3gp,3g2,mj2`, `yuv4mpegpipe`, `rawvideo`.
  public let containerName: String
  /// The tracks of pictures and sound, in the file's order. Cover pictures are no tracks.
  public let tracks: [AssetTrack]
  /// The length of the longest track; invalid where the file does not say.
  public let duration: MediaTime
  /// What the container says of the whole, such as `com.apple.quicktime.model`.
  public let metadata: [String: String]
  /// What the asset holds beside its tracks of pictures and sound.
  public let contents: AssetContents
  /// The tracks that are read: at first the best one of pictures and all of sound.
  public private(set) var selectedTracks: Set<AssetTrack.ID>

  /// Pictures of this reader that somebody holds.
  package let ledger: OutstandingPictures
  private let source: any SampleSource
  private var mode = Mode.none

  /// Opens an asset as users name it; see ``AssetLocation``.
  ///
  /// - Throws: ``AssetReaderError``: no such file, no access, not a movie, no picture or sound.
  public convenience init(
    _ location: String, options: Options = Options()
  ) throws(AssetReaderError) {
    try self.init(AssetLocation(location), options: options)
  }

  /// Opens an asset.
  ///
  /// - Throws: ``AssetReaderError``: no such file, no access, not a movie, no picture or sound.
  public init(
    _ location: AssetLocation, options: Options = Options()
  ) throws(AssetReaderError) {
    let ledger = OutstandingPictures()
    self.location = location
    self.ledger = ledger
    try location.checkOptions()
    source = try Self.open(location, options: options, ledger: ledger)
    containerName = source.containerName
    tracks = source.tracks
    duration = source.duration
    metadata = source.metadata
    contents = source.contents
    let pictures = tracks.filter { $0.mediaType == .video }
    // A still beside a movie, as in a phone's motion photo, may be the larger.
    let most = pictures.compactMap(\.sampleCount).max() ?? 0
    let moving = pictures.filter { track in track.sampleCount.map { $0 >= most / 10 } ?? true }
    let best = moving.max { first, second in
      Self.pixels(first) < Self.pixels(second)
        || (Self.pixels(first) == Self.pixels(second) && first.id > second.id)
    }
    selectedTracks = Set(
      tracks.filter { $0.mediaType == .audio || $0.id == best?.id }.map(\.id))
    source.select(selectedTracks)
  }

  /// The track of pictures that is read at first: the largest that is no still beside others, then the first.
  public var videoTrack: AssetTrack? {
    tracks.first { $0.mediaType == .video && selectedTracks.contains($0.id) }
  }

  /// The selected tracks of sound.
  public var audioTracks: [AssetTrack] {
    tracks.filter { $0.mediaType == .audio && selectedTracks.contains($0.id) }
  }

  /// Reads these tracks only.
  ///
  /// - Throws: ``AssetReaderError/Code/noSuchTrack``, or ``AssetReaderError/Code/invalidState``
  ///   after the first read.
  public func select(_ ids: some Sequence<AssetTrack.ID>) throws(AssetReaderError) {
    let wanted = Set(ids)
    guard mode == .none else {
      throw AssetReaderError(
        .invalidState, "\(location.displayName): tracks are selected before the first read")
    }
    if let unknown = wanted.first(where: { id in !tracks.contains { $0.id == id } }) {
      throw AssetReaderError(
        .noSuchTrack,
        "\(location.displayName) has no track \(unknown); it has "
          + tracks.map { "\($0.id)" }.joined(separator: ", "))
    }
    selectedTracks = wanted
    source.select(wanted)
  }

  /// Tracks that began so far and are not among ``tracks``, as they were not found when the file was opened.
  /// They are not read.
  public var lateTracks: [AssetLateTrack] { source.lateTracks }

  /// The edit list of a track of a QuickTime or MPEG-4 file; empty for other tracks, and for a pipe.
  package func edits(of track: AssetTrack.ID) -> [MovieEdit] { source.edits(of: track) }

  /// True for sound of an edit list whose parts begin and end where the list has it, to the sample; false where whole
  /// packets are given, and where an edit list leaves nothing out.
  package func cutsSound(of track: AssetTrack.ID) -> Bool { source.cutsSound(of: track) }

  /// True for an edit list that asks for more than a beginning, in a file in fragments: libavformat takes no more of it,
  /// and gives the media from there to their end.
  package func leavesEditsUndone(of track: AssetTrack.ID) -> Bool {
    source.leavesEditsUndone(of: track)
  }

  /// Leaves out alpha where pictures need not be brought to 4:4:4 for it then. Has no effect after the
  /// first read.
  public func discardAlpha() { source.discardAlpha() }

  /// Says what the codes of a movie's pictures mean, whatever it says itself: primaries, transfer and
  /// matrix. Has no effect on Y4M and raw pictures, nor after the first read.
  public func retag(_ color: ColorDescription) { source.retag(color) }

  /// Goes to a sync frame of a track at a time or before it, as well as the container can: the
  /// first samples tell where it is. What was decoded and not delivered is forgotten.
  ///
  /// - Returns: False where the file cannot be searched: it is read from its beginning, or not to be
  ///   read on where something of it was read.
  package func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool {
    source.seek(track, to: time)
  }

  /// The next decoded sample of the selected tracks in the file's order, or nil at the end.
  ///
  /// - Throws: ``AssetReaderError/Code/truncated`` once all that is whole was delivered;
  ///   ``AssetReaderError/Code/decodeFailed`` for a frame that cannot be decoded, after which the
  ///   next call goes on with the frame after it; others from the system and the container.
  public func nextSample() throws(AssetReaderError) -> AssetSample? {
    try enter(.samples)
    return try source.nextSample()
  }

  /// The next compressed packet of the selected tracks in the file's order, or nil at the end. A
  /// reader delivers either samples or packets.
  ///
  /// - Throws: As ``nextSample()``; ``AssetReaderError/Code/unsupported`` for Y4M and raw files.
  public func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    try enter(.packets)
    return try source.nextPacket()
  }

  /// Tells of each packet of the selected tracks that is read to be decoded, from here on. Y4M and raw files
  /// have none.
  package func watchPackets(_ body: @escaping (CompressedPacket) -> Void) {
    source.watchPackets(body)
  }

  /// As ``nextPacket()``, of a reader that has delivered samples: the next packet that none of them needed.
  package func nextUnreadPacket() throws(AssetReaderError) -> CompressedPacket? {
    try source.nextPacket()
  }

  /// Reads no more of a track, and forgets what was not delivered of it.
  package func leave(_ track: AssetTrack.ID) {
    selectedTracks.remove(track)
    source.leave(track)
  }

  /// Changes the threads of each decoder that is begun from here on, as behind ``seek(_:to:)``.
  ///
  /// - Parameter count: 0 for one a core.
  package func setThreadCount(_ count: Int) { source.setThreadCount(count) }

  private func enter(_ wanted: Mode) throws(AssetReaderError) {
    guard mode == .none || mode == wanted else {
      throw AssetReaderError(
        .invalidState,
        "\(location.displayName): a reader gives samples or packets; open a second one")
    }
    mode = wanted
  }

  private static func pixels(_ track: AssetTrack) -> Int {
    (track.video?.dimensions).map { $0.width * $0.height } ?? 0
  }

  private static func open(
    _ location: AssetLocation, options: Options, ledger: OutstandingPictures
  ) throws(AssetReaderError) -> any SampleSource {
    if let raw = location.rawFormat {
      if options.mapsRawFiles, !location.isStandardInput {
        return try MappedRawVideoSource(location: location, format: raw, ledger: ledger)
      }
      return try RawVideoSource(
        input: try ByteInput(location: location), format: raw, ledger: ledger)
    }
    if let sequence = try ImageSequence(location) {
      return try LibavSource(
        path: location.path, looksLikeText: false, sequence: sequence, options: options,
        ledger: ledger)
    }
    let input = try ByteInput(location: location)
    if try input.starts(with: Y4MHeader.magic) {
      return try Y4MSource(input: input, ledger: ledger)
    }
    guard !location.isStandardInput, input.fileSize != nil else {
      throw AssetReaderError(
        .notAMovie,
        "\(location.displayName) holds no Y4M; pipe Y4M (ffmpeg -f yuv4mpegpipe -strict -1), raw "
          + "video with -?size=…&rate=…&format=…, or name a file")
    }
    return try LibavSource(
      path: location.path, looksLikeText: input.looksLikeText, options: options, ledger: ledger)
  }
}
