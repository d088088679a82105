import Foundation
import Takes
import VideoRecorder

/// The keys and signals that steer take after take.
final class TakeControls {
  private let keys: TerminalKeys?
  private let signals: [SignalHandler]
  private let interruption: Interruption
  private let clock: WallTimer?
  private let hooks: HookInterruption

  /// True where keys steer the session.
  var hasKeys: Bool { keys != nil }

  /// What to press, in a line.
  var legend: String {
    keys == nil
      ? "SIGUSR2 starts and stops a take, SIGTSTP pauses it, SIGINT ends the session"
      : "Enter starts and stops a take, p pauses it, q ends the session"
  }

  /// Steers a session.
  ///
  /// - Parameters:
  ///   - moment: When the first take begins by itself; nil for never.
  ///   - hooks: What a signal ends besides the session.
  init(
    _ session: TakeSession, startAt moment: StartTime.Moment?, onHangup: HangupPolicy,
    hooks: HookInterruption
  ) {
    self.hooks = hooks
    let keys = TerminalKeys { key in
      switch key {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"): session.send(.toggle(.now))
      case UInt8(ascii: "p"), UInt8(ascii: "P"): session.send(.togglePause)
      case UInt8(ascii: "q"), UInt8(ascii: "Q"), 4: session.send(.end)
      default: break
      }
    }
    self.keys = keys
    signals = [
      SignalHandler(SIGUSR2) { session.send(.toggle(.now)) },
      SignalHandler(SIGUSR1) { session.send(.cut) },
      // A recorder that stops with its terminal's Ctrl-Z would lose frames.
      SignalHandler(SIGTSTP) { session.send(.togglePause) },
    ]
    interruption = Interruption(onHangup: onHangup)
    interruption.handle {
      // A second signal ends the program at once: the terminal is to be usable then.
      keys?.restore()
      session.send(.end)
      hooks.interrupt()
    }
    clock = moment.map { moment in
      WallTimer(at: moment.unixTime) { session.send(.start(StartMark(moment))) }
    }
  }

  /// From now on the session is over, and signals concern the hooks of the last takes alone.
  func sessionIsOver() { interruption.renew { [hooks] in hooks.interrupt() } }
}
