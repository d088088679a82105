import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import MovieExport

/// A source of a job, opened up to its first frame. The result is the same on every machine.
///
/// A decoder with many threads takes as many frames before it outputs the first one. If no frames
/// are read after that one, a single thread decodes it.
struct JobOpening {
  let session: AssetExportSession
  let track: AssetTrack
  let codec: VideoCodecType
  let scan: FieldOrder?
  let processing: VideoProcessing
  /// The source's first video sample.
  let first: AssetSample
  /// The first frame in the form that the encoder gets.
  let shape: PixelBuffer
  /// Its description after the filters, before it is converted for the codec.
  let filtered: PixelBuffer.Description
  /// The reader, positioned after the first frame.
  let reader: AssetReader
  /// The chosen audio.
  let audioTracks: [ExportAudio]
  /// Audio before the first frame, if audio is read: samples, and errors for missing ones.
  let earlyAudio: [Result<AssetSample, AssetReaderError>]
  /// Frames before the first one that failed to decode.
  let refused: RefusedFrames
  /// Marks of undecodable frames that are not shown.
  let unseenDamage: [PacketMark]
  /// Marks of audio packets.
  let audioPackets: PacketWatch
  private let threads: Int

  /// - Parameters:
  ///   - threads: The decoder's thread count; 0 means one per core.
  ///   - readsOn: False if no frames after the first one are needed, or the reader seeks to them.
  ///   - overlapsFrames: False if few frames are needed, so that none are decoded beyond them.
  ///   - readsAudio: True to read the chosen audio, and only the first frame of the video.
  ///   - wanted: The packets of the wanted frames; nil if there is no last wanted frame.
  ///   - onPacket: Called with each packet that is decoded.
  /// - Throws: `AssetReaderError`, `CaptureError`, ``EncodeJobError``.
  init(
    _ session: AssetExportSession, threads: Int = 0, readsOn: Bool = true,
    overlapsFrames: Bool = true, readsAudio: Bool = false, wanted: WantedPackets? = nil,
    onPacket: ((CompressedPacket) -> Void)? = nil
  ) throws {
    self.session = session
    self.threads = threads
    let reader = try Self.reader(
      session, readsOn && !readsAudio ? threads : 1, overlapsFrames: overlapsFrames)
    self.reader = reader
    guard let track = reader.videoTrack else {
      throw AssetReaderError(
        .noSuchTrack, "\(session.location.displayName) contains no video")
    }
    guard track.frameRate != nil else {
      throw EncodeJobError(
        .notDivisible,
        "\(session.location.displayName) has no frame rate; encode it in one piece")
    }
    self.track = track
    codec = session.codec(for: track)
    scan = try session.fieldOrder().0
    processing = try session.processing(for: track, codec: codec)
    audioTracks = try ExportAudio.chosen(session.edit.audio, of: reader)
    try Self.prepare(reader, session, track, codec, audioTracks: readsAudio ? audioTracks : [])
    if let wanted { reader.endDecoding(of: track.id) { wanted.take($0) } }
    let audioPackets = PacketWatch(video: track.id)
    reader.watchPackets { packet in
      if packet.trackID != track.id { audioPackets.note(packet) }
      onPacket?(packet)
    }
    let beginning = try Beginning(of: reader, track)
    (earlyAudio, refused) = (beginning.audio, beginning.refused)
    unseenDamage = beginning.unseenDamage
    self.audioPackets = audioPackets
    if readsAudio { reader.leave(track.id) } else { reader.setThreadCount(threads) }
    guard let first = beginning.picture, let frame = first.sampleBuffer.imageBuffer else {
      throw AssetReaderError(
        .truncated, "\(session.location.displayName) contains no complete frame")
    }
    self.first = first
    var made = frame
    if let filter = Self.filter(session, processing, track, scan) {
      let outputs = try filter.send(frame, at: 0) + filter.finish()
      guard let output = outputs.first else {
        throw EncodeJobError(
          .notDivisible, "\(session.location.displayName): the filters delay frames")
      }
      made = output.frame
    }
    filtered = made.details
    var form = session.form(codec, processing, scan)
    shape = try form?.formed(made, of: session.location.displayName) ?? made
  }

