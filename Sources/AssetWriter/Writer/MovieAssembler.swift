import MediaCore
import QuickTime

/// A segment's movie file as the writing thread sees it: an input's tracks, and where they begin and
/// end.
final class MovieAssembler: SegmentMovie {
  let file: any MovieFile
  /// Its first frame's address; nil without a timecode track.
  private(set) var startTimecode: Timecode?
  private(set) var movie: MovieWriter?
  private var tracks: [AssembledTracks] = []
  /// The tracks of facts with their times, of captions and of timecode; nil for one that the movie cannot have.
  private var data: [TrackID?] = []
  /// What another program did to the file, as far as noticed; nil for nothing.
  var fileChange: MovieFileChange?
  /// What is only known at the end: a change since the last look, or a file that could not be restored.
  var lastChange: SegmentFileChange?
  /// What a movie that could not be finished holds, for recovery; nil where there is nothing.
  private(set) var remainder: MovieSummary?
  /// Copies that were given up by the last look.
  var lostCopies = LostCopies()
  var isNameErrorReported = false
  /// Fragments at the last look at the file's name.
  var fragmentsSeen = 0
  private var converted: [UInt8] = []
  private var silence: [UInt8] = []

  init(file: any MovieFile) { self.file = file }

  /// Bytes that the file would have if it were finished now.
  var projectedFileSize: Int64 { Int64(clamping: movie?.projectedFileSize ?? 0) }

  /// Frames of an input that were handed over and are not in the file yet.
  func pendingFrameCount(of input: Int) -> Int {
    guard let movie, tracks.indices.contains(input), case .video(let video) = tracks[input]
    else { return 0 }
    return movie.pendingFrameCount(of: video.id)
  }

  // MARK: Beginning

  /// Adds the tracks and writes the beginning of the file.
  func open(_ setup: MovieSetup, telling space: ReservedSpace) throws(QuickTimeError) {
    var configuration = setup.writerConfiguration
    configuration.reservedSpace = space
    let movie = try MovieWriter(file: file, configuration: configuration)
    self.movie = movie
    var timecode = setup.timecode
    for track in setup.tracks {
      switch track {
      case .none: tracks.append(.none)
      case .video(let video):
        let rate = video.description.frameRate
        let address = timecode.flatMap { $0.format.frameRate == rate ? $0 : nil }
        if address != nil { timecode = nil }
        tracks.append(
          try addVideo(
            video.description, first: video.first, from: video.start, address: address,
            reel: setup.configuration.reelName, to: movie))
      case .audio(let settings, let start):
        let ids = try addAudio(settings, to: movie)
        tracks.append(.audio(.init(ids: ids, settings: settings, start: start)))
      }
    }
    for content in setup.data { data.append(try addData(content, to: movie)) }
    try movie.start()
  }

  /// Adds a video track, with the timecode that belongs to it.
  ///
  /// - Parameters:
  ///   - first: The slot of the take's first frame.
  ///   - start: The movie's first slot.
  ///   - address: The first frame's address; nil where the timecode is another track's, or none.
  private func addVideo(
    _ description: VideoTrackDescription, first: Int64, from start: Int64, address: Timecode?,
    reel: String, to movie: MovieWriter
  ) throws(QuickTimeError) -> AssembledTracks {
    let id = try movie.addVideoTrack(description)
    let delay = max(first - start, 0)
    var timecodeTrack: TrackID?
    if let address = address?.advanced(by: max(start - first, 0)) {
      timecodeTrack = try movie.addTimecodeTrack(
        TimecodeTrackDescription(start: address, reelName: reel), for: id)
      startTimecode = address
    }
    if delay > 0 {
      let time = description.frameRate.time(ofFrame: delay)
      for track in [id, timecodeTrack].compactMap(\.self) {
        try movie.delayStart(of: track, by: time)
      }
    }
    return .video(
      .init(
        id: id, timecode: timecodeTrack, description: description, start: start, delay: delay))
  }

  /// Adds a track about the first video track, or, for metadata, about audio; nil without that.
  private func addData(
    _ content: DataQueue.Content, to movie: MovieWriter
  ) throws(QuickTimeError) -> TrackID? {
    switch content {
    case .metadata(let keys):
      guard let described = firstVideo ?? firstAudio else { return nil }
      return try movie.addMetadataTrack(keys, for: described)
    case .captions:
      guard let firstVideo else { return nil }
      return try movie.addCaptionTrack(for: firstVideo)
    case .timecode(let format):
      guard let firstVideo else { return nil }
      return try movie.addTimecodeTrack(countedAs: format, for: firstVideo)
    }
  }

