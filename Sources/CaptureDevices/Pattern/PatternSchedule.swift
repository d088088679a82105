import MediaCore

/// When the pattern flashes and the tone beeps.
///
/// Frames of a rate start at its multiples since the zero of CLOCK_MONOTONIC, and a flash comes
/// with every `nominal` one: each second, or each 1.001 seconds at a rate of that family. Video
/// and audio thus meet without knowing of each other.
struct PatternSchedule: Hashable, Sendable {
  let frameRate: FrameRate
  /// How much faster than CLOCK_MONOTONIC the frames come, in millionths.
  var clockError = 0.0

  private var speed: Double { 1 + clockError * 1e-6 }

  /// Frames from a flash to the next one.
  var framesPerFlash: Int64 { Int64(frameRate.nominalFramesPerSecond) }
  /// Frames that a flash lasts: as near to a 25th of a second as the rate has it.
  var flashFrames: Int64 { max(framesPerFlash / 25, 1) }
  /// From a flash to the next one, by the count of frames.
  var flashPeriod: MediaTime { frameRate.frameDuration * framesPerFlash }
  /// From a flash to the next one on CLOCK_MONOTONIC, in seconds.
  var flashSeconds: Double { flashPeriod.seconds / speed }

  /// The first frame not before an instant.
  func frame(from nanoseconds: Int64) -> Int64 {
    guard clockError == 0 else {
      return Int64((Double(nanoseconds) * 1e-9 * frameRate.framesPerSecond * speed).rounded(.up))
    }
    let scaled = Int128(nanoseconds) * Int128(frameRate.numerator)
    let unit = Int128(frameRate.denominator) * 1_000_000_000
    return Int64(clamping: (scaled + unit - 1) / unit)
  }

  /// The number of frames from `next` on that are lost for want of a buffer, if none is taken before an instant: those
  /// that have become due, beyond the one that is delivered next and what the buffers hold.
  func framesLost(of next: Int64, at nanoseconds: Int64, buffers: Int) -> Int {
    max(Int(clamping: frame(from: nanoseconds) - 1 - next) - buffers, 0)
  }

  /// When a frame starts, on CLOCK_MONOTONIC.
  func time(ofFrame index: Int64) -> MediaTime {
    guard clockError != 0 else { return frameRate.time(ofFrame: index) }
    let seconds = Double(index) / (frameRate.framesPerSecond * speed)
    return MediaTime(value: Int64((seconds * 1e9).rounded()), timescale: 1_000_000_000)
  }

  /// Which frame after the last flash a frame is; 0 for the first of a flash.
  func position(ofFrame index: Int64) -> Int64 { index % framesPerFlash }
}
