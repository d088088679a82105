import MediaCore

/// Lays the sound of a live source on the timeline of a recording.
///
/// The timeline consists of runs: from the first picture, or the first after a pause, to the last
/// before the next pause or the end. Sound is cut to the runs, to the sample. Within a run it flows
/// without a seam as long as its timestamps agree with the count of its samples.
struct AudioAligner: Sendable {
  /// A span in which pictures were recorded.
  struct Run: Sendable {
    /// The source's time of its first picture.
    var sourceStart: MediaTime
    /// Its place in the file, in samples.
    var fileStart: Int64
    /// The first sample after it; nil while it goes on.
    var fileEnd: Int64?
  }

  /// Sound at its place in the file.
  struct Piece: Sendable {
    var position: Int64
    var buffer: AudioBuffer
  }

  /// Seconds by which timestamps may disagree with the count of samples, on average.
  static let tolerance = 0.02
  /// Seconds by which a single timestamp may disagree.
  static let jump = 0.1
  /// Seconds of sound that wait for a picture.
  static let patience = 2.0

  let rate: Int
  private var runs: [Run] = []
  private var waiting: [(time: MediaTime, buffer: AudioBuffer)] = []
  private var waitingFrames = 0
  /// Where the sound in the file ends, in samples.
  private(set) var position: Int64 = 0
  /// Where the sound of the present run ends; nil at its start.
  private var runPosition: Int64?
  /// Seconds by which timestamps are ahead of the samples, smoothed.
  private(set) var deviation = 0.0
  /// Samples that belong to no run, or overlap what was there.
  private(set) var trimmed: Int64 = 0
  /// Samples that are missing between two others.
  private(set) var missing: Int64 = 0

  init(rate: Int) { self.rate = rate }

  /// A run begins; sound that came before its picture finds its place.
  mutating func begin(sourceStart: MediaTime, fileStart: Int64) -> [Piece] {
    runs.append(Run(sourceStart: sourceStart, fileStart: fileStart))
    return replay()
  }

  /// The present run ends before a sample of the file.
  mutating func end(fileEnd: Int64) {
    guard !runs.isEmpty, runs[runs.count - 1].fileEnd == nil else { return }
    runs[runs.count - 1].fileEnd = fileEnd
  }

  /// True where the sound reaches the end of every run.
  var isComplete: Bool {
    guard let last = runs.last else { return true }
    return last.fileEnd.map { position >= $0 } ?? false
  }

  /// Sound came.
  mutating func push(_ buffer: AudioBuffer, at time: MediaTime) -> [Piece] {
    waiting.append((time, buffer))
    waitingFrames += buffer.frameCount
    return replay()
  }

  /// Up to a second of silence from where the sound ends, for sound that will not come any more;
  /// nil where the sound reaches `end`.
  mutating func silence(upTo end: Int64, format: AudioFormat) -> Piece? {
    let count = min(end - position, Int64(rate))
    guard count > 0, let buffer = AudioBuffer.silence(Int(count), format: format) else {
      return nil
    }
    defer { position += count }
    return Piece(position: position, buffer: buffer)
  }

  /// Places what waits, as far as the runs are known.
  private mutating func replay() -> [Piece] {
    var pieces: [Piece] = []
    while let first = waiting.first, let run = runs.first {
      let mapped = place(first.time, in: run)
      if let end = run.fileEnd, mapped >= end || position >= end {
        // The run has all its sound: what comes belongs to the next one.
        guard runs.count > 1 else { break }
        runs.removeFirst()
        runPosition = nil
        deviation = 0
        continue
      }
      waiting.removeFirst()
      waitingFrames -= first.buffer.frameCount
      pieces.append(contentsOf: cut(first.buffer, at: mapped, to: run, time: first.time))
    }
    forgetOldest()
    return pieces
  }

  /// The sample of the file at which sound of a time belongs, by its timestamp and its count.
  private mutating func place(_ time: MediaTime, in run: Run) -> Int64 {
    let offset = (time - run.sourceStart).converted(toTimescale: Int32(clamping: rate))
    let stamped = run.fileStart + (offset.isNumeric ? offset.value : 0)
    guard let runPosition else { return stamped }
    let error = Double(stamped - runPosition) / Double(rate)
    let smoothed = deviation + (error - deviation) * 0.05
    if error.magnitude > Self.jump || smoothed.magnitude > Self.tolerance { return stamped }
    return runPosition
  }

  private mutating func cut(
    _ buffer: AudioBuffer, at mapped: Int64, to run: Run, time: MediaTime
  ) -> [Piece] {
    let offset = (time - run.sourceStart).converted(toTimescale: Int32(clamping: rate))
    if let runPosition, offset.isNumeric {
      let error = Double(run.fileStart + offset.value - runPosition) / Double(rate)
      deviation =
        mapped == runPosition ? deviation + (error - deviation) * 0.05 : 0
      if mapped > runPosition { missing += mapped - runPosition }
    }
    let count = Int64(buffer.frameCount)
    runPosition = max(runPosition ?? mapped, mapped + count)
    let start = max(mapped, run.fileStart, position)
    let end = min(mapped + count, run.fileEnd ?? .max)
    guard end > start else {
      trimmed += count
      return []
    }
    trimmed += count - (end - start)
    position = end
    guard let part = buffer.frames(Int(start - mapped)..<Int(end - mapped)) else { return [] }
    return [Piece(position: start, buffer: part)]
  }

  /// Sound that no picture claimed in time is let go.
  private mutating func forgetOldest() {
    let limit = Int(Self.patience * Double(rate))
    while waitingFrames > limit, !waiting.isEmpty {
      let old = waiting.removeFirst()
      waitingFrames -= old.buffer.frameCount
      trimmed += Int64(old.buffer.frameCount)
    }
  }
}

extension AudioBuffer {
  /// Some of the frames; all of them without a copy. Nil where the range is not in the buffer.
  func frames(_ range: Range<Int>) -> AudioBuffer? {
    if range == 0..<frameCount { return self }
    guard range.lowerBound >= 0, range.upperBound <= frameCount else { return nil }
    let width = format.bytesPerFrame
    return try? AudioBuffer(
      format: format,
      bytes: Array(bytes[range.lowerBound * width..<range.upperBound * width]))
  }

  /// Digital silence.
  static func silence(_ frames: Int, format: AudioFormat) -> AudioBuffer? {
    try? AudioBuffer(
      format: format, bytes: [UInt8](repeating: 0, count: frames * format.bytesPerFrame))
  }
}
