public import MediaCore
package import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Reads movies, Y4M and raw video files as sample buffers.
///
/// ```swift
/// let reader = try AssetReader("clip.mov")
/// while let sample = try reader.nextSample() {
///   use(sample.sampleBuffer)
/// }
/// ```
///
/// Movies are read with libavformat and libavcodec, in any container and codec that these support.
/// Y4M and raw files have readers in this module, which detect a file that ends within a frame.
/// Frames keep the decoder's layout, without a copy, if `PixelFormat` has it; others are converted
/// to the nearest layout that loses nothing. Audio becomes interleaved PCM with the source's 16, 24
/// or 32 bits; audio of lossy codecs, which decode to floating point, is rounded to 24 bits.
///
/// A reader is used from one thread at a time.
public final class AssetReader {
  /// Settings of a reader.
  public struct Options: Sendable {
    /// Threads of each decoder; 0 means one per core.
    public var threadCount = 0
    /// True if threads decode several frames at the same time, which needs as many packets before
    /// the first frame comes out; false if threads share one frame at a time, as far as the codec
    /// allows it.
    package var overlapsFrames = true
    /// True to map raw files into memory instead of reading them. Nothing is copied, but the
    /// process dies if the file is truncated meanwhile.
    public var mapsRawFiles = false

    /// Uses all cores and reads files rather than mapping them.
    public init() {}
  }

  private enum Mode { case none, samples, packets }

  /// Where the asset is.
  public let location: AssetLocation
  /// libav's name of the container: `mov,mp4,m4a,3gp,3g2,mj2`, `yuv4mpegpipe`, `rawvideo`.
  public let containerName: String
  /// The video and audio tracks, in the file's order. Cover images are not tracks.
  public let tracks: [AssetTrack]
  /// The duration of the longest track; invalid if the file does not state it.
  public let duration: MediaTime
  /// The container's metadata for the whole file, such as `com.apple.quicktime.model`.
  public let metadata: [String: String]
  /// What the asset holds besides its video and audio tracks.
  public let contents: AssetContents
  /// The tracks that are read: initially the best video track and all audio tracks.
  public private(set) var selectedTracks: Set<AssetTrack.ID>

  /// Frames of this reader that are still in use.
  package let ledger: FrameLedger
  private let source: any SampleSource
  private var mode = Mode.none

  /// Opens an asset as users write it; see ``AssetLocation``.
  ///
  /// - Throws: ``AssetReaderError``: no such file, no access, not a movie, no video or audio.
  public convenience init(
    _ location: String, options: Options = Options()
  ) throws(AssetReaderError) {
    try self.init(AssetLocation(location), options: options)
  }

  /// Opens an asset.
  ///
  /// - Throws: ``AssetReaderError``: no such file, no access, not a movie, no video or audio.
  public init(
    _ location: AssetLocation, options: Options = Options()
  ) throws(AssetReaderError) {
    let ledger = FrameLedger()
    self.location = location
    self.ledger = ledger
    try location.checkOptions()
    source = try Self.open(location, options: options, ledger: ledger)
    containerName = source.containerName
    tracks = source.tracks
    duration = source.duration
    metadata = source.metadata
    contents = source.contents
    let video = tracks.filter { $0.mediaType == .video }
    // A still next to a movie, as in a phone's motion photo, may be larger than the movie.
    let most = video.compactMap(\.sampleCount).max() ?? 0
    let moving = video.filter { track in track.sampleCount.map { $0 >= most / 10 } ?? true }
    let best = moving.max { first, second in
      Self.pixels(first) < Self.pixels(second)
        || (Self.pixels(first) == Self.pixels(second) && first.id > second.id)
    }
    selectedTracks = Set(
      tracks.filter { $0.mediaType == .audio || $0.id == best?.id }.map(\.id))
    source.select(selectedTracks)
  }

  /// The selected video track. Initially the largest one, or the first of several that size; a
  /// still next to moving tracks does not count.
  public var videoTrack: AssetTrack? {
    tracks.first { $0.mediaType == .video && selectedTracks.contains($0.id) }
  }

  /// The selected audio tracks.
  public var audioTracks: [AssetTrack] {
    tracks.filter { $0.mediaType == .audio && selectedTracks.contains($0.id) }
  }

  /// Selects the tracks to read.
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

  /// Tracks that have begun so far but are missing from ``tracks`` because they were not found when
  /// the file was opened. They are not read.
  public var lateTracks: [AssetLateTrack] { source.lateTracks }

  /// The edit list of a track of a QuickTime or MPEG-4 file; empty for other tracks, and for a pipe.
  package func edits(of track: AssetTrack.ID) -> [MovieEdit] { source.edits(of: track) }

