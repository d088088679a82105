import MediaCore

/// The state of an audio input while it is written: the position reached, and what waits.
struct AudioTrackState {
  /// Audio on its way to the file.
  struct Piece: Sendable {
    var buffer: AudioBuffer
    /// Frames of silence before the buffer, where the source had a gap.
    var silence: Int
    /// Frames at the buffer's start that are left out.
    var skipped: Int

    init(buffer: AudioBuffer, silence: Int, skipped: Int) {
      (self.buffer, self.silence, self.skipped) = (buffer, silence, skipped)
    }

    /// A buffer without its first frames, or without any where it is shorter.
    init(buffer: AudioBuffer, skipping count: Int64) {
      self.init(
        buffer: buffer, silence: 0, skipped: Int(min(count, Int64(buffer.frameCount))))
    }

    var frameCount: Int { silence + buffer.frameCount - skipped }

    /// What is left of it without its first frames.
    func dropping(_ count: Int) -> Piece {
      let silent = min(count, silence)
      return Piece(buffer: buffer, silence: silence - silent, skipped: skipped + count - silent)
    }
  }

  /// The longest pause of the audio in seconds; the movie has silence instead.
  private static let longestPause = 86_400.0
  /// Samples that are too far for any take: centuries.
  private static let furthest: UInt64 = 1 << 50

  let settings: AudioOutputSettings
  /// Frames that may wait.
  private let depth: Int
  /// Frames from before the take that may wait beyond the depth.
  var backlog: Int64 = 0
  var pieces = FIFO<Piece>()
  /// Frames from the session's start to the end of what was appended.
  var position: Int64 = 0
  /// Frames handed to the file.
  var written: Int64 = 0
  private var lastTime: MediaTime?
  /// Where the last buffer ends by its own time, in frames from the session's start; nil before the first.
  private var lastEnd: Int64?
  /// Nil before the second buffer, and if audio must stay exactly at its timestamps.
  private var drift: DriftCompensation?
  /// The frame from which buffers have followed each other.
  private var runStart: Int64 = 0
  var account = AudioAccount()
  /// What each movie was handed.
  private var handed: [Int: HandedMedia] = [:]

  init(settings: AudioOutputSettings, depth: Int) {
    self.settings = settings
    self.depth = depth
  }

  var rate: Int { settings.format.sampleRate }
  var isFull: Bool { position - written - backlog >= Int64(depth) }
  var headTime: Double { Double(written) / Double(rate) }
  var acceptedTime: Double { Double(position) / Double(rate) }

  /// Where a buffer begins by its time, in frames from the session's start.
  private func place(
    of time: MediaTime, start: MediaTime, maximumGap: Double
  ) throws(AssetWriterError) -> Int64 {
    let offset = (time - start).converted(toTimescale: Int32(clamping: rate))
    guard time.isNumeric, offset.isNumeric else {
      throw AssetWriterError(
        .invalidTime, "an audio buffer has the invalid time \(time); give it a numeric one")
    }
    if let lastTime, time <= lastTime {
      throw AssetWriterError(
        .timeNotIncreasing,
        "audio at \(Self.rounded(time.seconds)) s follows audio at "
          + "\(Self.rounded(lastTime.seconds)) s; append buffers in order of time")
    }
    let (gap, isTooFar) = offset.value.subtractingReportingOverflow(position)
    guard !isTooFar, gap.magnitude < Self.furthest else {
      throw AssetWriterError(
        .invalidTime,
        "an audio buffer at \(time) is too far from the previous one; append it on the clock of the "
          + "session's start")
    }
    // A clock that is not the session's shows at the first buffer; later ones may pause.
    let longest = lastEnd == nil ? maximumGap : max(maximumGap, Self.longestPause)
    guard Double(gap) <= longest * Double(rate) else {
      throw AssetWriterError(
        .invalidTime,
        "a gap of \(gap / Int64(rate)) s before the audio at \(Self.rounded(time.seconds)) s is "
          + "longer than \(longest) s; use the clock of the session's start")
    }
    return offset.value
  }

  /// The part of a buffer to write: nil if the stretcher has no output yet, zero frames if all are left out.
  ///
  /// The first buffer is placed to the sample. Later ones are contiguous as long as their times agree within the
  /// tolerance; if the audio clock is fast or slow, they are stretched before they exceed it.
  private mutating func piece(
    for buffer: AudioBuffer, at place: Int64
  ) throws(AssetWriterError) -> Piece? {
    let gap = place - position
    guard let lastEnd else {
      if gap >= 0 { return Piece(buffer: buffer, silence: Int(gap), skipped: 0) }
      return Piece(buffer: buffer, skipping: -gap)
    }
    let tolerance = settings.gapTolerance * Double(rate)
    if Double(gap.magnitude) <= tolerance {
      return followed(buffer, gap: gap).map { Piece(buffer: $0, silence: 0, skipped: 0) }
    }
    guard gap > 0 || Double(lastEnd - place) <= tolerance / 2 else {
      throw AssetWriterError(
        .timeNotIncreasing,
        "audio overlaps by \(Self.rounded(Double(-gap) * 1000 / Double(rate))) ms (\(-gap) "
          + "samples) \(Self.rounded(Double(place) / Double(rate))) s from the session's start; trim what "
          + "was appended already")
    }
    drift?.restart()
    runStart = place
    if gap > 0 { return Piece(buffer: buffer, silence: Int(gap), skipped: 0) }
    // Its clock is faster than audio can be stretched: surplus samples are dropped.
    return Piece(buffer: buffer, skipping: -gap)
  }

