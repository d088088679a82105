package import MediaCore
import Synchronization

/// The gains of a connection's channels.
package final class ConnectionGains: Sendable {
  /// What was asked of one channel.
  package struct Gain: Sendable, Hashable {
    /// False for silence.
    package var isEnabled = true
    /// From 0 for silence to 1 for as loud as it comes.
    package var volume: Float = 1
    var factor: Float { isEnabled ? volume : 0 }
  }

  /// True once anything but the full volume was asked for.
  private let isUsed = Atomic(false)
  private let gains = Mutex<[Int: Gain]>([:])

  /// All channels as loud as they come.
  package init() {}

  /// What was asked of a channel, from 0.
  package subscript(channel: Int) -> Gain { gains.withLock { $0[channel] ?? Gain() } }

  /// Asks for something else of a channel.
  package func change(_ channel: Int, _ body: (inout Gain) -> Void) {
    gains.withLock { body(&$0[channel, default: Gain()]) }
    isUsed.store(true, ordering: .releasing)
  }

  /// A run of audio with the requested gain applied.
  package func applied(to sample: SampleBuffer) -> SampleBuffer {
    guard isUsed.load(ordering: .acquiring), let audio = sample.audioBuffer else { return sample }
    let gains = gains.withLock { $0 }
    let factors = (0..<audio.format.channelCount).map { gains[$0]?.factor ?? 1 }
    guard factors.contains(where: { $0 != 1 }) else { return sample }
    let changed = audio.changed { Self.scale(&$0, audio.format, by: factors) }
    var result = SampleBuffer(
      .audio(changed), presentationTimeStamp: sample.presentationTimeStamp,
      duration: sample.duration, attachments: sample.attachments)
    result.notes = sample.notes
    return result
  }

  private static func scale(
    _ bytes: inout MutableSpan<UInt8>, _ format: AudioFormat, by factors: [Float]
  ) {
    let size = format.sampleFormat.byteCount
    for channel in factors.indices where factors[channel] != 1 {
      let factor = Double(factors[channel])
      var place = channel * size
      while place + size <= bytes.count {
        scale(&bytes, at: place, format.sampleFormat, by: factor)
        place += format.bytesPerFrame
      }
    }
  }

  /// Scales one little-endian sample.
  private static func scale(
    _ bytes: inout MutableSpan<UInt8>, at place: Int, _ format: AudioFormat.SampleFormat,
    by factor: Double
  ) {
    let size = format.byteCount
    if factor == 0 {
      // NaN and infinity would survive multiplication by 0.
      for byte in 0..<size { bytes[place + byte] = 0 }
      return
    }
    var code: UInt32 = 0
    for byte in 0..<size { code |= UInt32(bytes[place + byte]) << (8 * byte) }
    let scaled: UInt32
    if format == .float32 {
      scaled = (Float(bitPattern: code) * Float(factor)).bitPattern
    } else {
      // Up to the top and down again, for the sign.
      let unused = 32 - 8 * size
      let value = Int32(bitPattern: code << unused) >> unused
      scaled = UInt32(bitPattern: Int32((Double(value) * factor).rounded()))
    }
    for byte in 0..<size {
      bytes[place + byte] = UInt8(truncatingIfNeeded: scaled >> (8 * byte))
    }
  }
}
