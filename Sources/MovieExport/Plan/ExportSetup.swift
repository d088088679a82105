package import AssetReader
package import MediaCore

/// A source opened for an export, and how it is to be exported.
package struct ExportSetup {
  let session: AssetExportSession
  let reader: AssetReader
  /// The video track.
  let track: AssetTrack
  let codec: VideoCodecType
  /// The field order that overrides the frames'; nil keeps theirs.
  let scan: FieldOrder?
  /// Notes on the detection of the field order.
  let scanNotes: [ExportNote]
  /// The processing of frames.
  let processing: VideoProcessing
  /// The audio tracks.
  let audioTracks: [ExportAudio]

  /// Opens a session's source and selects the tracks to read.
  ///
  /// - Throws: The errors of ``AssetExportSession/export()``.
  init(opening session: AssetExportSession) throws {
    let reader = try AssetReader(session.location)
    guard let track = reader.videoTrack else {
      throw AssetReaderError(
        .noSuchTrack, "\(session.location.displayName) contains no video")
    }
    codec = session.codec(for: track)
    if !codec.is4444 { reader.discardAlpha() }
    if let color = session.edit.color { reader.retag(color) }
    audioTracks = try ExportAudio.chosen(session.edit.audio, of: reader)
    try reader.select([track.id] + audioTracks.map(\.trackID))
    (scan, scanNotes) = try session.fieldOrder()
    processing = try session.processing(for: track, codec: codec)
    (self.session, self.reader, self.track) = (session, reader, track)
  }

  /// Uses a source that is already open, with its tracks selected.
  package init(
    _ session: AssetExportSession, _ reader: AssetReader, _ track: AssetTrack,
    codec: VideoCodecType, scan: FieldOrder?, processing: VideoProcessing,
    audioTracks: [ExportAudio]
  ) {
    (self.session, self.reader, self.track) = (session, reader, track)
    (self.codec, self.scan, self.processing, self.audioTracks) = (
      codec, scan, processing, audioTracks
    )
    scanNotes = []
  }
}