  /// True if audio is cut to the sample where its edit list says; false if whole packets are
  /// delivered, and if the edit list leaves nothing out.
  package func cutsAudio(of track: AssetTrack.ID) -> Bool { source.cutsAudio(of: track) }

  /// True if only the start of a fragmented file's edit list is applied because the rest of it
  /// repeats media or steps back in it.
  package func leavesEditsUndone(of track: AssetTrack.ID) -> Bool {
    source.leavesEditsUndone(of: track)
  }

  /// The duration of the media after the end of a fragmented file's edit list; zero for other
  /// files. Some writers state the duration of the first fragment only.
  package func restAfterEdits(of track: AssetTrack.ID) -> MediaTime {
    source.restAfterEdits(of: track)
  }

  /// The presentation times of the H.264 frames read so far that lack their second field, in decode
  /// order; invalid if the container gives none. The decoder drops them, or fills the lines of the missing field.
  package func loneFields(of track: AssetTrack.ID) -> [MediaTime] { source.loneFields(of: track) }

  /// Drops alpha where this avoids converting frames to 4:4:4. Has no effect after the first read.
  public func discardAlpha() { source.discardAlpha() }

  /// Overrides a movie's primaries, transfer function and matrix. Has no effect on Y4M and raw
  /// video, nor after the first read.
  public func retag(_ color: ColorDescription) { source.retag(color) }

  /// Seeks to a sync frame of a track at or before a time, as precisely as the container allows:
  /// the first samples show the actual position. Samples that were decoded but not delivered are
  /// dropped.
  ///
  /// - Returns: False if the file cannot be searched. If nothing was read yet, reading starts at
  ///   the beginning; otherwise the reader must not be used any further.
  package func seek(_ track: AssetTrack.ID, to time: MediaTime) -> Bool {
    source.seek(track, to: time)
  }

  /// The next decoded sample of the selected tracks in the file's order, or nil at the end.
  ///
  /// - Throws: ``AssetReaderError/Code/truncated`` once every complete frame was delivered;
  ///   ``AssetReaderError/Code/decodeFailed`` for a frame that cannot be decoded, after which the
  ///   next call continues with the following frame; also errors of the system and the container.
  public func nextSample() throws(AssetReaderError) -> AssetSample? {
    try enter(.samples)
    return try source.nextSample()
  }

  /// The next compressed packet of the selected tracks in the file's order, or nil at the end. A
  /// reader delivers either samples or packets.
  ///
  /// - Throws: The errors of ``nextSample()``, and ``AssetReaderError/Code/unsupported`` for Y4M
  ///   and raw files.
  public func nextPacket() throws(AssetReaderError) -> CompressedPacket? {
    try enter(.packets)
    return try source.nextPacket()
  }

  /// Calls `body` from now on with each packet of the selected tracks that is read for decoding.
  /// Y4M and raw files have no packets.
  package func watchPackets(_ body: @escaping (CompressedPacket) -> Void) {
    source.watchPackets(body)
  }

  /// Like ``nextPacket()``, for a reader that has delivered samples: the first packet not read for
  /// them.
  package func nextUnreadPacket() throws(AssetReaderError) -> CompressedPacket? {
    try source.nextPacket()
  }

  /// Stops reading a track and drops what was not yet delivered from it.
  package func leave(_ track: AssetTrack.ID) {
    selectedTracks.remove(track)
    source.leave(track)
  }

  /// Ends a track's decoding early: `isLast` is called with each packet from now on that the track's
  /// decoder gets. After the first one for which it returns true, the decoder outputs the frames that
  /// it holds, and gets no more packets until a ``seek(_:to:)``. For MPEG-1 and MPEG-2 it is called, but
  /// decoding continues; for Y4M and raw files it is not called.
  package func endDecoding(
    of track: AssetTrack.ID, _ isLast: @escaping (CompressedPacket) -> Bool
  ) {
    source.endDecoding(of: track, isLast)
  }

  /// Sets the thread count of decoders started from now on, as after ``seek(_:to:)``.
  ///
  /// - Parameter count: 0 means one per core.
  package func setThreadCount(_ count: Int) { source.setThreadCount(count) }

  private func enter(_ wanted: Mode) throws(AssetReaderError) {
    guard mode == .none || mode == wanted else {
      throw AssetReaderError(
        .invalidState,
        "\(location.displayName): a reader delivers either samples or packets; open a second one")
    }
    mode = wanted
  }

  private static func pixels(_ track: AssetTrack) -> Int {
    (track.video?.dimensions).map { $0.width * $0.height } ?? 0
  }

  private static func open(
    _ location: AssetLocation, options: Options, ledger: FrameLedger
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
