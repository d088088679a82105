package import MediaCore

/// Keeps audio in place if its clock differs from that of its timestamps.
///
/// While timestamps and sample counts agree within the tolerance, on average, samples pass unchanged. After that the
/// audio is stretched, by at most ``DriftLoop/largestStretch``. Samples are never cut or doubled.
package struct DriftCompensation {
  /// Seconds over which the disagreement is averaged.
  private static let averaging = 0.5

  package let format: AudioFormat
  /// The average offset in seconds from its place beyond which audio is stretched.
  package var tolerance: Double
  /// Seconds by which times are ahead of the samples, averaged.
  package private(set) var deviation = 0.0
  private var loop = DriftLoop()
  private var stretcher: AudioStretcher?
  /// The last samples, for the stretcher to set in.
  private var past: AudioBuffer?

  package init(format: AudioFormat, tolerance: Double) {
    (self.format, self.tolerance) = (format, tolerance)
  }

  /// True once the audio is stretched.
  package var isStretching: Bool { stretcher != nil }
  /// By how much the audio clock is fast, in millionths; nil while the difference is too small to matter.
  package var clockError: Double? { stretcher == nil ? nil : -loop.rate * 1e6 }
  /// Samples that went in and have not come out yet.
  package var delay: Double { stretcher?.delay ?? 0 }

  /// Starts again after a gap. The measured clock difference is kept.
  package mutating func restart() {
    deviation = 0
    past = nil
    if stretcher != nil { stretcher = AudioStretcher(format) }
  }

  /// Stretches the next samples as needed; nil while the stretcher has no output yet.
  ///
  /// - Parameter error: The seconds by which the samples' time is ahead of the track's end, without ``delay``.
  package mutating func follow(_ buffer: AudioBuffer, error: Double) -> AudioBuffer? {
    let duration = Double(buffer.frameCount) / Double(format.sampleRate)
    deviation += (error - deviation) * min(duration / Self.averaging, 1)
    if stretcher == nil, let past, deviation.magnitude > tolerance {
      stretcher = AudioStretcher(format)
      stretcher?.begin(after: past)
    }
    remember(buffer)
    guard let stretcher else { return buffer }
    return stretcher.stretch(buffer, by: loop.stretch(for: error, over: duration))
  }

  /// Silence in place of lost samples, after the samples that the stretcher still holds. Nil if nothing is
  /// stretched, in which case the gap stays.
  package mutating func bridge(_ count: Int) -> AudioBuffer? {
    past = nil
    guard let stretcher, let silence = AudioBuffer.silence(count, format: format) else {
      return nil
    }
    return stretcher.stretch(silence, by: loop.rate)
  }

  /// Keeps the last samples once the stretcher may need them; audio that is in place is not copied.
  private mutating func remember(_ buffer: AudioBuffer) {
    guard stretcher == nil, deviation.magnitude > tolerance / 2 else {
      past = nil
      return
    }
    let count = AudioStretcher.history
    if buffer.frameCount >= count {
      past = buffer.frames(buffer.frameCount - count..<buffer.frameCount)
    } else if let past, let joined = past.joined(with: buffer) {
      self.past = joined.frames(max(joined.frameCount - count, 0)..<joined.frameCount)
    } else {
      past = buffer
    }
  }
}
