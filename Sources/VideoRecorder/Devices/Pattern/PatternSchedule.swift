import MediaCore
import Synchronization

/// When the pattern flashes and the tone beeps.
///
/// Frames of a rate start at its multiples since the zero of CLOCK_MONOTONIC, and a flash comes
/// with every `nominal` one: each second, or each 1.001 seconds at a rate of that family. Picture
/// and sound thus meet without knowing of each other.
struct PatternSchedule: Hashable, Sendable {
  let frameRate: FrameRate

  /// Frames from a flash to the next one.
  var framesPerFlash: Int64 { Int64(frameRate.nominalFramesPerSecond) }
  /// Frames that a flash lasts: as near to a 25th of a second as the rate has it.
  var flashFrames: Int64 { max(framesPerFlash / 25, 1) }
  /// From a flash to the next one.
  var flashPeriod: MediaTime { frameRate.frameDuration * framesPerFlash }

  /// The first frame not before an instant.
  func frame(from nanoseconds: Int64) -> Int64 {
    let scaled = Int128(nanoseconds) * Int128(frameRate.numerator)
    let unit = Int128(frameRate.denominator) * 1_000_000_000
    return Int64(clamping: (scaled + unit - 1) / unit)
  }

  /// Which frame after the last flash a frame is; 0 for the first of a flash.
  func position(ofFrame index: Int64) -> Int64 { index % framesPerFlash }

  /// The rate of the pattern that runs now, so that a tone that starts beside it beeps in step.
  static let active = Mutex<FrameRate?>(nil)
}
