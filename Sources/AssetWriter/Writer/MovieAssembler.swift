import MediaCore
import QuickTime

/// The movie file as the writing thread sees it: an input's tracks, and where they begin and end.
final class MovieAssembler {
  private let file: any MovieFile
  private var movie: MovieWriter?
  private var tracks: [Tracks] = []
  private var converted: [UInt8] = []
  private var silence: [UInt8] = []

  /// What the inputs came to in the movie.
  private enum Tracks {
    case none
    case video(TrackID, timecode: TrackID?, VideoTrackDescription, delay: Int64)
    case audio([TrackID], AudioOutputSettings)
  }

  init(file: any MovieFile) { self.file = file }

  /// Bytes that the file would have if it were finished now.
  var projectedFileSize: Int64 { Int64(clamping: movie?.projectedFileSize ?? 0) }

  // MARK: Beginning

  /// Adds the tracks and writes the beginning of the file.
  func open(_ state: WriterState) throws(QuickTimeError) {
    var configuration = MovieWriter.Configuration()
    configuration.fragmentInterval = max(state.configuration.movieFragmentInterval.seconds, 0.04)
    configuration.syncPolicy = state.configuration.synchronizesFragments ? .eachFragment : .off
    configuration.metadata = state.metadata
    let movie = try MovieWriter(file: file, configuration: configuration)
    self.movie = movie
    var timecode = timecode(of: state)
    for input in state.inputs {
      switch input.track {
      case .unprepared: tracks.append(.none)
      case .video(let video):
        tracks.append(try addVideo(video, input, &timecode, state, to: movie))
      case .audio(let audio): tracks.append(try addAudio(audio.settings, to: movie))
      }
    }
    try movie.start()
  }

  /// The timecode to write: the one that was set, else the first frame's own.
  private func timecode(of state: WriterState) -> Timecode? {
    guard state.configuration.writesTimecode else { return nil }
    return state.configuration.startTimecode ?? state.firstTimecode
  }

  private func addVideo(
    _ video: VideoTrackState, _ input: InputState, _ timecode: inout Timecode?,
    _ state: WriterState, to movie: MovieWriter
  ) throws(QuickTimeError) -> Tracks {
    guard case .video(let settings, _) = input.settings else { return .none }
    let description = VideoTrackDescription(
      codec: settings.codec, dimensions: settings.dimensions, frameRate: video.rate,
      color: video.configuration.color, fieldOrder: video.configuration.fieldOrder,
      pixelAspectRatio: video.configuration.pixelAspectRatio,
      cleanAperture: settings.cleanAperture ?? CleanAperture(settings.dimensions),
      hasAlpha: video.configuration.hasAlpha, masteringDisplay: settings.masteringDisplay,
      contentLightLevel: settings.contentLightLevel,
      name: settings.name ?? "")
    let id = try movie.addVideoTrack(description)
    let delay = video.firstSlot ?? 0
    var timecodeTrack: TrackID?
    // The address belongs to the first frame, at the rate that it counts.
    if let start = timecode, start.format.frameRate == video.rate {
      timecodeTrack = try movie.addTimecodeTrack(
        TimecodeTrackDescription(start: start, reelName: state.configuration.reelName), for: id)
      timecode = nil
    }
    if delay > 0 {
      try movie.delayStart(of: id, by: video.rate.time(ofFrame: delay))
      if let timecodeTrack {
        try movie.delayStart(of: timecodeTrack, by: video.rate.time(ofFrame: delay))
      }
    }
    return .video(id, timecode: timecodeTrack, description, delay: delay)
  }

  private func addAudio(
    _ settings: AudioOutputSettings, to movie: MovieWriter
  ) throws(QuickTimeError) -> Tracks {
    let description = AudioTrackDescription(
      format: settings.format, channelLayout: settings.channelLayout, name: settings.name ?? "")
    switch settings.trackLayout {
    case .poly: return .audio([try movie.addAudioTrack(description)], settings)
    case .mono: return .audio(try movie.addMonoAudioTracks(description), settings)
    }
  }

  // MARK: Samples

  /// Writes a frame for its slots.
  ///
  /// - Returns: The slots that it fills: 0 where it lies behind the session's end.
  func write(_ write: WriterState.VideoWrite, input: Int) throws(QuickTimeError) -> Int64 {
    guard case .video(let id, _, let description, _) = tracks[input], let movie,
      write.end > write.slot
    else { return 0 }
    let slots = write.end - write.slot
    try write.frame.withUnsafeBytes { bytes throws(QuickTimeError) in
      switch write.gapPolicy {
      case .repeatPreviousFrame:
        for _ in 0..<slots { try movie.appendVideo(bytes, to: id) }
      case .extendPreviousFrame:
        try movie.appendVideo(bytes, to: id, duration: slots * description.frameDuration)
      }
    }
    return slots
  }