  /// A buffer that follows the one before, stretched where its clock has been found to differ; nil where
  /// nothing of it comes out yet.
  private mutating func followed(_ buffer: AudioBuffer, gap: Int64) -> AudioBuffer? {
    guard settings.gapTolerance > 0 else { return buffer }
    if drift?.format != buffer.format {
      drift = DriftCompensation(format: buffer.format, tolerance: .infinity)
    }
    // A step within the tolerance is joined, and stays. What a clock does takes longer.
    let seconds = Double(position - runStart) / Double(rate)
    let mayDrift = seconds * DriftLoop.largestStretch >= settings.gapTolerance
    drift?.tolerance = mayDrift ? settings.gapTolerance * 0.75 : .infinity
    let error = (Double(gap) - (drift?.delay ?? 0)) / Double(rate)
    defer { account.clockError = drift?.clockError ?? account.clockError }
    return drift?.follow(buffer, error: error)
  }

  /// A number of seconds or milliseconds, to the third decimal.
  private static func rounded(_ number: Double) -> Double { (number * 1000).rounded() / 1000 }

  /// Takes a buffer.
  ///
  /// - Throws: ``AssetWriterError/Code/formatMismatch``, ``AssetWriterError/Code/invalidTime``,
  ///   ``AssetWriterError/Code/timeNotIncreasing``.
  mutating func append(
    _ buffer: AudioBuffer, at time: MediaTime, start: MediaTime, maximumGap: Double, name: String
  ) throws(AssetWriterError) {
    let wanted = settings.format
    guard buffer.format.sampleRate == wanted.sampleRate,
      buffer.format.channelCount == wanted.channelCount
    else {
      throw AssetWriterError(
        .formatMismatch,
        "\(name) takes \(wanted.channelCount) channels at \(wanted.sampleRate) Hz, "
          + "not \(buffer.format.channelCount) at \(buffer.format.sampleRate); resample first")
    }
    let place = try place(of: time, start: start, maximumGap: maximumGap)
    let piece = try piece(for: buffer, at: place)
    lastTime = time
    // Audio before the session's start is cut: the next buffer need not continue it.
    if piece?.frameCount != 0 { lastEnd = place + Int64(buffer.frameCount) }
    guard let piece else {
      return account.didAppend(buffer.frameCount, trimmed: 0, waiting: Int(position - written))
    }
    guard piece.frameCount > 0 else {
      return account.didAppend(buffer.frameCount, trimmed: buffer.frameCount, waiting: 0)
    }
    position += Int64(piece.frameCount)
    pieces.append(piece)
    account.didAppend(
      buffer.frameCount, trimmed: piece.skipped, waiting: Int(position - written))
  }

  /// Notes that the piece at the head was written: the part of it that belongs to the segment, or all
  /// of it up to the session's end.
  mutating func didWrite(_ write: WriterState.AudioWrite, written count: Int) {
    _ = pieces.popFirst()
    account.didWrite(count, of: write.piece, bytesPerFrame: settings.format.bytesPerFrame)
    handed[write.segment, default: .init()].add(all: count, filled: min(write.piece.silence, count))
    if write.isDone {
      written += Int64(write.piece.frameCount)
      account.didTrim(write.piece, after: count)
    } else {
      pieces.prepend(write.piece.dropping(count))
      written += Int64(count)
    }
  }

  /// Books that a movie was removed.
  mutating func didRemove(segment: Int) {
    if let handed = handed.removeValue(forKey: segment) { account.didRemove(handed) }
  }

  /// Discards all that waits. The next buffer lies at `sample` or later, and follows no other.
  mutating func forget(before sample: Int64) {
    drop(before: position)
    position = max(position, sample)
    written = position
    drift?.restart()
    runStart = position
  }

  /// Drops what waits before a sample.
  mutating func drop(before first: Int64) {
    while written < first, let piece = pieces.popFirst() {
      let surplus = first - written
      if surplus < Int64(piece.frameCount) {
        pieces.prepend(piece.dropping(Int(surplus)))
        written = first
      } else {
        written += Int64(piece.frameCount)
      }
    }
  }
}