  private func addAudio(
    _ settings: AudioOutputSettings, to movie: MovieWriter
  ) throws(QuickTimeError) -> [TrackID] {
    var description = AudioTrackDescription(
      format: settings.format, channelLayout: settings.channelLayout, name: settings.name ?? "")
    description.language = settings.language
    switch settings.trackLayout {
    case .poly: return [try movie.addAudioTrack(description)]
    case .mono: return try movie.addMonoAudioTracks(description)
    }
  }

  // MARK: Samples

  /// Writes a frame for its slots; for none where it lies behind the session's end.
  ///
  /// - Parameter isCancelled: Asked during a long gap; true leaves the rest out.
  func write(
    _ write: WriterState.VideoWrite, input: Int, isCancelled: () -> Bool
  ) throws(QuickTimeError) {
    guard case .video(let video) = tracks[input], let movie, write.end > write.slot else { return }
    let (id, frameDuration) = (video.id, video.description.frameDuration)
    let slots = write.end - write.slot
    let sum = write.frame.checksum
    try write.frame.withUnsafeBytes { bytes throws(QuickTimeError) in
      switch write.gapPolicy {
      case .repeatPreviousFrame:
        for slot in 0..<slots {
          if slot % 64 == 63, isCancelled() { return }
          try movie.appendVideo(bytes, to: id, checksum: sum)
        }
      case .extendPreviousFrame:
        // A frame that lasts longer than 32 bits count, most of a day, is written again.
        let most = Int64(UInt32.max) / frameDuration
        for first in stride(from: 0, to: slots, by: Int(clamping: most)) {
          let length = min(slots - first, most)
          try movie.appendVideo(bytes, to: id, duration: length * frameDuration, checksum: sum)
        }
      }
    }
  }

