import AssetReader
import AssetWriter
import CaptureDevices
import MediaCore

/// A source of a job as its first picture shows it: the same wherever the job is worked on.
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
  /// The source behind its first picture. To open a movie costs a decoder twenty pictures or more.
  let reader: AssetReader
  private let threads: Int

  /// - Parameter threads: Those of the decoder; 0 for one a core.
  /// - Throws: `AssetReaderError`, `CaptureError`, ``EncodeJobError``.
  init(_ session: AssetExportSession, threads: Int = 0) throws {
    self.session = session
    self.threads = threads
    let reader = try Self.reader(session, threads)
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
    processing = try session.processing(for: track)
    try Self.prepare(reader, session, track, codec)
    var first: AssetSample?
    while first == nil {
      do throws(AssetReaderError) {
        guard let sample = try reader.nextSample() else { break }
        first = sample
      } catch {
        guard error.code == .decodeFailed else { throw error }
      }
    }
    guard let first, let picture = first.sampleBuffer.imageBuffer else {
      throw AssetReaderError(
        .truncated, "\(session.location.displayName) contains no complete frame")
    }
    self.first = first
    if let filter = Self.filter(session, processing, track, scan) {
      let filtered = try filter.send(picture, at: 0) + filter.finish()
      guard let output = filtered.first else {
        throw EncodeJobError(
          .notDivisible, "\(session.location.displayName): the filters hold pictures back")
      }
      shape = output.picture
    } else {
      shape = picture
    }
  }

  private static func prepare(
    _ reader: AssetReader, _ session: AssetExportSession, _ track: AssetTrack,
    _ codec: VideoCodecType
  ) throws {
    if !codec.is4444 { reader.discardAlpha() }
    if let color = session.edit.color { reader.retag(color) }
    try reader.select([track.id])
  }

  private static func reader(_ session: AssetExportSession, _ threads: Int) throws -> AssetReader {
    var options = AssetReader.Options()
    options.threadCount = threads
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

  /// What the movie is to be.
  func beginning() throws(CaptureError) -> ExportFeed.Beginning {
    ExportFeed.Beginning(
      picture: ExportFeed.Picture(
        buffer: shape, time: first.sampleBuffer.presentationTimeStamp,
        duration: first.sampleBuffer.duration, attachments: first.sampleBuffer.attachments),
      first: first,
      timing: try ExportTiming(session, track, first: first, processing: processing))
  }

  /// How the pictures are encoded.
  func settings(restartInterval: Int) throws(CaptureError) -> VideoOutputSettings {
    var settings = ExportPlan.settings(
      session, track, try beginning(), codec: codec, scan: scan, processing: processing)
    settings.restartInterval = restartInterval
    return settings
  }
}
