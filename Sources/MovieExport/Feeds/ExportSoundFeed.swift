import AssetReader
import AssetWriter
import MediaCore

/// The sound of a conversion on its way to the movie: placed on the pictures' timeline, mapped, and brought to
/// the speed of pictures that are shown faster or slower.
struct ExportSoundFeed {
  /// Sound for the writer, at its time in the source's clock.
  struct Piece {
    /// Its place among the movie's tracks of sound.
    var sound: Int
    var buffer: AudioBuffer
    var time: MediaTime
  }

  /// What the source's first picture says.
  private struct Beginning {
    /// When that is shown.
    var first: MediaTime
    /// The source's time of the movie's beginning.
    var start: MediaTime
    var timing: ExportTiming
    /// The part that is wanted.
    var range: ChosenRange
  }

  private let reader: AssetReader
  private let sounds: [ExportSound]
  /// The unit of the pictures' times.
  private let timeUnit: MediaTime
  /// Tracks whose sound is without gaps while its times go to and fro.
  private let swinging: Set<AssetTrack.ID>
  /// Known with the source's first picture.
  private var beginning: Beginning?
  /// Sound that comes before the first picture, which says where the movie begins.
  private var waiting: [AssetSample] = []
  /// Sound of a part of the source whose pictures have not come yet.
  private var early: [AssetTrack.ID: [AssetSample]] = [:]
  /// How much earlier than its times say the sound of a track is.
  private var corrections: [AssetTrack.ID: MediaTime] = [:]
  private var conformers: [Int: SoundConformer] = [:]
  /// What is too short to be handed over yet.
  private var gathering = SoundGathering()
  private var ready: [Piece] = []
  /// Samples of each channel that lie before the movie's beginning, and behind the in point.
  private var samplesBefore: [AssetTrack.ID: Int] = [:]
  private var ends: [AssetTrack.ID: MediaTime] = [:]
  /// What was clipped of the movie's tracks of sound.
  private var excess: [Int: SoundExcess] = [:]
  /// What the channels of each track are.
  private var layouts: [AssetTrack.ID: LayoutChange] = [:]
  /// Packets that do not decode.
  private var undecoded: [AssetTrack.ID: Int] = [:]
  /// Those that came before the first picture, and their times.
  private var earlyUndecoded: [(track: AssetTrack.ID, times: ClosedRange<MediaTime>?)] = []

  /// The sound that goes with a track of pictures.
  init(_ sounds: [ExportSound], of reader: AssetReader, with pictures: AssetTrack) {
    (self.reader, self.sounds, timeUnit) = (reader, sounds, pictures.timeUnit)
    // Its blocks differ in length, and packets are dated as if they did not.
    swinging = Set(reader.tracks.filter { $0.codecName == "vorbis" }.map(\.id))
  }

  /// Samples that lie before the movie's beginning, and behind the in point, of the movie's track of sound.
  func samplesBefore(ofSound index: Int) -> Int {
    sounds.indices.contains(index) ? samplesBefore[sounds[index].trackID] ?? 0 : 0
  }

  /// What was clipped of the movie's track of sound.
  func excess(ofSound index: Int) -> SoundExcess? { excess[index] }

  /// What the channels of the movie's track of sound change to; nil where they stay what they are.
  func layoutChange(ofSound index: Int) -> LayoutChange? {
    sounds.indices.contains(index) ? layouts[sounds[index].trackID] : nil
  }

  /// Packets that do not decode and are missing, of the movie's track of sound.
  func undecodedCount(ofSound index: Int) -> Int {
    sounds.indices.contains(index) ? undecoded[sounds[index].trackID] ?? 0 : 0
  }

  /// True where some do not.
  var isDamaged: Bool { !undecoded.isEmpty }

  /// True where every track has come up to a time.
  func hasCome(to time: MediaTime) -> Bool {
    sounds.allSatisfy { (ends[$0.trackID] ?? .negativeInfinity) >= time }
  }

  // MARK: What comes

  /// The source's first picture is there. What came before it is placed with ``takeWaiting(on:)``.
  mutating func begin(
    first: MediaTime, start: MediaTime, timing: ExportTiming, range: ChosenRange
  ) {
    beginning = Beginning(first: first, start: start, timing: timing, range: range)
    let early = earlyUndecoded
    earlyUndecoded = []
    for packet in early { noteUndecoded(of: packet.track, at: packet.times) }
  }

  /// Takes the next sample.
  mutating func take(_ sample: AssetSample, on timeline: inout SourceTimeline) throws {
    if let layout = sample.channelLayout, layouts[sample.trackID] == nil {
      layouts[sample.trackID] = LayoutChange(layout)
    }
    guard beginning != nil else { return waiting.append(sample) }
    try place(sample, on: &timeline, isLast: false)
  }

  /// Notes a packet that does not decode, where it may be one of the movie's.
  ///
  /// - Parameter times: When it is heard, on the pictures' timeline; nil where that is not known.
  mutating func noteUndecoded(of track: AssetTrack.ID, at times: ClosedRange<MediaTime>?) {
    guard let range = beginning?.range else { return earlyUndecoded.append((track, times)) }
    if times.map(range.concerns) ?? true { undecoded[track, default: 0] += 1 }
  }

