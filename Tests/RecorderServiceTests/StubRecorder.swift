import Synchronization

@testable import RecorderControl

/// A recorder whose status a test sets; it only records its commands.
final class StubRecorder: SteeredRecorder {
  private struct State {
    var status: RecorderStatus
    var commands: [RecorderCommand] = []
    var observer: (@Sendable (RecorderEvent) -> Void)?
  }

  private let state: Mutex<State>

  init(_ name: RecorderStatus.StateName = .idle) {
    state = Mutex(
      State(
        status: RecorderStatus(
          state: name, isStandingBy: false, isPaused: false, takesFinishing: 0, takesFinished: 0,
          processID: 1)))
  }

  var status: RecorderStatus { state.withLock { $0.status } }
  var commands: [RecorderCommand] { state.withLock { $0.commands } }

  func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
    state.withLock { $0.commands.append(command) }
    reply(RecorderReply(status: status))
  }

  func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  /// Changes its status and notifies observers.
  func change(_ body: (inout RecorderStatus) -> Void) {
    state.withLock { body(&$0.status) }
    tell(.state) { $0.status = status }
  }

  func tell(_ kind: RecorderEvent.Kind, _ body: (inout RecorderEvent) -> Void) {
    var event = RecorderEvent(kind)
    body(&event)
    state.withLock { $0.observer }?(event)
  }

  func tell(_ name: RecorderEvent.AlarmName, isPresent: Bool) {
    tell(.alarm) { $0.alarm = .init(name: name, isPresent: isPresent) }
  }
}
