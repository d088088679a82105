import MediaCore
package import RecorderControl
import Takes

extension DeckOrder {
  /// Has a recorder carry it out. ``enableRemote(_:)`` concerns the deck alone: the recorder is asked for its status.
  package func outcome(from recorder: any RemoteRecorder) async -> DeckOutcome {
    let command: RecorderCommand =
      switch self {
      case .record(let name): .start(TakeSlate(name: name), nil)
      case .stop: .stop
      case .split: .split
      case .enableRemote: .status
      }
    do throws(ControlError) {
      let reply = try await recorder.send(command)
      return reply.error.map { .refused($0) } ?? .done
    } catch {
      return .refused(ErrorSummary(error))
    }
  }

  /// True if a deck's state shows that it was carried out. The state follows the recorder's reply after
  /// a moment.
  package func isShown(by deck: DeckState) -> Bool {
    switch self {
    case .record: deck.transport == .record
    case .stop: deck.transport != .record
    case .split, .enableRemote: true
    }
  }
}