  /// Places what came before the first picture.
  mutating func takeWaiting(on timeline: inout SourceTimeline) throws {
    let before = waiting
    waiting = []
    for sample in before { try place(sample, on: &timeline, isLast: false) }
  }

  /// Places what came before the pictures of its part of the source.
  ///
  /// - Parameter isLast: True where no more pictures come.
  mutating func takeEarly(on timeline: inout SourceTimeline, isLast: Bool) throws {
    let samples = early
    if !isLast { early = [:] }
    for track in samples.keys.sorted() {
      for sample in samples[track] ?? [] { try place(sample, on: &timeline, isLast: isLast) }
    }
  }

  /// Brings out what is left behind the last sample.
  mutating func finish() throws {
    for (sound, conformer) in conformers.sorted(by: { $0.key < $1.key }) {
      try give(conformer.finish(), sound)
    }
    try finishGathering()
  }

  /// Lets short pieces go that wait for others.
  mutating func finishGathering() throws(MediaCoreError) { ready += try gathering.finish() }

  /// What is ready for the writer, which then is the writer's.
  ///
  /// - Parameter end: Where sound is cut to the sample; nil for nowhere.
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

  /// Samples of a channel in a time, to the nearest.
  private static func samples(_ time: MediaTime, _ format: AudioFormat) -> Int {
    let count = time.converted(toTimescale: Int32(clamping: format.sampleRate))
    return count.isNumeric ? Int(max(count.value, 0)) : 0
  }

  // MARK: Its way

  private mutating func place(
    _ sample: AssetSample, on timeline: inout SourceTimeline, isLast: Bool
  ) throws {
    let id = sample.trackID
    guard let sound = sample.sampleBuffer.audioBuffer, let beginning else { return }
    // What follows sound that waits waits too.
    if !isLast, early[id]?.isEmpty == false {
      early[id, default: []].append(sample)
      return
    }
    let time = sample.sampleBuffer.presentationTimeStamp
    switch try timeline.place(
      sound, at: time - correction(id, from: time, beginning), track: id, isLast: isLast,
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
      // Before the in point, and long before there is a writer to cut it.
      guard end > beginning.start else { return }
      if let layout = sample.channelLayout, beginning.range.end.map({ placed.time < $0 }) ?? true {
        let time = beginning.timing.shown(placed.time - beginning.start)
        layouts[id]?.take(layout, at: time)
      }
      let trimmed = sound.frameCount - placed.buffer.frameCount
      for index in sounds.indices where sounds[index].trackID == id {
        takeClipped(
          sample.clipped, of: placed.buffer, at: placed.time - beginning.start,
          until: beginning.range.end.map { $0 - beginning.start }, behind: trimmed,
          channels: sounds[index].map?.channels, index)
        try give(placed, index, beginning)
      }
    }
  }

  /// Counts what was clipped of a run and is the movie's.
  ///
  /// - Parameters:
  ///   - time: When the run begins, from the movie's beginning.
  ///   - end: Where the movie ends; nil for the source's end.
  ///   - trimmed: Samples that were before the run's.
  ///   - channels: Those that become the movie's; nil for all.
  private mutating func takeClipped(
    _ clipped: [SoundExcess.Sample], of run: AudioBuffer, at time: MediaTime,
    until end: MediaTime?, behind trimmed: Int = 0, channels: [Int]? = nil, _ index: Int
  ) {
    guard !clipped.isEmpty else { return }
    let format = run.format
    let first = trimmed + Self.samples(.zero - time, format)
    let last = end.map { trimmed + Self.samples($0 - time, format) } ?? .max
    let own = clipped.filter { $0.frame >= first && $0.frame < last }
    for channel in channels ?? Array(0..<format.channelCount) {
      excess[index, default: SoundExcess()].add(own.lazy.filter { $0.channel == channel })
    }
  }

  private mutating func correction(
    _ id: AssetTrack.ID, from time: MediaTime, _ beginning: Beginning
  ) -> MediaTime {
    if let known = corrections[id] { return known }
    guard let sound = reader.tracks.first(where: { $0.id == id }) else { return .zero }
    let correction = EncoderDelay.correction(
      sound, from: time, to: beginning.first, unit: timeUnit)
    corrections[id] = correction
    return correction
  }

  private mutating func give(
    _ placed: SourceTimeline.PlacedSound, _ index: Int, _ beginning: Beginning
  ) throws {
    let buffer = sounds[index].map?.mapped(placed.buffer) ?? placed.buffer
    guard let from = beginning.timing.sourceRate, let to = beginning.timing.shownRate, from != to
    else {
      ready += try gathering.take(Piece(sound: index, buffer: buffer, time: placed.time))
      return
    }
    let conformer: SoundConformer
    if let known = conformers[index] {
      conformer = known
    } else {
      conformer = try SoundConformer(
        format: buffer.format, from: from, to: to, name: reader.location.displayName)
      conformers[index] = conformer
    }
    try give(conformer.send(buffer, at: placed.time - beginning.start), index)
  }

  private mutating func give(_ outputs: [SoundConformer.Output], _ index: Int) throws {
    guard let beginning else { return }
    let start = beginning.start
    let end = beginning.range.end.map { beginning.timing.shown($0 - start) }
    for output in outputs {
      takeClipped(output.clipped, of: output.buffer, at: output.time, until: end, index)
      ready += try gathering.take(
        Piece(sound: index, buffer: output.buffer, time: start + output.time))
    }
  }
}
