import AssetReader
import AssetWriter
import MediaCore

/// Takes an export's audio to the movie: places it on the video's timeline, maps its channels, and
/// adapts it to video that is shown faster or slower.
struct ExportAudioFeed {
  /// Audio for the writer, with its time on the source's clock.
  struct Piece {
    /// The index of the movie's audio track.
    var audio: Int
    var buffer: AudioBuffer
    var time: MediaTime
  }

  /// What is known from the source's first frame.
  private struct Beginning {
    /// The frame's time.
    var first: MediaTime
    /// The source time at which the movie begins.
    var start: MediaTime
    var timing: ExportTiming
    /// The range to export.
    var range: ChosenRange
  }

  private let reader: AssetReader
  private let audioTracks: [ExportAudio]
  /// The unit of the video's times.
  private let timeUnit: MediaTime
  /// Tracks whose audio has no gaps although its time stamps jitter.
  private let swinging: Set<AssetTrack.ID>
  /// Known from the source's first frame on.
  private var beginning: Beginning?
  /// Audio that comes before the first frame, which determines where the movie begins.
  private var waiting: [AssetSample] = []
  /// Audio of a part of the source whose video has not come yet.
  private var early: [AssetTrack.ID: [AssetSample]] = [:]
  /// How much earlier a track's audio is than its time stamps.
  private var corrections: [AssetTrack.ID: MediaTime] = [:]
  private var conformers: [Int: AudioConformer] = [:]
  /// Pieces still too short to pass on.
  private var gathering = AudioGathering()
  private var ready: [Piece] = []
  /// Samples per channel before the beginning of the movie but after the in point.
  private var samplesBefore: [AssetTrack.ID: Int] = [:]
  private var ends: [AssetTrack.ID: MediaTime] = [:]
  /// Clipped samples of the movie's audio tracks.
  private var excess: [Int: AudioExcess] = [:]
  /// The channel layout of each track.
  private var layouts: [AssetTrack.ID: LayoutChange] = [:]
  /// The number of packets that failed to decode.
  private var undecoded: [AssetTrack.ID: Int] = [:]
  /// Undecodable packets before the first frame, with their times.
  private var earlyUndecoded: [(track: AssetTrack.ID, times: ClosedRange<MediaTime>?)] = []

  /// Creates a feed for audio that accompanies a video track.
  init(_ audioTracks: [ExportAudio], of reader: AssetReader, with video: AssetTrack) {
    (self.reader, self.audioTracks, timeUnit) = (reader, audioTracks, video.timeUnit)
    // Vorbis blocks vary in length, but packets are time-stamped as if they did not.
    swinging = Set(reader.tracks.filter { $0.codecName == "vorbis" }.map(\.id))
  }

  /// Samples of a movie's audio track before the beginning of the movie but after the in point.
  func samplesBefore(ofAudio index: Int) -> Int {
    audioTracks.indices.contains(index) ? samplesBefore[audioTracks[index].trackID] ?? 0 : 0
  }

  /// The clipped samples of a movie's audio track.
  func excess(ofAudio index: Int) -> AudioExcess? { excess[index] }

  /// The layout change in a movie's audio track; nil if the source layout is unknown.
  func layoutChange(ofAudio index: Int) -> LayoutChange? {
    audioTracks.indices.contains(index) ? layouts[audioTracks[index].trackID] : nil
  }

  /// The number of undecodable packets missing from a movie's audio track.
  func undecodedCount(ofAudio index: Int) -> Int {
    audioTracks.indices.contains(index) ? undecoded[audioTracks[index].trackID] ?? 0 : 0
  }

  /// True if any packet failed to decode.
  var isDamaged: Bool { !undecoded.isEmpty }

  /// True if every track has reached a time.
  func hasCome(to time: MediaTime) -> Bool {
    audioTracks.allSatisfy { (ends[$0.trackID] ?? .negativeInfinity) >= time }
  }

  // MARK: What comes