  /// Writes a run of sound, silence first, but no more than `room` samples.
  ///
  /// - Returns: The samples written.
  func write(
    _ piece: AudioTrackState.Piece, input: Int, room: Int
  ) throws(QuickTimeError) -> Int {
    guard case .audio(let ids, let settings) = tracks[input] else { return 0 }
    let silent = min(piece.silence, room)
    try writeSilence(silent, ids, settings)
    let sounding = min(piece.buffer.frameCount - piece.skipped, room - silent)
    guard sounding > 0 else { return silent }
    let source = piece.buffer.format
    let range =
      piece.skipped * source.bytesPerFrame..<(piece.skipped + sounding) * source.bytesPerFrame
    if source.sampleFormat == settings.format.sampleFormat {
      try piece.buffer.bytes.withUnsafeBufferPointer { bytes throws(QuickTimeError) in
        try append(
          UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])), sounding, ids)
      }
    } else {
      PCMConversion.convert(
        piece.buffer.bytes[range], from: source.sampleFormat, to: settings.format.sampleFormat,
        into: &converted)
      try converted.withUnsafeBufferPointer { bytes throws(QuickTimeError) in
        try append(UnsafeRawBufferPointer(bytes), sounding, ids)
      }
    }
    return silent + sounding
  }

  private func writeSilence(
    _ count: Int, _ ids: [TrackID], _ settings: AudioOutputSettings
  ) throws(QuickTimeError) {
    let bytesPerFrame = settings.format.bytesPerFrame
    var left = count
    while left > 0 {
      let frames = min(left, settings.format.sampleRate)
      if silence.count < frames * bytesPerFrame {
        silence = [UInt8](repeating: 0, count: frames * bytesPerFrame)
      }
      try silence.withUnsafeBufferPointer { bytes throws(QuickTimeError) in
        let part = UnsafeBufferPointer(rebasing: bytes[..<(frames * bytesPerFrame)])
        try append(UnsafeRawBufferPointer(part), frames, ids)
      }
      left -= frames
    }
  }

  private func append(
    _ bytes: UnsafeRawBufferPointer, _ frames: Int, _ ids: [TrackID]
  ) throws(QuickTimeError) {
    guard let movie, let first = ids.first else { return }
    if ids.count == 1 {
      try movie.appendAudio(bytes, frames: frames, to: first)
    } else {
      try movie.appendInterleavedAudio(bytes, frames: frames, toMonoTracks: ids)
    }
  }

  // MARK: End

  /// Makes a plain movie of the file.
  ///
  /// - Parameter end: The session's length, where it was ended: what lies behind it is cut off.
  func finish(end: MediaTime?) throws(QuickTimeError) -> MovieSummary {
    guard let movie else {
      throw QuickTimeError(.nothingRecorded, "\(file.name): no sample was recorded")
    }
    if let end { try cut(movie, at: end) }
    return try movie.finish()
  }

  /// Cuts tracks that were written further than the session goes, by their edit lists.
  private func cut(_ movie: MovieWriter, at end: MediaTime) throws(QuickTimeError) {
    for entry in tracks {
      switch entry {
      case .none: break
      case .video(let id, let timecode, let description, let delay):
        let start = description.frameRate.time(ofFrame: delay)
        guard let slots = description.frameRate.frameIndex(nearest: end - start) else { break }
        let length = description.frameRate.time(ofFrame: max(slots, 0))
        guard try movie.duration(of: id) > length else { break }
        for track in [id] + (timecode.map { [$0] } ?? []) {
          try movie.setEdits(
            (delay > 0 ? [MovieEdit(mediaTime: nil, duration: start)] : [])
              + [MovieEdit(mediaTime: 0, duration: length)], for: track)
        }
      case .audio(let ids, let settings):
        let length = end.converted(toTimescale: Int32(clamping: settings.format.sampleRate))
        for id in ids where try movie.duration(of: id) > length {
          try movie.setEdits([MovieEdit(mediaTime: 0, duration: length)], for: id)
        }
      }
    }
  }

  /// Saves what is whole after an error. Where nothing is, the file is removed.
  ///
  /// - Returns: True where the file is a complete movie.
  func rescue() -> Bool {
    guard let movie else {
      remove()
      return false
    }
    do throws(QuickTimeError) {
      if movie.state == .writing {
        _ = try movie.finish()
      } else {
        _ = try movie.finishAfterFailure()
      }
      return true
    } catch {
      // Fragments that cannot be finished now can be recovered later; an empty file is of no use.
      if error.code == .nothingRecorded { movie.cancel() }
      return false
    }
  }

  /// Removes the file.
  func remove() {
    if let movie {
      movie.cancel()
    } else {
      try? file.remove()
      try? file.close()
    }
  }
}
