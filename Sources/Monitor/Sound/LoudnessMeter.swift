import CLoudness
public import MediaCore

/// Measures loudness by EBU R128 with libebur128.
///
/// Momentary and short-term loudness go on when the measurement begins anew.
///
/// Unchecked for libebur128's two states, which know no threads: a value that cannot be copied is used by one
/// thread at a time.
public struct LoudnessMeter: ~Copyable, @unchecked Sendable {
  /// Owned by this value alone.
  private let now: OpaquePointer
  private var all: OpaquePointer
  private let format: AudioFormat
  private let channels: Int
  private var frameCount: Int64 = 0
  private var lost = 0
  private var samples: [Int32] = []

  /// Why nothing can be measured here; nil where it can. The first call loads libebur128.
  public static var failure: String? {
    loudness_library_load().map { reason in
      "\(String(cString: loudness_library_name())) cannot be used: \(String(cString: reason)); "
        + "install libebur128-1"
    }
  }

  /// A meter for sound of a format, of whose sample format it takes any.
  ///
  /// - Returns: nil where ``failure`` says why, for a sample rate that is not from 16 Hz to 2.8 MHz, and
  ///   without memory.
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

  /// True for sound that this meter can go on with.
  public func fits(_ format: AudioFormat) -> Bool {
    (format.sampleRate, format.channelCount) == (self.format.sampleRate, self.format.channelCount)
  }

  /// Measures a run of sound, which ``fits(_:)``; another one is left out.
  ///
  /// - Parameters:
  ///   - buffer: The sound.
  ///   - isCounted: False to leave it out of all but momentary and short-term loudness.
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

  /// Frames of sound were lost.
  public mutating func lose(_ frames: Int) { lost = lost.addingSaturating(frames) }

  /// Begins anew with integrated loudness, loudness range and true peak.
  public mutating func restart() {
    guard
      let fresh = loudness_meter_make(loudness_of_all, UInt32(channels), UInt(format.sampleRate))
    else { return }
    loudness_meter_free(all)
    all = fresh
    (frameCount, lost) = (0, 0)
  }

  /// What was measured.
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

  /// The programme's channels, each sample at the top of 32 bits.
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

  /// The absolute gate of BS.1770, below which nothing counts.
  private static let gate = -70.0

  private static func loudness(_ value: Double) -> Double? {
    value >= gate ? rounded(value) : nil
  }

  /// To a hundredth.
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
