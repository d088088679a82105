import MediaCore
import RecorderControl
import TakeReports

/// A recorder's state as subscribers receive it: a value for each address.
struct OSCFeedback: Sendable, Hashable {
  /// Addresses without the prefix, and their values, in the order in which they are sent.
  private(set) var values: [(end: String, argument: OSCMessage.Argument)] = []

  static func == (one: Self, other: Self) -> Bool { one.changes(since: other).isEmpty }

  func hash(into hasher: inout Hasher) {
    for value in values { hasher.combine(value.end) }
  }

  /// The reported free space in seconds; negative if unknown.
  private var room = -1.0

  /// For a recorder that cannot be reached; its earlier state no longer counts.
  init(away message: String) { self.init(state: "away", message: message, nil) }

  /// - Parameter before: The state reported before. The free space changes with every file that anybody writes, so
  ///   small changes do not count.
  init(_ status: RecorderStatus, after before: OSCFeedback? = nil) {
    self.init(state: status.state.rawValue, message: status.message, status, after: before)
  }

  private init(
    state: String, message: String?, _ status: RecorderStatus?, after before: OSCFeedback? = nil
  ) {
    let isRecording = status?.state == .recording
    let (progress, path) = (status?.progress, isRecording ? status?.take?.path ?? "" : "")
    let take = isRecording ? progress : nil
    // Between takes, the space is that for the next one.
    let left = progress?.worstCaseSecondsLeft ?? status?.disk?.worstCaseSecondsLeft
    room = left?.rounded(.down) ?? -1
    let step: Double = isRecording ? 1 : 10
    if let left, let before, before.room >= 0, abs(left - before.room) < step { room = before.room }
    func count(_ number: Int?) -> OSCMessage.Argument { .int(Int32(clamping: number ?? 0)) }
    func flag(_ isTrue: Bool?) -> OSCMessage.Argument { .int(isTrue == true ? 1 : 0) }
    values = [
      ("/state", .string(state)), ("/message", .string((message ?? "").withoutPaths)),
      ("/tally", flag(isRecording)), ("/paused", flag(status?.isPaused)),
      ("/take", .string(path.pathName)),
      ("/timecode", .string(progress?.timecode ?? "")),
      ("/elapsed", .float(Float(take?.duration ?? 0))), ("/dropped", count(take?.dropped)),
      ("/repeated", count(take?.repeated)), ("/damaged", count(take?.damaged)),
      ("/lostdisk", .int(Self.lostDisk(take))), ("/finishing", count(status?.takesFinishing)),
      ("/signal", flag(status?.source?.hasSignal)),
      ("/remaining", .float(Float(room))),
    ]
  }

  /// Which of a take's two disks is lost: 1 or 2; 0 for none.
  private static func lostDisk(_ progress: RecordingProgress?) -> Int32 {
    guard let place = progress?.lostPlace else { return 0 }
    return place.isSecond ? 2 : 1
  }

  /// The values that differ from those reported.
  func changes(since reported: OSCFeedback?) -> [(end: String, argument: OSCMessage.Argument)] {
    values.filter { value in
      reported?.values.first { $0.end == value.end }?.argument != value.argument
    }
  }
}
