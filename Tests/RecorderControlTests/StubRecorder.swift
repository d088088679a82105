import Synchronization

@testable import RecorderControl

/// A recorder that only records its commands.
final class StubRecorder: SteeredRecorder {
  private struct State {
    var commands: [RecorderCommand] = []
    var observer: (@Sendable (RecorderEvent) -> Void)?
    var held: [@Sendable (RecorderReply) -> Void] = []
    var status = RecorderStatus(
      state: .idle, isStandingBy: false, isPaused: false, takesFinishing: 0, takesFinished: 0,
      processID: 1)
  }

  private let state = Mutex(State())
  /// True to withhold replies until ``release()``.
  private let holds: Bool

  init(holdsReplies: Bool = false) { holds = holdsReplies }

  var commands: [RecorderCommand] { state.withLock { $0.commands } }

  var status: RecorderStatus { state.withLock { $0.status } }

  /// Changes the status for replies, without notifying observers.
  func change(_ body: (inout RecorderStatus) -> Void) { state.withLock { body(&$0.status) } }

  /// Sends the status to observers.
  func tellState() {
    var event = RecorderEvent(.state)
    event.status = status
    state.withLock { $0.observer }?(event)
  }

  func perform(_ command: RecorderCommand, reply: @escaping @Sendable (RecorderReply) -> Void) {
    state.withLock { state in
      state.commands.append(command)
      if holds { state.held.append(reply) }
    }
    if !holds { reply(RecorderReply(status: status)) }
  }

  func observe(_ observer: (@Sendable (RecorderEvent) -> Void)?) {
    state.withLock { $0.observer = observer }
  }

  /// Sends a message to observers.
  func tell(_ message: String) {
    var event = RecorderEvent(.notice)
    event.message = message
    state.withLock { $0.observer }?(event)
  }

  /// Tells observers that an alarm has begun or ended.
  func tell(_ name: RecorderEvent.AlarmName, isPresent: Bool) {
    var event = RecorderEvent(.alarm)
    event.alarm = .init(name: name, isPresent: isPresent)
    state.withLock { $0.observer }?(event)
  }

  /// Sends the withheld replies.
  func release() {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for reply in held { reply(RecorderReply(status: status)) }
  }
}
