import MediaCore
import Synchronization

/// Leaves out pictures that come sooner than asked for, so that there are at most so many a second.
///
/// A picture may come an eighth of the time too soon, as clocks of cameras do; the next one is due as if it had
/// not, and the mean rate is never above the one asked for.
struct FramePacing: Sendable {
  /// The least time from one picture to the next, in seconds; 0 for no limit.
  let least: Double
  private var due: Double?
  private var last = -Double.infinity

  /// - Parameter duration: What is no number, or 0 or less, stands for no limit.
  init(_ duration: CMTime) {
    least = duration.isNumeric ? max(duration.seconds, 0) : 0
  }

  /// True where a picture of a time is to be given.
  mutating func takes(_ time: CMTime) -> Bool {
    guard least > 0, time.isNumeric else { return true }
    let (now, slack) = (time.seconds, least / 8)
    // A clock that was set back begins anew.
    if let due, now >= last {
      guard now + slack >= due else { return false }
      self.due = max(due, now) + least
    } else {
      due = now + least
    }
    last = now
    return true
  }
}

/// The pacing of video data outputs, which have no place for it, by the objects.
enum FramePaces {
  private struct Pace: Sendable {
    weak var output: AVCaptureVideoDataOutput?
    var wanted: CMTime
    var pacing: FramePacing
  }

  private static let all = Mutex<[ObjectIdentifier: Pace]>([:])

  /// What was asked for; nil where nothing was.
  static func wanted(of output: AVCaptureVideoDataOutput) -> CMTime? {
    all.withLock { paces in
      paces[ObjectIdentifier(output)].flatMap { $0.output === output ? $0.wanted : nil }
    }
  }

  /// Asks for a least time between pictures.
  static func set(_ wanted: CMTime, of output: AVCaptureVideoDataOutput) {
    all.withLock { paces in
      paces = paces.filter { $0.value.output != nil }
      paces[ObjectIdentifier(output)] =
        wanted.isValid
        ? Pace(output: output, wanted: wanted, pacing: FramePacing(wanted)) : nil
    }
  }

  /// True where an output's picture of a time is to be given.
  static func takes(_ time: CMTime, of output: AVCaptureVideoDataOutput) -> Bool {
    let key = ObjectIdentifier(output)
    return all.withLock { paces in
      guard paces[key]?.output === output else { return true }
      return paces[key]?.pacing.takes(time) ?? true
    }
  }
}
