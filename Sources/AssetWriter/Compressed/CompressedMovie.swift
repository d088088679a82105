import CFFmpeg
import MediaCore
import QuickTime

/// A segment's movie file that is compressed while it is written, and put together by libavformat.
///
/// In fragments it is a movie at every moment up to the last of them; without, only once it is finished. One that is
/// given away in media segments has a stream in the place of its file.
final class CompressedMovie: SegmentMovie {
  let file: any MovieFile
  let fileType: FileType
  var output: MovieFileOutput?
  var muxer: MovieMuxer?
  var tracks: [CompressedTrack] = []
  /// The receiver of media segments; nil for a file.
  let segments: MediaSegmentOutput?
  var segmenter: MediaSegmenter?
  private(set) var isFragmented = false
  private(set) var synchronizes = false
  /// True if the video is live from a device. Nothing can supply it again, so little may wait outside the file.
  private(set) var isLive = false
  /// Bytes of the file before its first fragment.
  private var beginning: UInt64 = 0
  /// Bytes of the file when each fragment was complete.
  var fragmentEnds: [UInt64] = []
  /// Where the linear PCM of a `.wav`, `.aiff` or `.caf` file lies; nil for movies and compressed audio.
  var plainAudio: PlainAudioExtent?
  /// The bytes of audio at the last flush to the file, and how many arrive before the next.
  var audioPace: (kept: Int64, interval: Int64) = (0, .max)
  private(set) var startTimecode: Timecode?
  var remainder: MovieSummary?
  var held: [Int: HeldMedia] = [:]
  var omitted: [Segment.Extra] = []
  /// What of data with their times there was no track for.
  var omittedData: Set<Segment.Extra> = []
  var isRemoved = false

  init(file: any MovieFile, fileType: FileType) {
    self.file = file
    self.fileType = fileType
    segments = nil
  }

  /// A movie that is given away in media segments.
  init(_ segments: MediaSegmentOutput) {
    file = segments.stream
    fileType = .mp4
    self.segments = segments
  }

  // MARK: The file and others

  var fileChange: MovieFileChange?
  var lastChange: SegmentFileChange?
  /// Why the file could not take the place of the one that it was to replace, until that is told.
  var nameError: QuickTimeError?
  /// Why a file that was taken away could not be brought back.
  var restoreError: QuickTimeError?
  /// Packets that were written before the file's name was last looked for.
  var packetsSeen = 0
  var hasName: Bool { file.hasName }

  private var lostCopies = LostCopies()

  func takeLostCopies() -> [MovieFileCopy] { lostCopies.take(from: file) }

  var projectedFileSize: Int64 {
    guard let muxer else { return 0 }
    // The index has at most some 32 bytes for a packet.
    let written = max(muxer.packetBytes, Int64(output?.size ?? 0))
    return written + waitingAudioBytes + Int64(muxer.packetCount) * 32 + 65_536
  }

  func pendingFrameCount(of input: Int) -> Int {
    guard tracks.indices.contains(input), case .video(let video) = tracks[input] else {
      return 0
    }
    return video.writer.pendingCount
  }

  // MARK: Beginning

  func open(_ setup: MovieSetup, telling space: ReservedSpace) throws(QuickTimeError) {
    let output = try MovieFileOutput(file)
    let header = CompressedMovieHeader(setup, fileType: fileType, segments?.segmentation)
    let muxer = try MovieMuxer(output, fileType: fileType, offset: header.timeOffset)
    self.output = output
    self.muxer = muxer
    synchronizes = setup.configuration.synchronizesFragments
    isLive = setup.tracks.contains {
      if case .video(let video) = $0 { video.isRealTime } else { false }
    }
    segmenter = segments.map { MediaSegmenter($0, muxer, sessionStart: setup.sessionStart) }
    var stream = 0
    for track in setup.tracks {
      switch track {
      case .none: tracks.append(.none)
      case .video(let video):
        let writer: any VideoTrackWriter =
          video.settings.codec.isProRes || video.settings.carriedConfiguration != nil
          ? try PacketTrackWriter(video) : try VideoCompressor(video, segments)
        startTimecode = try header.add(video, writer, to: muxer) ?? startTimecode
        segmenter?.addTrack(.video, timeBase: CompressedMovieHeader.timeBase(of: video))
        tracks.append(
          .video(
            .init(
              stream: stream, writer: writer, rate: video.description.frameRate,
              start: video.start)))
        stream += 1
      case .audio(let settings, let start):
        let writer: any AudioTrackWriter =
          settings.compression == .none
          ? try PlainAudioWriter(settings, in: fileType) : try AudioCompressor(settings)
        try header.add(settings, writer, to: muxer)
        segmenter?.addTrack(.audio, timeBase: CompressedMovieHeader.timeBase(of: settings))
        tracks.append(
          .audio(.init(stream: stream, writer: writer, settings: settings, start: start)))
        stream += 1
      }
    }
    isFragmented = header.isFragmented
    try header.describe(muxer)
    try muxer.start(header.options)
    if isFragmented { try output.flush() }
    beginning = output.size
    if synchronizes { try synchronizeName() }
    if case .audio(let settings, _)? = setup.tracks.first { try notePlainAudio(settings, setup) }
  }

