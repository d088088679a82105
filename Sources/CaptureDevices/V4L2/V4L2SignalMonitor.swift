import CVideo4Linux
import SystemPackage

/// Watches the input of a stream for the loss, the return and the change of its signal.
///
/// Some drivers deliver filler frames without a signal and send no event, so the input's status
/// is polled now and then; the signal itself is queried when an event reports a change, and while
/// it is away.
struct V4L2SignalMonitor {
  /// What became of the signal.
  enum Change: Sendable, Hashable {
    case lost
    case restored
    case changed
  }

  /// The input in use; nil where the device has no notion of inputs.
  let input: Int?
  /// What the stream was set up for; nil for an input without digital timings.
  let timings: V4L2Timings?
  /// What the device was set to when the stream began.
  let format: V4L2FrameFormat
  /// True where the device tells of changes, so that the signal need not be asked each time.
  let hasEvents: Bool
  /// True while there is no signal.
  private(set) var isLost = false

  init(
    input: Int?, timings: V4L2Timings?, format: V4L2FrameFormat, hasEvents: Bool
  ) {
    self.input = input
    self.timings = timings
    self.format = format
    self.hasEvents = hasEvents
  }

  /// Asks the device; `afterEvent` where it said that its source changed.
  mutating func check(
    _ handle: V4L2Handle, afterEvent: Bool
  ) throws(CaptureError) -> Change? {
    var hasSignal = true
    if let input, let now = try handle.input(input) { hasSignal = now.status.hasSignal }
    if hasSignal, let timings, afterEvent || isLost || !hasEvents {
      switch try handle.querySignal() {
      case .present(let found):
        if !found.matches(timings) { return .changed }
      case .absent, .unlocked: hasSignal = false
      case .outOfRange: return .changed
      case .unknown: break
      }
    } else if hasSignal, timings == nil, afterEvent,
      let found = try handle.currentFormat(type: format.type),
      found.dimensions != format.dimensions || found.code != format.code
    {
      return .changed
    }
    guard hasSignal == isLost else { return nil }
    isLost = !hasSignal
    return hasSignal ? .restored : .lost
  }
}
