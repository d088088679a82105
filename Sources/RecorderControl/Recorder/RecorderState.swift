import MediaCore
import Takes

/// The states of a recorder of successive takes in one session.
public enum RecorderState: Sendable, Hashable {
  /// Devices are being opened.
  case starting
  /// Frames arrive but are not kept.
  case idle
  /// Frames are kept as a pre-roll for the next take.
  case standingBy
  /// A take is recorded.
  case recording(RecorderStatus.Take, isPaused: Bool)
  /// A take has ended, and the recorder is not ready for the next one.
  case finishing(RecorderStatus.Take)
  /// The source is away.
  case awaitingSource(message: String)
  /// The recorder has ended; with the reason, unless it ended on request.
  case ended(message: String?)

  /// Updates the state after an event of the session.
  mutating func take(_ event: TakeSession.Event) {
    switch (self, event) {
    case (.ended, _): break
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

  /// Checks that a start can be scheduled.
  ///
  /// - Throws: ``ControlError/Code/invalidState`` if no take could begin now.
  func checkStart() throws(ControlError) {
    switch self {
    case .idle, .standingBy: break
    default: throw ControlError(.invalidState, "no start can be set: \(refusal)")
    }
  }

  /// Why something cannot be done in this state, in words.
  var refusal: String {
    switch self {
    case .starting: "the recorder is starting"
    case .idle, .standingBy: "no take is being recorded"
    case .recording: "a take is being recorded"
    case .finishing: "the previous take is still ending"
    case .awaitingSource: "the source is lost"
    case .ended: "the recorder has ended"
    }
  }

  /// The name in messages, without a scheduled start.
  public var name: RecorderStatus.StateName {
    switch self {
    case .starting: .starting
    case .idle: .idle
    case .standingBy: .standingBy
    case .recording: .recording
    case .finishing: .finishing
    case .awaitingSource: .awaitingSource
    case .ended: .ended
    }
  }
}

extension RecorderStatus {
  /// Sets the members that follow from a state and a scheduled start.
  mutating func adopt(_ present: RecorderState, _ start: Armed? = nil) {
    state = present.name
    armed = start
    switch present {
    case .idle, .standingBy: if start != nil { state = .armed }
    case .starting: break
    case .recording(let take, let isPaused): (self.take, self.isPaused) = (take, isPaused)
    case .finishing(let take): self.take = take
    case .awaitingSource(let text): message = text
    case .ended(let text): message = text
    }
  }
}
