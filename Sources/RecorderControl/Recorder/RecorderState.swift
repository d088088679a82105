import MediaCore
import Takes

/// The states of a recorder that owns its session for as long as it runs, and takes one after another.
public enum RecorderState: Sendable, Hashable {
  /// Devices are being opened.
  case starting
  /// Pictures come, and nothing of them is kept.
  case idle
  /// What comes is kept for the take to begin with.
  case standingBy
  /// A start is set. `standsBy` is true from shortly before it.
  case armed(RecorderStatus.Armed, standsBy: Bool)
  /// A take is recorded.
  case recording(RecorderStatus.Take, isPaused: Bool)
  /// A take has ended, and the recorder is not ready for the next one.
  case finishing(RecorderStatus.Take)
  /// The source is away.
  case awaitingSource(message: String)
  /// The recorder has ended; with what ended it, where that was not asked for.
  case ended(message: String?)

  /// Takes what happened in the session.
  mutating func take(_ event: TakeSession.Event) {
    switch (self, event) {
    case (.ended, _): break
    case (.armed(let start, _), .standingBy): self = .armed(start, standsBy: true)
    case (.armed(let start, _), .idle): self = .armed(start, standsBy: false)
    case (_, .standingBy): self = .standingBy
    case (_, .idle): self = .idle
    case (_, .started(let number, let path)):
      self = .recording(.init(number: number, path: path), isPaused: false)
    case (.recording(let take, _), .paused): self = .recording(take, isPaused: true)
    case (.recording(let take, _), .resumed): self = .recording(take, isPaused: false)
    case (.recording(let take, _), .finished(let finished)) where finished.number == take.number,
      (.finishing(let take), .finished(let finished)) where finished.number == take.number:
      self = .finishing(take)
    case (_, .sourceLost(let error, isAwaited: true)):
      self = .awaitingSource(message: error.message)
    case (_, .sourceLost(let error, isAwaited: false)): self = .ended(message: error.message)
    case (_, .paused), (_, .resumed), (_, .finished), (_, .series), (_, .refused), (_, .cut),
      (_, .marked), (_, .changed):
      break
    }
  }

  /// Sets a start for a moment.
  ///
  /// - Throws: ``ControlError/Code/invalidState`` where no take could begin now.
  mutating func arm(_ start: RecorderStatus.Armed) throws(ControlError) {
    switch self {
    case .idle: self = .armed(start, standsBy: false)
    case .standingBy: self = .armed(start, standsBy: true)
    case .armed(_, let standsBy): self = .armed(start, standsBy: standsBy)
    default: throw ControlError(.invalidState, "no start can be set: \(refusal)")
    }
  }

  /// Takes a start back that was set; false where none was.
  mutating func disarm() -> Bool {
    guard case .armed(_, let standsBy) = self else { return false }
    self = standsBy ? .standingBy : .idle
    return true
  }

  /// The take was told to end.
  mutating func willStop() {
    if case .recording(let take, _) = self { self = .finishing(take) }
  }

  /// Why something cannot be done in this state, in words.
  var refusal: String {
    switch self {
    case .starting: "the recorder is starting"
    case .idle, .standingBy: "no take is being recorded"
    case .armed: "a start is set"
    case .recording: "a take is being recorded"
    case .finishing: "the take before is still ending"
    case .awaitingSource: "the source is away"
    case .ended: "the recorder has ended"
    }
  }

  /// The name in messages.
  public var name: RecorderStatus.StateName {
    switch self {
    case .starting: .starting
    case .idle: .idle
    case .standingBy: .standingBy
    case .armed: .armed
    case .recording: .recording
    case .finishing: .finishing
    case .awaitingSource: .awaitingSource
    case .ended: .ended
    }
  }
}

extension RecorderStatus {
  /// Takes over what a state says.
  mutating func adopt(_ present: RecorderState) {
    state = present.name
    switch present {
    case .starting, .idle, .standingBy: break
    case .armed(let start, _): armed = start
    case .recording(let take, let isPaused): (self.take, self.isPaused) = (take, isPaused)
    case .finishing(let take): self.take = take
    case .awaitingSource(let text): message = text
    case .ended(let text): message = text
    }
  }
}
