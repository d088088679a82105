import MediaCore
import QuickTime
import Takes
import VideoRecorder

extension RecordingSelection {
  /// Warns about a choice that may be unexpected.
  func warn() {
    if let standInReason {
      Console.note("TEST PATTERN: \(Remedies.spoken(standInReason))")
    }
    if !tier.isTrue10Bit422 {
      Console.note(
        "fallback: the input is tier \(tier.rawValue) (\(tier.displayName)), not 10-bit 4:2:2"
      )
    }
    let most = TimecodeTrackDescription.mostFramesPerSecond
    if let rate = frameRate, rate.nominalFramesPerSecond > most {
      Console.note(
        "no timecode: a movie's counts up to \(most) frames per second, the input has \(rate)")
    }
  }
}

extension SecondFolder {
  /// Warns that the folder is not on a second disk.
  func warn() {
    if let warning { Console.note("ONE DISK: \(warning)") }
  }
}
