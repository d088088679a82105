import CFFmpeg
package import MediaCore

/// Converts audio to another sample rate, channel count and depth with libswresample. If only the depth changes,
/// samples are rounded here.
///
/// Used by one thread at a time.
package final class AudioConverter {
  /// What it takes.
  package let source: AudioFormat
  /// What it gives.
  package let target: AudioFormat
  /// Nil where only the depth changes.
  private var context: OpaquePointer?
  private var input: [Int32] = []
  private var output: [Int32] = []
  /// Where the last sample ended.
  private var end: MediaTime?

  /// A converter; nil where there is no way from one number of channels to the other, or no memory.
  package init?(from source: AudioFormat, to target: AudioFormat) {
    (self.source, self.target) = (source, target)
    guard source.sampleRate != target.sampleRate || source.channelCount != target.channelCount
    else { return }
    guard
      let context = cffmpeg_audio_converter(
        Int32(clamping: source.channelCount), Int32(clamping: source.sampleRate),
        Int32(clamping: target.channelCount), Int32(clamping: target.sampleRate))
    else { return nil }
    self.context = context
  }

  deinit { swr_free(&context) }

  /// The converted samples, with the time at which they are heard; nil if there are none yet.
  package func convert(_ sample: SampleBuffer) -> SampleBuffer? {
    guard let audio = sample.audioBuffer else { return sample }
    // The output begins with samples that were held back before.
    let time = sample.presentationTimeStamp - delay
    end = sample.presentationTimeStamp + audio.duration
    return convert(audio).map {
      SampleBuffer(
        .audio($0), presentationTimeStamp: time, duration: $0.duration,
        attachments: sample.attachments)
    }
  }

  /// The samples that are left after the last call; nil for none.
  package func finishSamples() -> SampleBuffer? {
    guard let end else { return nil }
    self.end = nil
    let time = end - delay
    return finish().map {
      SampleBuffer(.audio($0), presentationTimeStamp: time, duration: $0.duration)
    }
  }

  /// The duration of audio that went in and has not come out yet.
  package var delay: MediaTime {
    guard let context else { return .zero }
    return MediaTime(value: swr_get_delay(context, 1_000_000_000), timescale: 1_000_000_000)
  }

  /// The converted samples; nil if there are none yet.
  package func convert(_ buffer: AudioBuffer) -> AudioBuffer? {
    guard context != nil else { return buffer.stored(as: target.sampleFormat) }
    PCMWords.load(buffer, into: &input)
    return input.withUnsafeBytes { give($0.baseAddress, count: buffer.frameCount) }
  }

  /// The samples that are left after the last call; nil for none.
  package func finish() -> AudioBuffer? {
    context == nil ? nil : give(nil, count: 0)
  }

  private func give(_ words: UnsafeRawPointer?, count: Int) -> AudioBuffer? {
    let channels = target.channelCount
    let room = Int(swr_get_out_samples(context, Int32(clamping: count)))
    guard room > 0 else { return nil }
    if output.count < room * channels { output = [Int32](repeating: 0, count: room * channels) }
    let made = output.withUnsafeMutableBytes { target in
      var from = words?.assumingMemoryBound(to: UInt8.self)
      var to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
      guard from != nil else {
        return Int(swr_convert(context, &to, Int32(room), nil, 0))
      }
      return Int(swr_convert(context, &to, Int32(room), &from, Int32(clamping: count)))
    }
    guard made > 0 else { return nil }
    return PCMWords.store(output[..<(made * channels)], as: target)
  }
}
