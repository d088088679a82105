import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore
import MovieExport

/// A source of a job as its first picture shows it: the same wherever the job is worked on.
///
/// A decoder with many threads takes as many pictures before it gives the first one. Where no other
/// picture is read on from there, one thread decodes that one.
struct JobOpening {
  let session: AssetExportSession
  let track: AssetTrack
  let codec: VideoCodecType
  let scan: FieldOrder?
  let processing: PictureProcessing
  /// What comes with the source's first picture.
  let first: AssetSample
  /// What the first picture is for the encoder.
  let shape: PixelBuffer
  /// What it is behind the filters, before it is brought to the codec's form.
  let filtered: PixelBuffer.Description
  /// The source behind its first picture.
  let reader: AssetReader
  /// The sound that was chosen.
  let sounds: [ExportSound]
  /// What comes of it before the first picture, where sound is read: samples, and why some are missing.
  let earlySound: [Result<AssetSample, AssetReaderError>]
  /// Pictures before the first one, which do not decode.
  let refused: RefusedPictures
  /// What pictures say of damage that do not decode and are not shown.
  let unseenDamage: [PacketMark]
  /// What packets of sound say of damage.
  let soundPackets: PacketWatch
  private let threads: Int

  /// - Parameters:
  ///   - threads: Those of the decoder; 0 for one a core.
  ///   - readsOn: False where the pictures behind the first one are not wanted, or the source is searched for
  ///     those that are.
  ///   - overlapsPictures: False if few pictures are wanted: none is decoded beyond them.
  ///   - readsSound: True to read the sound that was chosen, and of the pictures the first one alone.
  ///   - onPacket: Told of each packet that is decoded.
  /// - Throws: `AssetReaderError`, `CaptureError`, ``EncodeJobError``.
  init(
    _ session: AssetExportSession, threads: Int = 0, readsOn: Bool = true,
    overlapsPictures: Bool = true, readsSound: Bool = false,
    onPacket: ((CompressedPacket) -> Void)? = nil
  ) throws {
    self.session = session
    self.threads = threads
    let reader = try Self.reader(
      session, readsOn && !readsSound ? threads : 1, overlapsPictures: overlapsPictures)
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
    sounds = try ExportSound.chosen(session.edit.audio, of: reader)
    try Self.prepare(reader, session, track, codec, sounds: readsSound ? sounds : [])
    let soundPackets = PacketWatch(pictures: track.id)
    reader.watchPackets { packet in
      if packet.trackID != track.id { soundPackets.note(packet) }
      onPacket?(packet)
    }
    let beginning = try Beginning(of: reader, track)
    (earlySound, refused) = (beginning.sound, beginning.refused)
    unseenDamage = beginning.unseenDamage
    self.soundPackets = soundPackets
    if readsSound { reader.leave(track.id) } else { reader.setThreadCount(threads) }
    guard let first = beginning.picture, let picture = first.sampleBuffer.imageBuffer else {
      throw AssetReaderError(
        .truncated, "\(session.location.displayName) contains no complete frame")
    }
    self.first = first
    var made = picture
    if let filter = Self.filter(session, processing, track, scan) {
      let outputs = try filter.send(picture, at: 0) + filter.finish()
      guard let output = outputs.first else {
        throw EncodeJobError(
          .notDivisible, "\(session.location.displayName): the filters hold pictures back")
      }
      made = output.picture
    }
    filtered = made.details
    var form = session.form(codec, processing, scan)
    shape = try form?.formed(made, of: session.location.displayName) ?? made
  }

  /// The first picture that can be decoded, and what comes before it.
  private struct Beginning {
    var picture: AssetSample?
    var sound: [Result<AssetSample, AssetReaderError>] = []
    var refused = RefusedPictures()
    var unseenDamage: [PacketMark] = []

    init(of reader: AssetReader, _ track: AssetTrack) throws(AssetReaderError) {
      while picture == nil {
        do throws(AssetReaderError) {
          guard let sample = try reader.nextSample() else { return }
          if sample.trackID == track.id { picture = sample } else { sound.append(.success(sample)) }
        } catch {
          guard error.code == .decodeFailed else { throw error }
          if let id = error.trackID, id != track.id {
            sound.append(.failure(error))
          } else if error.isUnseen {
            unseenDamage.append(PacketMark(unseen: error, of: track.id))
          } else {
            refused.take(error)
          }
        }
      }
    }
  }

  /// An account of no picture yet, with the look of the first one: the movie says it of all.
  var account: PictureAccount {
    var account = PictureAccount(
      look: first.sampleBuffer.imageBuffer.map { PictureAccount.Look($0.details) })
    account.takeFirst(first.sideData, track.sideData)
    return account
  }

  private static func prepare(
    _ reader: AssetReader, _ session: AssetExportSession, _ track: AssetTrack,
    _ codec: VideoCodecType, sounds: [ExportSound] = []
  ) throws {
    if !codec.is4444 { reader.discardAlpha() }
    if let color = session.edit.color { reader.retag(color) }
    try reader.select([track.id] + sounds.map(\.trackID))
  }

  private static func reader(
    _ session: AssetExportSession, _ threads: Int, overlapsPictures: Bool = true
  ) throws -> AssetReader {
    var options = AssetReader.Options()
    options.threadCount = threads
    options.overlapsPictures = overlapsPictures
    return try AssetReader(session.location, options: options)
  }

  /// Opens the source anew, for its pictures.
  func open() throws -> AssetReader {
    let reader = try Self.reader(session, threads)
    try Self.prepare(reader, session, track, codec)
    return reader
  }

  /// What each picture goes through by itself; nil for nothing.
  func filter() -> PictureFilter? { Self.filter(session, processing, track, scan) }

  /// What each picture is brought to behind that; nil for as it is.
  func form() -> PictureForm? { session.form(codec, processing, scan) }

  private static func filter(
    _ session: AssetExportSession, _ processing: PictureProcessing, _ track: AssetTrack,
    _ scan: FieldOrder?
  ) -> PictureFilter? {
    guard !processing.isEmpty, let rate = session.edit.conformRate ?? track.frameRate else {
      return nil
    }
    let filter = PictureFilter(
      processing, unit: rate.frameDuration, timecode: nil, name: session.location.displayName)
    filter.fieldOrder = scan
    filter.pixelAspectRatio = session.edit.pixelAspectRatio
    filter.color = session.edit.color
    return filter
  }

  /// Which frames of the source become which of the movie.
  func timing() throws(CaptureError) -> ExportTiming {
    try ExportTiming(session, track, first: first, processing: processing)
  }

  /// What the movie is to be.
  func beginning() throws(CaptureError) -> ExportFeed.Beginning {
    ExportFeed.Beginning(
      picture: ExportFeed.Picture(
        buffer: shape, time: first.sampleBuffer.presentationTimeStamp,
        duration: first.sampleBuffer.duration, attachments: first.sampleBuffer.attachments),
      first: first, timing: try timing())
  }

  /// How the pictures are encoded.
  func settings(restartInterval: Int) throws(CaptureError) -> VideoOutputSettings {
    var settings = ExportPlan.settings(
      session, track, try beginning(), codec: codec, scan: scan, processing: processing)
    settings.restartInterval = restartInterval
    return settings
  }
}
