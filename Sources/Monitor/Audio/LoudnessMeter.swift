import CLoudness
public import MediaCore

/// Measures loudness by EBU R128 with libebur128.
///
/// Momentary and short-term loudness continue across a restart of the measurement.
///
/// Unchecked because libebur128's two states do not lock. This value is their only owner and cannot
/// be copied; its mutating functions take exclusive access, and `read()` does not change the states.
public struct LoudnessMeter: ~Copyable, @unchecked Sendable {
  private let now: OpaquePointer
  private var all: OpaquePointer
  private let format: AudioFormat
  private let channels: Int
  private var frameCount: Int64 = 0
  private var lost = 0
  private var samples: [Int32] = []

  /// Why nothing can be measured; nil if it can. The first call loads libebur128.
  public static var failure: String? {
    loudness_library_load().map { reason in
      "\(String(cString: loudness_library_name())) cannot be used: \(String(cString: reason)); "
        + "install libebur128-1"
    }
  }

  /// A meter for audio of a format; any sample format is accepted.
  ///
  /// - Returns: Nil if ``failure`` is not nil, for a sample rate outside 16 Hz to 2.8 MHz, and if
  ///   memory runs out.
  public init?(_ format: AudioFormat) {
    guard format.channelCount > 0, format.sampleRate > 0 else { return nil }
    let channels = Loudness.channels(of: format.channelCount)
    func make(_ kind: loudness_kind) -> OpaquePointer? {
      loudness_meter_make(kind, UInt32(channels), UInt(format.sampleRate))
    }
    guard let now = make(loudness_of_now) else { return nil }
    guard let all = make(loudness_of_all) else {
      loudness_meter_free(now)
      return nil
    }
    (self.now, self.all) = (now, all)
    self.format = format
    self.channels = channels
  }

  deinit {
    loudness_meter_free(now)
    loudness_meter_free(all)
  }

  /// True for audio that this meter can continue with.
  public func fits(_ format: AudioFormat) -> Bool {
    (format.sampleRate, format.channelCount) == (self.format.sampleRate, self.format.channelCount)
  }

  /// Measures a run of audio. Audio that does not fit (``fits(_:)``) is ignored.
  ///
  /// - Parameters:
  ///   - buffer: The audio.
  ///   - isCounted: False to include it only in momentary and short-term loudness.
  public mutating func measure(_ buffer: AudioBuffer, isCounted: Bool = true) {
    guard fits(buffer.format) else { return }
    let frames = buffer.frameCount
    extract(buffer, frames)
    samples.withUnsafeBufferPointer { samples in
      _ = loudness_meter_add(now, samples.baseAddress, frames)
      if isCounted { _ = loudness_meter_add(all, samples.baseAddress, frames) }
    }
    if isCounted { frameCount += Int64(frames) }
  }

  /// Records the loss of audio frames.
  public mutating func lose(_ frames: Int) { lost = lost.addingSaturating(frames) }

  /// Restarts integrated loudness, loudness range and true peak.
  public mutating func restart() {
    guard
      let fresh = loudness_meter_make(loudness_of_all, UInt32(channels), UInt(format.sampleRate))
    else { return }
    loudness_meter_free(all)
    all = fresh
    (frameCount, lost) = (0, 0)
  }

  public func read() -> Loudness {
    var loudness = Loudness(
      channels: channels, seconds: Double(frameCount) / Double(format.sampleRate))
    loudness.momentary = Self.loudness(loudness_meter_momentary(now))
    loudness.shortTerm = Self.loudness(loudness_meter_short_term(now))
    loudness.integrated = Self.loudness(loudness_meter_integrated(all))
    if loudness.seconds >= 3 { loudness.range = Self.rounded(loudness_meter_range(all)) }
    loudness.truePeak = LevelMeter.decibels(loudness_meter_true_peak(all))
    loudness.lostFrames = lost > 0 ? lost : nil
    return loudness
  }

  /// Extracts the programme's channels, with each sample left-aligned in 32 bits.
  private mutating func extract(_ buffer: AudioBuffer, _ frames: Int) {
    let width = buffer.format.sampleFormat.byteCount
    let step = buffer.format.bytesPerFrame
    let channels = channels
    if samples.count < frames * channels {
      samples = [Int32](repeating: 0, count: frames * channels)
    }
    buffer.bytes.withUnsafeBytes { bytes in
      samples.withUnsafeMutableBufferPointer { samples in
        var target = 0
        for frame in 0..<frames {
          var place = frame &* step
          for _ in 0..<channels {
            var word: UInt32 = 0
            for byte in 0..<width {
              word |= UInt32(bytes[place &+ byte]) &<< UInt32(8 &* (byte &+ 4 &- width))
            }
            samples[target] = Int32(bitPattern: word)
            target &+= 1
            place &+= width
          }
        }
      }
    }
  }

  /// The absolute gate of BS.1770: quieter audio does not count.
  private static let gate = -70.0

  private static func loudness(_ value: Double) -> Double? {
    value >= gate ? rounded(value) : nil
  }

  /// Rounds to hundredths.
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
