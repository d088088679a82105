import CFFmpeg
package import MediaCore

/// Stretches audio by some millionths, continuously: libswresample with a ratio that may change at
/// each run of samples.
///
/// Used by one thread at a time; its owner's lock guards it.
package final class AudioStretcher {
  /// Samples of the past that the filter is fed before it is heard, so that it sets in without a
  /// seam.
  package static let history = 256

  private let format: AudioFormat
  private var context: OpaquePointer?
  private var input: [Int32] = []
  private var output: [Int32] = []
  /// Samples that come out of the filter for the history's sake.
  private var unheard = 0

  /// A stretcher; nil where libswresample has no memory or refuses the format.
  package init?(_ format: AudioFormat) {
    guard
      let context = cffmpeg_audio_stretcher(
        Int32(clamping: format.channelCount), Int32(clamping: format.sampleRate))
    else { return nil }
    self.format = format
    self.context = context
  }

  deinit { swr_free(&context) }

  /// Samples that went in and have not come out yet.
  package var delay: Double {
    let fine: Int64 = 1000
    let base = Int64(format.sampleRate).multipliedSaturating(by: fine)
    return Double(swr_get_delay(context, base)) / Double(fine) - Double(unheard)
  }

  /// Primes the stretcher with earlier samples, without returning them.
  package func begin(after past: AudioBuffer) {
    unheard = past.frameCount
    _ = stretch(past, by: 0)
  }

  /// A run of audio, longer by the fraction `stretch` on average; nil if nothing comes out.
  package func stretch(_ buffer: AudioBuffer, by stretch: Double) -> AudioBuffer? {
    // The library counts whole samples more or less over a distance: a long one is a fine measure.
    let distance = format.sampleRate.multipliedSaturating(by: 1000)
    let more = Int32(saturating: (Double(distance) * stretch).rounded())
    guard swr_set_compensation(context, more, Int32(clamping: distance)) >= 0 else { return nil }
    PCMWords.load(buffer, into: &input)
    let channels = format.channelCount
    let room = buffer.frameCount + buffer.frameCount / 100 + 4 * Self.history
    if output.count < room * channels {
      output = [Int32](repeating: 0, count: room * channels)
    }
    let made = input.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { target in
        var from = source.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var to = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return Int(
          swr_convert(context, &to, Int32(room), &from, Int32(clamping: buffer.frameCount)))
      }
    }
    guard made > 0 else { return nil }
    let skipped = min(unheard, made)
    unheard -= skipped
    return PCMWords.store(output[skipped * channels..<made * channels], as: format)
  }
}

/// Samples of any depth as words of 32 bits.
enum PCMWords {
  static func load(_ buffer: AudioBuffer, into words: inout [Int32]) {
    var buffer = buffer
    if buffer.format.sampleFormat == .float32, let whole = buffer.stored(as: .int32) {
      buffer = whole
    }
    let width = buffer.format.sampleFormat.byteCount
    let count = buffer.bytes.count / width
    if words.count != count { words = [Int32](repeating: 0, count: count) }
    buffer.bytes.withUnsafeBytes { bytes in
      for index in 0..<count {
        var word: UInt32 = 0
        for byte in 0..<width { word |= UInt32(bytes[index * width + byte]) << (8 * byte) }
        words[index] = Int32(bitPattern: word << UInt32(32 - 8 * width))
      }
    }
  }

  /// The words at a format's depth, rounded; nil where there are none.
  static func store(_ words: ArraySlice<Int32>, as format: AudioFormat) -> AudioBuffer? {
    if format.sampleFormat == .float32 {
      var whole = format
      whole.sampleFormat = .int32
      return store(words, as: whole)?.stored(as: .float32)
    }
    let width = format.sampleFormat.byteCount
    let shift = Int32(32 - 8 * width)
    let half: Int64 = shift > 0 ? 1 << Int64(shift - 1) : 0
    let bytes = [UInt8](unsafeUninitializedCapacity: words.count * width) { target, count in
      var place = 0
      for word in words {
        let rounded = min(Int64(word) + half, Int64(Int32.max)) >> Int64(shift)
        for byte in 0..<width {
          target.initializeElement(
            at: place, to: UInt8(truncatingIfNeeded: rounded >> Int64(8 * byte)))
          place += 1
        }
      }
      count = place
    }
    guard !bytes.isEmpty else { return nil }
    return try? AudioBuffer(format: format, bytes: bytes)
  }
}
