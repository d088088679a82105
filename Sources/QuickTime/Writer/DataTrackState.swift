import MediaCore

/// The samples of a metadata, caption or timecode track, on their way into fragments.
///
/// A sample lasts until the next one; an empty sample marks a time without data. Until more is known, the last one
/// in the file lasts as long as the track that it describes.
final class DataTrackState {
  /// What a track has, as its sample entry says.
  enum Content: Hashable {
    /// What the values of samples are called.
    case metadata([TimedMetadataTrack.Key])
    case captions
    /// How frames are counted.
    case timecode(TimecodeFormatDescription)
  }

  /// A sample, from when on it holds in the movie, in units of its track.
  struct Change {
    var start: Int64
    var bytes: [UInt8]
  }

  private struct Facts {
    var start: Int64
    /// Nil for until the next ones.
    var end: Int64?
    var bytes: [UInt8]
  }

  /// The place of the track that the samples are about.
  let described: Int
  /// Units a second.
  let timescale: Int32
  private(set) var content: Content
  /// True where the file says something else of the track so far.
  private(set) var hasNewEntry = false
  /// Samples that no fragment has, in order of time.
  private var waiting: [Facts] = []
  /// The most bytes that those will take in the file, with what its index says of them.
  private(set) var waitingBytes = 0
  /// What was handed out last, until its end is.
  private var current: Facts?
  /// The sample that was handed out last.
  private var last: Change?
  /// The start of what came last; nil before the first. A sample may have been handed out for a later
  /// time: the end of those facts.
  private(set) var lastStart: Int64?
  /// The captions, and the run of frame numbers, that came last.
  var lastCaptions: CaptionSample?
  var lastRun: TimecodeRun?

  private static func size(_ facts: Facts) -> Int { facts.bytes.count + nothing.count + 2 * 20 }

  /// A sample of no facts.
  static let nothing = MovieWriter.atom { $0.metadataSample([]) }
  /// A sample of no captions.
  private static let silence = MovieWriter.atom {
    $0.captionSample(CaptionSample(start: .zero, firstField: [], secondField: []))
  }
  /// How long a sample lasts at most.
  private static let longest = Int64(UInt32.max)

  init(_ content: Content, describing described: Int, timescale: Int32) {
    self.content = content
    self.described = described
    self.timescale = timescale
  }

  /// The sample entry.
  var entry: [UInt8] {
    MovieWriter.atom { writer in
      switch content {
      case .metadata(let keys): writer.metadataSampleEntry(keys)
      case .captions: writer.captionSampleEntry()
      case .timecode(let format): writer.timecodeSampleEntry(format)
      }
    }
  }

  /// Samples that the next fragment can have of what waits: each may follow upon nothing.
  var entryLimit: Int { 2 * waiting.count + 2 }

  /// Takes up what else the track has.
  func change(to content: Content) {
    guard content != self.content else { return }
    self.content = content
    hasNewEntry = true
  }

  /// The file says all of the track.
  func didTellEntry() { hasNewEntry = false }

  /// Takes what holds from a time on; samples of one time take the place of each other.
  func append(start: Int64, end: Int64?, bytes: [UInt8]) {
    lastStart = start
    // A moment's facts hold for a unit at least.
    let facts = Facts(start: start, end: end.map { max($0, start + 1) }, bytes: bytes)
    waiting.append(facts)
    waitingBytes += Self.size(facts)
  }

  /// The samples that begin before a time, in order.
  func changes(before time: Int64) -> [Change] {
    guard time > 0 else { return [] }
    var changes: [Change] = []
    let due = waiting.prefix { $0.start < time }
    for facts in due {
      waitingBytes -= Self.size(facts)
      if let end = facts.end, end <= 0 { continue }
      end(before: facts.start, &changes)
      add(Change(start: max(facts.start, 0), bytes: facts.bytes), to: &changes)
      current = facts
    }
    waiting.removeFirst(due.count)
    end(before: time, &changes)
    lengthen(to: time, &changes)
    return changes
  }

  /// Says that nothing holds where the facts end before a time.
  private func end(before time: Int64, _ changes: inout [Change]) {
    guard let end = current?.end, end < time else { return }
    current = nil
    add(Change(start: end, bytes: Self.nothing), to: &changes)
  }

  private func add(_ change: Change, to changes: inout [Change]) {
    switch content {
    // An empty sample after an empty one is redundant.
    case .metadata:
      guard change.bytes != Self.nothing || last.map({ $0.bytes != Self.nothing }) ?? false else {
        return
      }
    // Decoders of captions have a sample for each moment.
    case .captions where last == nil && change.start > 0:
      changes.append(Change(start: 0, bytes: Self.silence))
      last = changes.last
    case .captions, .timecode: break
    }
    lengthen(to: change.start, &changes)
    if changes.last?.start == change.start { changes.removeLast() }
    changes.append(change)
    last = change
  }

  /// Has the last sample again where it would last longer than 32 bits count.
  private func lengthen(to time: Int64, _ changes: inout [Change]) {
    while let sample = last, time - sample.start > Self.longest {
      let again = goingOn(sample)
      changes.append(again)
      last = again
    }
  }

  /// The sample that goes on with another one that has lasted as long as one can. Frames are counted on, from a
  /// whole one.
  private func goingOn(_ sample: Change) -> Change {
    if case .timecode(let format) = content {
      let frame = format.frameDuration
      let units = Double(frame.value) * Double(timescale) / Double(frame.timescale)
      let frames = (Double(Self.longest) / units).rounded(.down)
      if frames >= 1, let counted = Int64(exactly: frames), sample.bytes.count == 4 {
        let number = Int32(bitPattern: sample.bytes.reduce(0) { $0 << 8 | UInt32($1) })
        let next = Int32(clamping: Int64(number).addingSaturating(counted))
        return Change(
          start: sample.start + Int64((frames * units).rounded(.down)),
          bytes: MovieWriter.atom { $0.int32(next) })
      }
    }
    return Change(start: sample.start + Self.longest, bytes: sample.bytes)
  }
}
