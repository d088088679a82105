import MediaCore

/// Places the audio of a live source on the timeline of a recording.
///
/// The timeline consists of runs: from the first frame, or the first after a pause, to the last
/// before the next pause or the end. Audio is cut to the runs, to the sample; within a run it is a
/// ``AudioFlow``.
struct AudioAligner {
  /// A span in which frames were recorded.
  struct Run: Sendable {
    /// Where the source's instants lie.
    var timeline: SourceTimeline
    /// Its place in the file, in samples.
    var fileStart: Int64
    /// The first sample after it; nil while it goes on.
    var fileEnd: Int64?
  }

  /// Audio at its place in the file.
  struct Piece: Sendable {
    var position: Int64
    var buffer: AudioBuffer
    /// Samples at its beginning that stand for lost ones.
    var silence = 0
  }

  /// Audio that waits for its run.
  private struct Waiting {
    var buffer: AudioBuffer
    var time: MediaTime
    var precedingLoss: Int
  }

  /// Seconds of audio that wait for a frame.
  static let longestWait = 2.0

  let format: AudioFormat
  private var rate: Int { format.sampleRate }
  private var runs: [Run] = []
  private var waiting: [Waiting] = []
  private var waitingFrames = 0
  private var flow: AudioFlow
  /// The end of the audio in the file, in samples.
  private(set) var position: Int64 = 0
  /// Samples that belong to no run, or overlap earlier ones.
  private(set) var trimmed: Int64 = 0

  init(format: AudioFormat) {
    self.format = format
    flow = AudioFlow(format: format)
  }

  /// Seconds by which timestamps are ahead of the samples, averaged.
  var deviation: Double { flow.deviation }
  /// Samples that are missing between two others.
  var missing: Int64 { flow.missing }
  /// By how much the audio clock is fast, in millionths; nil while the difference is too small to matter.
  var clockError: Double? { flow.clockError }

  /// Begins a run, and places audio that came before its first frame.
  mutating func begin(sourceStart: MediaTime, fileStart: Int64) -> [Piece] {
    let place = MediaTime(value: fileStart, timescale: Int32(clamping: rate))
    runs.append(
      Run(timeline: SourceTimeline(instant: sourceStart, place: place), fileStart: fileStart))
    return replay()
  }

  /// The frames of the present run report anew where the source's instants lie.
  mutating func follow(_ timeline: SourceTimeline) {
    guard let last = runs.indices.last, runs[last].fileEnd == nil else { return }
    runs[last].timeline = timeline
  }

  /// The present run ends before a sample of the file.
  mutating func end(fileEnd: Int64) {
    guard let last = runs.indices.last, runs[last].fileEnd == nil else { return }
    runs[last].fileEnd = fileEnd
  }

  /// True if the audio reaches the end of every run.
  var isComplete: Bool {
    guard let last = runs.last else { return true }
    return last.fileEnd.map { position >= $0 } ?? false
  }

  /// Places audio that arrived.
  mutating func push(
    _ buffer: AudioBuffer, at time: MediaTime, precedingLoss: Int = 0
  ) -> [Piece] {
    waiting.append(Waiting(buffer: buffer, time: time, precedingLoss: precedingLoss))
    waitingFrames += buffer.frameCount
    return replay()
  }

  /// Up to a second of silence from the end of the audio, in place of audio that will not arrive;
  /// nil if the audio reaches `end`.
  mutating func silence(upTo end: Int64) -> Piece? {
    let count = min(end - position, Int64(rate))
    guard count > 0, let buffer = AudioBuffer.silence(Int(count), format: format) else {
      return nil
    }
    defer { position += count }
    return Piece(position: position, buffer: buffer, silence: Int(count))
  }

  /// Places what waits, as far as the runs are known.
  private mutating func replay() -> [Piece] {
    var pieces: [Piece] = []
    while let first = waiting.first, let run = runs.first {
      let stamped =
        run.timeline.sample(at: first.time, rate: rate) ?? Double(flow.position ?? run.fileStart)
      let place = flow.start(ofStamped: stamped)
      if let end = run.fileEnd,
        place >= end || position >= end || isOfNextRun(first.time, stamped: stamped, end: end)
      {
        // The run is complete: later audio belongs to the next one.
        guard runs.count > 1 else { break }
        runs.removeFirst()
        flow.restart()
        continue
      }
      waiting.removeFirst()
      waitingFrames -= first.buffer.frameCount
      let placed = flow.place(
        first.buffer, stamped: stamped, precedingLoss: first.precedingLoss)
      pieces.append(contentsOf: placed.compactMap { cut($0, to: run) })
    }
    forgetOldest()
    return pieces
  }

  /// True for audio that is nearer to the next run's start than to the current one's end, for example if the
  /// source's time jumped back between them.
  private func isOfNextRun(_ time: MediaTime, stamped: Double, end: Int64) -> Bool {
    guard runs.count > 1, let next = runs[1].timeline.sample(at: time, rate: rate) else {
      return false
    }
    return (next - Double(runs[1].fileStart)).magnitude < (stamped - Double(end)).magnitude
  }

  /// The part of placed audio that lies within a run and after the audio that is there already.
  private mutating func cut(_ placed: AudioFlow.Placed, to run: Run) -> Piece? {
    let count = Int64(placed.buffer.frameCount)
    let start = max(placed.position, run.fileStart, position)
    let end = min(placed.position + count, run.fileEnd ?? .max)
    guard end > start else {
      trimmed += count
      return nil
    }
    trimmed += count - (end - start)
    position = end
    let range = Int(start - placed.position)..<Int(end - placed.position)
    guard let part = placed.buffer.frames(range) else { return nil }
    return Piece(
      position: start, buffer: part,
      silence: min(max(placed.silence - range.lowerBound, 0), range.count))
  }

  /// Discards audio that no frame claimed in time.
  private mutating func forgetOldest() {
    let limit = Int(Self.longestWait * Double(rate))
    while waitingFrames > limit, !waiting.isEmpty {
      let old = waiting.removeFirst()
      waitingFrames -= old.buffer.frameCount
      trimmed += Int64(old.buffer.frameCount)
    }
  }
}
