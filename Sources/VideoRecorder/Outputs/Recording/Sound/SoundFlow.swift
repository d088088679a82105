import MediaCore

/// The sound of one source as it flows onto the timeline within a run.
///
/// Sound flows without a seam as long as its timestamps agree with the count of its samples. Where
/// they come to differ by more than a millisecond, the clocks of sound and pictures differ: from
/// then on the sound is stretched to stay in its place. Nothing is ever cut or doubled for it.
struct SoundFlow {
  /// Sound and where it belongs.
  struct Placed {
    var position: Int64
    var buffer: AudioBuffer
    /// Samples at its beginning that stand for lost ones.
    var silence = 0
  }

  /// Seconds by which sound may lie beside its place, on average, before it is stretched.
  static let tolerance = 0.001
  /// Seconds by which a single timestamp may disagree before the sound is placed anew.
  static let jump = 0.1
  /// Seconds over which the disagreement is averaged.
  private static let averaging = 0.5

  private let format: AudioFormat
  private var rate: Double { Double(format.sampleRate) }
  /// Where the sound ends; nil at the start of a run.
  private(set) var position: Int64?
  /// Seconds by which timestamps are ahead of the samples, averaged.
  private(set) var deviation = 0.0
  private var loop = DriftLoop()
  private var resampler: SoundResampler?
  /// The last samples, for the resampler to set in.
  private var past: AudioBuffer?
  /// Samples that are missing between two others.
  private(set) var missing: Int64 = 0

  init(format: AudioFormat) { self.format = format }

  /// True once the sound is stretched.
  var isStretched: Bool { resampler != nil }
  /// By how much the clock of the sound is fast against that of the pictures, in millionths; nil
  /// while that makes no difference.
  var clockError: Double? { resampler == nil ? nil : -loop.rate * 1e6 }

  /// Sound will be placed by its timestamp, as at the start. What is known of the clock is kept.
  mutating func restart() {
    position = nil
    deviation = 0
    past = nil
    if resampler != nil { resampler = SoundResampler(format) }
  }

  /// Gives sound its place.
  ///
  /// - Parameters:
  ///   - stamped: Where its timestamp puts it, in samples.
  ///   - precedingLoss: Samples that the device lost before it.
  mutating func place(_ buffer: AudioBuffer, stamped: Double, precedingLoss: Int = 0) -> [Placed] {
    guard let position else { return begin(buffer, at: stamped) }
    var placed: [Placed] = []
    var error = stamped - Double(position) - (resampler?.delay ?? 0)
    let loss = Double(precedingLoss)
    if precedingLoss > 0, (error - loss).magnitude < error.magnitude,
      loss < Self.jump * rate
    {
      placed = skip(precedingLoss)
      error -= loss
    }
    guard error.magnitude <= Self.jump * rate else {
      missing = missing.addingSaturating(max(0, Int64(saturating: error)))
      restart()
      return placed + begin(buffer, at: stamped)
    }
    return placed + flow(buffer, error: error / rate)
  }

  private mutating func begin(_ buffer: AudioBuffer, at stamped: Double) -> [Placed] {
    let start = Int64(saturating: stamped.rounded())
    position = start
    return flow(buffer, error: 0)
  }

  private mutating func flow(_ buffer: AudioBuffer, error: Double) -> [Placed] {
    guard let position else { return [] }
    let duration = Double(buffer.frameCount) / rate
    deviation += (error - deviation) * min(duration / Self.averaging, 1)
    if resampler == nil, deviation.magnitude > Self.tolerance { beginStretching() }
    remember(buffer)
    var heard: AudioBuffer? = buffer
    if let resampler {
      heard = resampler.stretch(buffer, by: loop.stretch(for: error, over: duration))
    }
    guard let heard else { return [] }
    self.position = position + Int64(heard.frameCount)
    return [Placed(position: position, buffer: heard)]
  }

  /// Leaves room for lost samples, exactly as many.
  private mutating func skip(_ count: Int) -> [Placed] {
    guard let position else { return [] }
    missing = missing.addingSaturating(Int64(count))
    guard let resampler else {
      self.position = position + Int64(count)
      past = nil
      return []
    }
    // The filter still holds sound from before the gap: it comes out with the silence.
    guard let silence = AudioBuffer.silence(count, format: format),
      let heard = resampler.stretch(silence, by: loop.rate)
    else { return [] }
    self.position = position + Int64(heard.frameCount)
    return [Placed(position: position, buffer: heard, silence: min(count, heard.frameCount))]
  }

  private mutating func beginStretching() {
    resampler = SoundResampler(format)
    if let past { resampler?.begin(after: past) }
  }

  /// Keeps the last samples until the resampler needs them.
  private mutating func remember(_ buffer: AudioBuffer) {
    guard resampler == nil else {
      past = nil
      return
    }
    let count = SoundResampler.history
    if buffer.frameCount >= count {
      past = buffer.frames(buffer.frameCount - count..<buffer.frameCount)
    } else if let past, let joined = past.joined(with: buffer) {
      self.past = joined.frames(max(joined.frameCount - count, 0)..<joined.frameCount)
    } else {
      past = buffer
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

  /// This sound and then another of the same format.
  func joined(with other: AudioBuffer) -> AudioBuffer? {
    guard other.format == format else { return nil }
    return try? AudioBuffer(format: format, bytes: bytes + other.bytes)
  }

  /// Digital silence.
  static func silence(_ frames: Int, format: AudioFormat) -> AudioBuffer? {
    try? AudioBuffer(
      format: format, bytes: [UInt8](repeating: 0, count: frames * format.bytesPerFrame))
  }
}
