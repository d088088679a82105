import MediaCore
import RecorderControl
import TakeReports

/// What subscribers are told of a recorder: a value for each address.
struct OSCFeedback: Sendable, Hashable {
  /// Ends of addresses with their values, in the order in which they are sent.
  private(set) var values: [(end: String, argument: OSCMessage.Argument)] = []

  static func == (one: Self, other: Self) -> Bool { one.changes(since: other).isEmpty }

  func hash(into hasher: inout Hasher) {
    for value in values { hasher.combine(value.end) }
  }

  /// Of a recorder that cannot be reached.
  static let away = OSCFeedback(state: "away", tally: 0)

  private init(state: String, tally: Int32) {
    values = [("/state", .string(state)), ("/tally", .int(tally))]
  }

  init(_ status: RecorderStatus) {
    let isRecording = status.state == .recording
    self.init(state: status.state.rawValue, tally: isRecording ? 1 : 0)
    let progress = status.progress
    let path = isRecording ? status.take?.path ?? "" : ""
    let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    values += [
      ("/take", .string(name)), ("/timecode", .string(progress?.timecode ?? "")),
      ("/elapsed", .float(Float(isRecording ? progress?.duration ?? 0 : 0))),
      ("/dropped", .int(Int32(clamping: isRecording ? progress?.dropped ?? 0 : 0))),
      ("/lostdisk", .int(Self.lostDisk(isRecording ? progress : nil))),
      ("/signal", .int(status.source?.hasSignal == true ? 1 : 0)),
    ]
    if let left = progress?.worstCaseSecondsLeft {
      values.append(("/remaining", .float(Float(left))))
    }
  }

  /// Which of a take's two disks is lost: 1 or 2; 0 for none.
  private static func lostDisk(_ progress: RecordingProgress?) -> Int32 {
    guard let place = progress?.lostPlace else { return 0 }
    return place.isSecond ? 2 : 1
  }

  /// What is different from what was told.
  func changes(since told: OSCFeedback?) -> [(end: String, argument: OSCMessage.Argument)] {
    values.filter { value in
      told?.values.first { $0.end == value.end }?.argument != value.argument
    }
  }
}