  /// Starts with the source's first frame. Earlier audio is placed with ``takeWaiting(on:)``.
  mutating func begin(
    first: MediaTime, start: MediaTime, timing: ExportTiming, range: ChosenRange
  ) {
    beginning = Beginning(first: first, start: start, timing: timing, range: range)
    let early = earlyUndecoded
    earlyUndecoded = []
    for packet in early { noteUndecoded(of: packet.track, at: packet.times) }
  }

  /// Takes the next audio sample.
  mutating func take(_ sample: AssetSample, on timeline: inout SourceTimeline) throws {
    if let layout = sample.channelLayout, layouts[sample.trackID] == nil {
      layouts[sample.trackID] = LayoutChange(layout)
    }
    guard beginning != nil else { return waiting.append(sample) }
    try place(sample, on: &timeline, isLast: false)
  }

  /// Records an undecodable packet if it may be part of the movie.
  ///
  /// - Parameter times: Its time range on the video's timeline; nil if unknown.
  mutating func noteUndecoded(of track: AssetTrack.ID, at times: ClosedRange<MediaTime>?) {
    guard let range = beginning?.range else { return earlyUndecoded.append((track, times)) }
    if times.map(range.concerns) ?? true { undecoded[track, default: 0] += 1 }
  }

  /// Places the audio that came before the first frame.
  mutating func takeWaiting(on timeline: inout SourceTimeline) throws {
    let before = waiting
    waiting = []
    for sample in before { try place(sample, on: &timeline, isLast: false) }
  }

  /// Places the audio that came before the video of its part of the source.
  ///
  /// - Parameter isLast: True if no more video comes.
  mutating func takeEarly(on timeline: inout SourceTimeline, isLast: Bool) throws {
    let samples = early
    if !isLast { early = [:] }
    for track in samples.keys.sorted() {
      for sample in samples[track] ?? [] { try place(sample, on: &timeline, isLast: isLast) }
    }
  }

  /// Flushes what is left after the last sample.
  mutating func finish() throws {
    for (audio, conformer) in conformers.sorted(by: { $0.key < $1.key }) {
      try give(conformer.finish(), audio)
    }
    try finishGathering()
  }

  /// Passes on short pieces that were waiting for more.
  mutating func finishGathering() throws(MediaCoreError) { ready += try gathering.finish() }

  /// Removes and returns the audio that is ready for the writer.
  ///
  /// - Parameter end: Where to cut audio, to the sample; nil for no cut.
  mutating func handOver(until end: MediaTime?) throws(MediaCoreError) -> [Piece] {
    defer { ready.removeAll() }
    guard let end else { return ready }
    var pieces: [Piece] = []
    for var piece in ready where piece.time < end {
      let format = piece.buffer.format
      let count = Self.samples(end - piece.time, format)
      if count < piece.buffer.frameCount {
        piece.buffer = try AudioBuffer(
          format: format, bytes: Array(piece.buffer.bytes.prefix(count * format.bytesPerFrame)))
      }
      if piece.buffer.frameCount > 0 { pieces.append(piece) }
    }
    return pieces
  }

  /// Samples per channel in a duration, rounded to the nearest.
  private static func samples(_ time: MediaTime, _ format: AudioFormat) -> Int {
    let count = time.converted(toTimescale: Int32(clamping: format.sampleRate))
    return count.isNumeric ? Int(max(count.value, 0)) : 0
  }

  // MARK: Its way