  /// What is synced while it comes is of use under a name alone.
  private func synchronizeName() throws(QuickTimeError) {
    do throws(QuickTimeError) { try file.synchronizeParentDirectory() } catch {
      // A folder that others renamed by now is found with the first looks at the file.
      guard error.code == .notFound else { throw error }
    }
  }

  // MARK: Writing

  func write(
    _ write: WriterState.VideoWrite, input: Int, isCancelled: () -> Bool
  ) throws(QuickTimeError) {
    guard case .video(let video) = tracks[input], write.end > write.slot else { return }
    let repeats = write.gapPolicy == .repeatPreviousFrame
    let step = repeats ? 1 : write.end - write.slot
    var slot = write.slot
    while slot < write.end {
      if slot > write.slot, isCancelled() { return }
      try video.writer.append(write.frame, at: slot - video.start, duration: step) {
        packet throws(QuickTimeError) in
        try giveFrame(packet, video.stream, video.written)
      }
      slot += step
    }
    video.written.end = write.end - video.start
    for place in tracks.indices { try giveAudio(of: place) }
    try keepFragments()
  }

  func write(
    _ piece: AudioTrackState.Piece, input: Int, room: Int, isCancelled: () -> Bool
  ) throws(QuickTimeError) -> Int {
    guard case .audio(let audio) = tracks[input] else { return 0 }
    let (writer, settings, written) = (audio.writer, audio.settings, audio.written)
    let fits = self.room(for: settings, after: written.end)
    let isLast = fits < min(piece.frameCount, room)
    let room = min(room, fits)
    let silent = min(piece.silence, room)
    var left = silent
    while left > 0, !isCancelled() {
      let frames = min(left, settings.format.sampleRate)
      writer.append([Int32](repeating: 0, count: frames * settings.format.channelCount))
      written.end += Int64(frames)
      try giveAudio(of: input)
      left -= frames
    }
    let audible = min(piece.buffer.frameCount - piece.skipped, room - silent)
    if audible > 0 {
      writer.append(Self.samples(of: piece, count: audible, for: settings))
      written.end += Int64(audible)
      try giveAudio(of: input)
    }
    written.media.samples = Int(clamping: written.end)
    try keepFragments()
    if isLast { throw fullFile }
    return silent + max(audible, 0)
  }

  /// Interleaved samples of 32 bits, rounded first to the depth that the track keeps.
  private static func samples(
    of piece: AudioTrackState.Piece, count: Int, for settings: AudioOutputSettings
  ) -> [Int32] {
    let source = piece.buffer.format
    let first = piece.skipped * source.bytesPerFrame
    var depth = source.sampleFormat
    var bytes = Array(piece.buffer.bytes[first..<first + count * source.bytesPerFrame])
    let kept = settings.format.sampleFormat
    if case .aac = settings.compression {
    } else if kept.bitDepth < depth.bitDepth {
      var rounded: [UInt8] = []
      PCMConversion.convert(bytes[...], from: depth, to: kept, into: &rounded)
      (bytes, depth) = (rounded, kept)
    }
    var wide: [UInt8] = []
    PCMConversion.convert(bytes[...], from: depth, to: .int32, into: &wide)
    return wide.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
  }

  func give(
    _ packet: UnsafeMutablePointer<AVPacket>, _ stream: Int, _ written: CompressedTrack.Written
  ) throws(QuickTimeError) {
    written.media.bytes += Int64(packet.pointee.size)
    if let segmenter { return try segmenter.take(packet, track: stream) }
    try muxer?.write(packet, track: stream)
  }

  func giveFrame(
    _ packet: UnsafeMutablePointer<AVPacket>, _ stream: Int, _ written: CompressedTrack.Written
  ) throws(QuickTimeError) {
    written.media.samples += 1
    written.media.largestFrame = max(written.media.largestFrame, Int(packet.pointee.size))
    try give(packet, stream, written)
  }

  /// Brings a fragment that is complete to the disk.
  private func keepFragments() throws(QuickTimeError) {
    if plainAudio != nil { return try keepAudio() }
    guard isFragmented, let output else { return }
    try output.flush()
    guard output.size > fragmentEnds.last ?? beginning, output.isUnconfirmed else { return }
    if synchronizes { try output.synchronize() }
    fragmentEnds.append(output.size)
    try adoptName()
  }
}