  /// Writes a run of audio, silence first, but at most `room` samples.
  ///
  /// - Returns: The samples written.
  func write(
    _ piece: AudioTrackState.Piece, input: Int, room: Int, isCancelled: () -> Bool
  ) throws(QuickTimeError) -> Int {
    guard case .audio(let audio) = tracks[input] else { return 0 }
    let (ids, settings) = (audio.ids, audio.settings)
    let silent = min(piece.silence, room)
    try writeSilence(silent, ids, settings, isCancelled)
    let audible = min(piece.buffer.frameCount - piece.skipped, room - silent)
    guard audible > 0 else { return silent }
    let source = piece.buffer.format
    let range =
      piece.skipped * source.bytesPerFrame..<(piece.skipped + audible) * source.bytesPerFrame
    if source.sampleFormat == settings.format.sampleFormat {
      try piece.buffer.bytes.withUnsafeBufferPointer { bytes throws(QuickTimeError) in
        try append(
          UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[range])), audible, ids)
      }
    } else {
      PCMConversion.convert(
        piece.buffer.bytes[range], from: source.sampleFormat, to: settings.format.sampleFormat,
        into: &converted)
      try converted.withUnsafeBufferPointer { bytes throws(QuickTimeError) in
        try append(UnsafeRawBufferPointer(bytes), audible, ids)
      }
    }
    return silent + audible
  }

  private func writeSilence(
    _ count: Int, _ ids: [TrackID], _ settings: AudioOutputSettings, _ isCancelled: () -> Bool
  ) throws(QuickTimeError) {
    let bytesPerFrame = settings.format.bytesPerFrame
    var left = count
    while left > 0, !isCancelled() {
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

  func write(_ write: DataQueue.Write) throws(QuickTimeError) {
    guard let movie, data.indices.contains(write.track), let track = data[write.track] else {
      return
    }
    let sample = write.sample
    switch (sample.value, write.content) {
    case (.facts(let values), .metadata(let keys)):
      try movie.appendMetadata(
        TimedMetadataTrack.Sample(start: sample.start, end: sample.end, values: values),
        keys: keys, to: track)
    case (.captions(let first, let second), _):
      try movie.appendCaptions(
        CaptionSample(start: sample.start, firstField: first, secondField: second), to: track)
    case (.frameNumber(let number), .timecode(let format)):
      try movie.appendTimecode(
        TimecodeRun(start: sample.start, frameNumber: number), countedAs: format, to: track)
    default: break
    }
  }

  // MARK: End

  /// Makes a plain movie of the file.
  ///
  /// - Parameters:
  ///   - end: The session's length, where it was ended: what lies behind it is cut off.
  ///   - facts: What comes with the end of the movie.
  func finish(
    end: MediaTime?, facts: MovieFacts
  ) throws(QuickTimeError) -> MovieSummary {
    guard let movie else {
      throw QuickTimeError(.nothingRecorded, "\(file.name): no sample was recorded")
    }
    if let end { try cut(movie, at: end) }
    try addChapters(facts, to: movie)
    let path = file.name
    let summary = try movie.finish()
    try settleFile(movie, path: path)
    noteHeld(summary)
    // Its memory is not needed any more: the take may go on for hours.
    self.movie = nil
    converted = []
    silence = []
    return summary
  }

  /// The first video track.
  private var firstVideo: TrackID? {
    tracks.lazy.compactMap { if case .video(let video) = $0 { video.id } else { nil } }.first
  }

  /// The first audio track.
  private var firstAudio: TrackID? {
    tracks.lazy.compactMap { if case .audio(let audio) = $0 { audio.ids.first } else { nil } }.first
  }

  /// Writes chapters, which belong to the first video track.
  private func addChapters(_ facts: MovieFacts, to movie: MovieWriter) throws(QuickTimeError) {
    guard let video = firstVideo, !facts.chapters.isEmpty else { return }
    try movie.addChapters(facts.chapters, for: video)
  }

  /// Cuts tracks that were written beyond the session's end: video by edit lists, audio to the sample.
  private func cut(_ movie: MovieWriter, at end: MediaTime) throws(QuickTimeError) {
    for (input, entry) in tracks.enumerated() {
      switch entry {
      case .none: break
      case .video(let video):
        let rate = video.description.frameRate
        guard let last = rate.frameIndex(nearest: end) else { break }
        let length = rate.time(ofFrame: max(last - video.start - video.delay, 0))
        guard try movie.duration(of: video.id) > length else { break }
        let gap =
          video.delay > 0
          ? [MovieEdit(mediaTime: nil, duration: rate.time(ofFrame: video.delay))] : []
        for track in [video.id, video.timecode].compactMap(\.self) {
          try movie.setEdits(gap + [MovieEdit(mediaTime: 0, duration: length)], for: track)
        }
      case .audio(let audio):
        let rate = Int32(clamping: audio.settings.format.sampleRate)
        let last = end.converted(toTimescale: rate)
        guard last.isNumeric else { break }
        for id in audio.ids {
          trimmedAudio[input] = try movie.endAudio(of: id, after: max(last.value - audio.start, 0))
        }
      }
    }
  }

  /// Saves what is whole after an error. Where nothing is, the file is removed.
  ///
  /// - Returns: What the movie holds where the file is a complete one; else nil.
  func rescue(_ facts: MovieFacts) -> MovieSummary? {
    guard let movie else {
      remove()
      return nil
    }
    let path = file.name
    do throws(QuickTimeError) {
      // Complete, and could not be restored: there is no file.
      if let error = movie.restoreError { throw error }
      if movie.state == .writing { try? addChapters(facts, to: movie) }
      let finished = movie.state == .writing ? try? movie.finish() : nil
      let saved: MovieSummary
      if let finished { saved = finished } else { saved = try movie.finishAfterFailure() }
      try settleFile(movie, path: path)
      noteHeld(saved)
      return saved
    } catch {
      // Fragments that cannot be finished now can be recovered later; an empty file is of no use, nor
      // is one whose tracks found no memory.
      if error.code == .nothingRecorded || movie.state == .configuring { remove() }
      if let change = movie.fileChange {
        fileChange = change
        if change != .moved { return nil }
      }
      if movie.state != .finished, !isRemoved {
        if let change = forgoName() { (fileChange, lastChange) = (.moved, change) }
        remainder = movie.fragmentSummary
        noteHeld(movie.fragmentSummary)
      }
      return nil
    }
  }

  private(set) var held: [Int: HeldMedia] = [:]
  /// Samples behind the session's end that an input has no more.
  private var trimmedAudio: [Int: Int64] = [:]

  private func noteHeld(_ summary: MovieSummary) {
    for (input, entry) in tracks.enumerated() {
      let ids = entry.mediaTracks
      let own = summary.tracks.filter { ids.contains($0.id) }
      held[input] = HeldMedia(
        samples: own.first?.sampleCount ?? 0,
        bytes: own.reduce(0) { $0 + Int64(clamping: $1.byteCount) },
        samplesTrimmed: trimmedAudio[input] ?? 0)
    }
  }

  /// True where the file was removed.
  private(set) var isRemoved = false

  /// Removes the file.
  func remove() {
    isRemoved = true
    if let movie {
      movie.cancel()
    } else {
      try? file.remove()
      try? file.close()
    }
  }
}