  private mutating func place(
    _ sample: AssetSample, on timeline: inout SourceTimeline, isLast: Bool
  ) throws {
    let id = sample.trackID
    guard let audio = sample.sampleBuffer.audioBuffer, let beginning else { return }
    // Audio after waiting audio must wait too.
    if !isLast, early[id]?.isEmpty == false {
      early[id, default: []].append(sample)
      return
    }
    let time = sample.sampleBuffer.presentationTimeStamp
    switch try timeline.place(
      audio, at: time - correction(id, from: time, beginning), track: id, isLast: isLast,
      swings: swinging.contains(id))
    {
    case .dropped: break
    case .early: early[id, default: []].append(sample)
    case .placed(let placed):
      let end = placed.time + placed.buffer.duration
      ends[id] = end
      let begin = max(placed.time, beginning.range.start ?? placed.time)
      samplesBefore[id, default: 0] += min(
        Self.samples(beginning.start - begin, placed.buffer.format), placed.buffer.frameCount)
      // It lies before the in point, and the writer that would cut it does not exist yet.
      guard end > beginning.start else { return }
      if let layout = sample.channelLayout, beginning.range.end.map({ placed.time < $0 }) ?? true {
        let time = beginning.timing.shown(placed.time - beginning.start)
        layouts[id]?.take(layout, at: time)
      }
      let trimmed = audio.frameCount - placed.buffer.frameCount
      for index in audioTracks.indices where audioTracks[index].trackID == id {
        takeClipped(
          sample.clipped, of: placed.buffer, at: placed.time - beginning.start,
          until: beginning.range.end.map { $0 - beginning.start }, behind: trimmed,
          channels: audioTracks[index].map?.channels, index)
        try give(placed, index, beginning)
      }
    }
  }

  /// Counts a run's clipped samples that become part of the movie.
  ///
  /// - Parameters:
  ///   - time: The run's start in the movie.
  ///   - end: The movie's end; nil for the end of the source.
  ///   - trimmed: Samples removed from the front of the run.
  ///   - channels: The channels used in the movie; nil for all.
  private mutating func takeClipped(
    _ clipped: [AudioExcess.Sample], of run: AudioBuffer, at time: MediaTime,
    until end: MediaTime?, behind trimmed: Int = 0, channels: [Int]? = nil, _ index: Int
  ) {
    guard !clipped.isEmpty else { return }
    let format = run.format
    let first = trimmed + Self.samples(.zero - time, format)
    let last = end.map { trimmed + Self.samples($0 - time, format) } ?? .max
    let own = clipped.filter { $0.frame >= first && $0.frame < last }
    for channel in channels ?? Array(0..<format.channelCount) {
      excess[index, default: AudioExcess()].add(own.lazy.filter { $0.channel == channel })
    }
  }

  private mutating func correction(
    _ id: AssetTrack.ID, from time: MediaTime, _ beginning: Beginning
  ) -> MediaTime {
    if let known = corrections[id] { return known }
    guard let audio = reader.tracks.first(where: { $0.id == id }) else { return .zero }
    let correction = EncoderDelay.correction(
      audio, from: time, to: beginning.first, unit: timeUnit)
    corrections[id] = correction
    return correction
  }

  private mutating func give(
    _ placed: SourceTimeline.PlacedAudio, _ index: Int, _ beginning: Beginning
  ) throws {
    let buffer = audioTracks[index].map?.mapped(placed.buffer) ?? placed.buffer
    guard let from = beginning.timing.sourceRate, let to = beginning.timing.shownRate, from != to
    else {
      ready += try gathering.take(Piece(audio: index, buffer: buffer, time: placed.time))
      return
    }
    let conformer: AudioConformer
    if let known = conformers[index] {
      conformer = known
    } else {
      conformer = try AudioConformer(
        format: buffer.format, from: from, to: to, name: reader.location.displayName)
      conformers[index] = conformer
    }
    try give(conformer.send(buffer, at: placed.time - beginning.start), index)
  }

  private mutating func give(_ outputs: [AudioConformer.Output], _ index: Int) throws {
    guard let beginning else { return }
    let start = beginning.start
    let end = beginning.range.end.map { beginning.timing.shown($0 - start) }
    for output in outputs {
      takeClipped(output.clipped, of: output.buffer, at: output.time, until: end, index)
      ready += try gathering.take(
        Piece(audio: index, buffer: output.buffer, time: start + output.time))
    }
  }
}
