import MediaCore
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// How loud a channel of sound is, in decibels below full scale.
public struct SoundLevel: Sendable, Hashable {
  /// What silence is called.
  public static let silence: Float = -160
  /// The power of the last run of sound, ``silence`` to 0: of a sine it is 3 below its peak.
  public var average = SoundLevel.silence
  /// The loudest sample of the last second and a half, ``silence`` to 0.
  public var peakHold = SoundLevel.silence

  /// Silence.
  public init() {}

  init(average: Float, peakHold: Float) { (self.average, self.peakHold) = (average, peakHold) }
}

/// The levels of a connection's channels, measured from the first time that they are asked for.
final class ConnectionLevels: Sendable {
  private struct Peak: Sendable {
    var magnitude = 0.0
    var time = MediaTime.zero
  }

  private struct State: Sendable {
    var levels: [SoundLevel] = []
    var peaks: [Peak] = []
  }

  /// Seconds for which a peak is held.
  private static let hold = 1.5

  private let isAsked = Atomic(false)
  private let state = Mutex(State())

  /// The levels, a channel each; empty before any sound came since they were asked for first.
  var levels: [SoundLevel] {
    isAsked.store(true, ordering: .relaxed)
    return state.withLock { $0.levels }
  }

  /// Takes a run of sound into account, where anybody asks.
  func measure(_ sample: SampleBuffer) {
    guard isAsked.load(ordering: .relaxed), let sound = sample.audioBuffer, sound.frameCount > 0
    else { return }
    let channels = sound.format.channelCount
    let (powers, peaks) = Self.measure(sound)
    let now = sample.presentationTimeStamp
    state.withLock { state in
      if state.levels.count != channels {
        state.levels = Array(repeating: SoundLevel(), count: channels)
        state.peaks = Array(repeating: Peak(), count: channels)
      }
      for channel in 0..<channels {
        let isOld = !((now - state.peaks[channel].time).seconds.magnitude < Self.hold)
        if isOld || peaks[channel] >= state.peaks[channel].magnitude {
          state.peaks[channel] = Peak(magnitude: peaks[channel], time: now)
        }
        state.levels[channel] = SoundLevel(
          average: Self.decibels(powers[channel].squareRoot()),
          peakHold: Self.decibels(state.peaks[channel].magnitude))
      }
    }
  }

  private static func decibels(_ magnitude: Double) -> Float {
    magnitude > 0 ? max(Float(20 * log10(magnitude)), SoundLevel.silence) : SoundLevel.silence
  }

  /// Mean squares and largest magnitudes, full scale being 1.
  private static func measure(_ sound: AudioBuffer) -> (powers: [Double], peaks: [Double]) {
    let channels = sound.format.channelCount
    let width = sound.format.sampleFormat.byteCount
    var powers = [Double](repeating: 0, count: channels)
    var peaks = powers
    sound.bytes.withUnsafeBytes { bytes in
      var channel = 0
      for place in stride(from: 0, to: bytes.count - width + 1, by: width) {
        // Devices have whole numbers: the sample at the top of 32 bits.
        var word: UInt32 = 0
        for byte in 0..<width {
          word |= UInt32(bytes[place + byte]) << UInt32(8 * (4 - width + byte))
        }
        let sample = Double(Int32(bitPattern: word)) * 0x1p-31
        powers[channel] += sample * sample
        peaks[channel] = max(peaks[channel], abs(sample))
        channel = channel + 1 == channels ? 0 : channel + 1
      }
    }
    let count = Double(sound.frameCount)
    return (powers.map { $0 / count }, peaks)
  }
}
