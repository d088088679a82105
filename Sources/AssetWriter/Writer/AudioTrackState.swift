import MediaCore

/// What is known of an audio input while it is written: where its sound has got to, and what waits.
struct AudioTrackState {
  /// Sound on its way to the file.
  struct Piece: Sendable {
    var buffer: AudioBuffer
    /// Frames of silence before the buffer, where the source had a gap.
    var silence: Int
    /// Frames at the buffer's start that are left out.
    var skipped: Int

    var frameCount: Int { silence + buffer.frameCount - skipped }

    /// What is left of it without its first frames.
    func dropping(_ count: Int) -> Piece {
      let silent = min(count, silence)
      return Piece(buffer: buffer, silence: silence - silent, skipped: skipped + count - silent)
    }
  }

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
  private var hasStarted = false
  var account = AudioAccount()

  init(settings: AudioOutputSettings, depth: Int) {
    self.settings = settings
    self.depth = depth
  }

  var rate: Int { settings.format.sampleRate }
  var isFull: Bool { position - written - backlog >= Int64(depth) }
  var headTime: Double { Double(written) / Double(rate) }
  var acceptedTime: Double { Double(position) / Double(rate) }

  /// What becomes of a buffer: nil where all of it lies before the session's start.
  ///
  /// The first buffer is placed to the sample; later ones follow each other without a seam as long
  /// as their times agree within the tolerance.
  private func piece(
    for buffer: AudioBuffer, at time: MediaTime, start: MediaTime, maximumGap: Double
  ) throws(AssetWriterError) -> Piece? {
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
        "an audio buffer at \(time) lies too far from the one before; append it on the clock of the "
          + "session's start")
    }
    guard Double(gap) <= maximumGap * Double(rate) else {
      throw AssetWriterError(
        .invalidTime,
        "a gap of \(gap / Int64(rate)) s before the audio at \(Self.rounded(time.seconds)) s is "
          + "longer than \(maximumGap) s; use the clock of the session's start")
    }
    guard hasStarted else {
      if gap >= 0 { return Piece(buffer: buffer, silence: Int(gap), skipped: 0) }
      let skipped = -gap
      guard skipped < Int64(buffer.frameCount) else { return nil }
      return Piece(buffer: buffer, silence: 0, skipped: Int(skipped))
    }
    let tolerance = settings.gapTolerance * Double(rate)
    if Double(gap.magnitude) <= tolerance {
      return Piece(buffer: buffer, silence: 0, skipped: 0)
    }
    guard gap > 0 else {
      throw AssetWriterError(
        .timeNotIncreasing,
        "audio overlaps by \(Self.rounded(Double(-gap) * 1000 / Double(rate))) ms (\(-gap) "
          + "samples) at \(Self.rounded(time.seconds)) s; trim what was appended already")
    }
    return Piece(buffer: buffer, silence: Int(gap), skipped: 0)
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
    let piece = try piece(for: buffer, at: time, start: start, maximumGap: maximumGap)
    lastTime = time
    guard let piece else {
      return account.didAppend(buffer.frameCount, trimmed: buffer.frameCount, waiting: 0)
    }
    hasStarted = true
    position += Int64(piece.frameCount)
    pieces.append(piece)
    account.didAppend(
      buffer.frameCount, trimmed: piece.skipped, waiting: Int(position - written))
  }

  /// Books that a piece at the head was written: the part of it that belongs to the segment, or all
  /// of it as far as the session goes.
  mutating func didWrite(_ write: WriterState.AudioWrite, written count: Int) {
    _ = pieces.popFirst()
    account.didWrite(count, of: write.piece, bytesPerFrame: settings.format.bytesPerFrame)
    if write.isDone {
      written += Int64(write.piece.frameCount)
      account.didTrim(write.piece, after: count)
    } else {
      pieces.prepend(write.piece.dropping(count))
      written += Int64(count)
    }
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