  /// Opens a source for some of its frames, of which ``SourceFrames`` reads on.
  ///
  /// - Parameter frames: The frames, by their indices in the source index.
  init(
    _ session: AssetExportSession, for frames: ClosedRange<Int>, of index: SourceIndex,
    threads: Int, onPacket: ((CompressedPacket) -> Void)? = nil
  ) throws {
    let readsOn = SourceFrames.areFromBeginning(index, from: frames.lowerBound)
    try self.init(
      session, threads: threads, readsOn: readsOn,
      wanted: WantedPackets(index, 0...(readsOn ? frames.upperBound : 0)), onPacket: onPacket)
  }

  /// The first frame that can be decoded, and what comes before it.
  private struct Beginning {
    var picture: AssetSample?
    var audio: [Result<AssetSample, AssetReaderError>] = []
    var refused = RefusedFrames()
    var unseenDamage: [PacketMark] = []

    init(of reader: AssetReader, _ track: AssetTrack) throws(AssetReaderError) {
      while picture == nil {
        do throws(AssetReaderError) {
          guard let sample = try reader.nextSample() else { return }
          if sample.trackID == track.id { picture = sample } else { audio.append(.success(sample)) }
        } catch {
          guard error.code == .decodeFailed else { throw error }
          if let id = error.trackID, id != track.id {
            audio.append(.failure(error))
          } else if error.isUnseen {
            unseenDamage.append(PacketMark(unseen: error, of: track.id))
          } else {
            refused.take(error)
          }
        }
      }
    }
  }

  /// An account without frames that has the look of the first one, which the movie states for all.
  var account: FrameAccount {
    var account = FrameAccount(
      look: first.sampleBuffer.imageBuffer.map { FrameAccount.Look($0.details) })
    account.takeFirst(first.sideData, track.sideData)
    return account
  }

  private static func prepare(
    _ reader: AssetReader, _ session: AssetExportSession, _ track: AssetTrack,
    _ codec: VideoCodecType, audioTracks: [ExportAudio] = []
  ) throws {
    if !codec.is4444 { reader.discardAlpha() }
    if let color = session.edit.color { reader.retag(color) }
    try reader.select([track.id] + audioTracks.map(\.trackID))
  }

  private static func reader(
    _ session: AssetExportSession, _ threads: Int, overlapsFrames: Bool = true
  ) throws -> AssetReader {
    var options = AssetReader.Options()
    options.threadCount = threads
    options.overlapsFrames = overlapsFrames
    return try AssetReader(session.location, options: options)
  }

  /// Opens the source again, for its video.
  func open() throws -> AssetReader {
    let reader = try Self.reader(session, threads)
    try Self.prepare(reader, session, track, codec)
    return reader
  }

  /// The filter for each single frame; nil for none.
  func filter() -> FrameFilter? { Self.filter(session, processing, track, scan) }

  /// The conversion of each frame after the filter; nil for none.
  func form() -> FrameForm? { session.form(codec, processing, scan) }

  private static func filter(
    _ session: AssetExportSession, _ processing: VideoProcessing, _ track: AssetTrack,
    _ scan: FieldOrder?
  ) -> FrameFilter? {
    guard !processing.isEmpty, let rate = session.edit.conformRate ?? track.frameRate else {
      return nil
    }
    let filter = FrameFilter(
      processing, unit: rate.frameDuration, timecode: nil, name: session.location.displayName)
    filter.fieldOrder = scan
    filter.pixelAspectRatio = session.edit.pixelAspectRatio
    filter.color = session.edit.color
    return filter
  }

  /// The mapping of source frames to the movie's.
  func timing() throws(CaptureError) -> ExportTiming {
    try ExportTiming(session, track, first: first, processing: processing)
  }

  /// The beginning of the movie, which determines its format.
  func beginning() throws(CaptureError) -> ExportFeed.Beginning {
    ExportFeed.Beginning(
      frame: ExportFeed.Frame(
        buffer: shape, time: first.sampleBuffer.presentationTimeStamp,
        duration: first.sampleBuffer.duration, attachments: first.sampleBuffer.attachments),
      first: first, timing: try timing())
  }

  /// The settings of the encoded video.
  func settings(restartInterval: Int) throws(CaptureError) -> VideoOutputSettings {
    var settings = ExportPlan.settings(
      session, track, try beginning(), codec: codec, scan: scan, processing: processing)
    settings.restartInterval = restartInterval
    return settings
  }
}
