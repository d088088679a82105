package import AssetReader
package import MediaCore

/// A source that is opened for an export: what is taken of it, and what is to be made of it.
package struct ExportSetup {
  let session: AssetExportSession
  let reader: AssetReader
  /// The pictures that are encoded.
  let track: AssetTrack
  let codec: VideoCodecType
  /// The field order, where it is not that of the pictures; nil for theirs.
  let scan: FieldOrder?
  /// What was found where the field order was looked for in the pictures.
  let scanNotes: [ExportNote]
  /// What is done to the pictures.
  let processing: PictureProcessing
  /// The sound that comes along.
  let sounds: [ExportSound]

  /// Opens a session's source, and selects the tracks that are read.
  ///
  /// - Throws: As ``AssetExportSession/export()``.
  init(opening session: AssetExportSession) throws {
    let reader = try AssetReader(session.location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(
        .noSuchTrack, "\(session.location.displayName) contains no video")
    }
    codec = session.codec(for: track)
    if !codec.is4444 { reader.discardAlpha() }
    if let color = session.edit.color { reader.retag(color) }
    sounds = try ExportSound.chosen(session.edit.audio, of: reader)
    try reader.select([track.id] + sounds.map(\.trackID))
    (scan, scanNotes) = try session.fieldOrder()
    processing = try session.processing(for: track, codec: codec)
    (self.session, self.reader, self.track) = (session, reader, track)
  }

  /// A source that is open already, with its tracks selected.
  package init(
    _ session: AssetExportSession, _ reader: AssetReader, _ track: AssetTrack,
    codec: VideoCodecType, scan: FieldOrder?, processing: PictureProcessing, sounds: [ExportSound]
  ) {
    (self.session, self.reader, self.track) = (session, reader, track)
    (self.codec, self.scan, self.processing, self.sounds) = (codec, scan, processing, sounds)
    scanNotes = []
  }
}
