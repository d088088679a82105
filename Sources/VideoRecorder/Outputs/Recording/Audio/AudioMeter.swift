import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The loudest sample of each channel.
struct AudioMeter: Sendable {
  /// Magnitudes from 0 to 1, a channel each.
  private(set) var peaks: [Double]

  init(channelCount: Int) { peaks = [Double](repeating: 0, count: max(channelCount, 1)) }

  /// Takes the samples of a buffer into account.
  mutating func measure(_ buffer: AudioBuffer) {
    let channels = buffer.format.channelCount
    guard channels == peaks.count else { return }
    let width = buffer.format.sampleFormat.byteCount
    var largest = [Int32](repeating: 0, count: channels)
    buffer.bytes.withUnsafeBytes { bytes in
      var offset = 0
      var channel = 0
      while offset + width <= bytes.count {
        // The two highest bytes are enough: a step of 1/32768 is 0.0003 dB near full scale.
        let low = UInt16(bytes[offset + width - 2])
        let high = UInt16(bytes[offset + width - 1])
        let sample = Int32(Int16(bitPattern: high << 8 | low))
        largest[channel] = max(largest[channel], sample.magnitudeClamped)
        offset += width
        channel = channel + 1 == channels ? 0 : channel + 1
      }
    }
    for channel in 0..<channels {
      peaks[channel] = max(peaks[channel], Double(largest[channel]) / 32_768)
    }
  }

  /// Starts again from silence.
  mutating func reset() { for channel in peaks.indices { peaks[channel] = 0 } }

  /// A magnitude in decibels below full scale; nil for silence.
  static func decibels(_ peak: Double) -> Double? { peak > 0 ? 20 * log10(peak) : nil }
}

extension Int32 {
  fileprivate var magnitudeClamped: Int32 { self < 0 ? -self : self }
}
