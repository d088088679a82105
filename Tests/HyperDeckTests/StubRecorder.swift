import MediaCore
import Synchronization

@testable import RecorderControl

/// A recorder that carries out commands immediately.
final class StubRecorder: RemoteRecorder {
  private struct State {
    var commands: [RecorderCommand] = []
    var status = RecorderStatus.example(.idle)
    var readers: [AsyncStream<RecorderUpdate>.Continuation] = []
    var refusal: ErrorSummary?
  }

  private let state = Mutex(State())

  var commands: [RecorderCommand] { state.withLock { $0.commands } }

  /// Refuses every command from now on.
  func refuse(_ code: String) {
    state.withLock { $0.refusal = ErrorSummary(code: code, message: "no") }
  }

  func send(_ command: RecorderCommand) async throws(ControlError) -> RecorderReply {
    let (status, refusal) = state.withLock { state in
      state.commands.append(command)
      if state.refusal == nil {
        switch command {
        case .start: state.status = .example(.recording, frames: 1, timecode: "10:00:00:00")
        case .stop: state.status = .example(.idle)
        default: break
        }
      }
      return (state.status, state.refusal)
    }
    if let refusal { return RecorderReply(error: refusal) }
    tell(.status(status))
    return RecorderReply(status: status)
  }

  func updates() -> AsyncStream<RecorderUpdate> {
    let (stream, reader) = AsyncStream<RecorderUpdate>.makeStream()
    state.withLock { state in
      reader.yield(.status(state.status))
      state.readers.append(reader)
    }
    return stream
  }

  func tell(_ update: RecorderUpdate) {
    for reader in state.withLock({ $0.readers }) { reader.yield(update) }
  }
}
