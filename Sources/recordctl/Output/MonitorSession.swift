import Foundation
import MediaCore
import Monitor
import RecorderControl
import Synchronization
import Takes

/// A monitor in a terminal: shows what the recorder says, and sends it what keys ask for.
final class MonitorSession: Sendable {
  /// What a key means now.
  private enum Keys {
    case commands
    /// A stop was asked for, and is to be confirmed until this instant.
    case confirmingStop(until: ContinuousClock.Instant)
    /// A note is typed.
    case typing(TypedNote)
  }

  private struct State {
    var screen = MonitorScreen()
    var keys = Keys.commands
    var isOver = false
  }

  private let client: ControlClient
  private let terminal: Terminal
  private let showsWaveform: Bool
  private let isViewOnly: Bool
  private let state: Mutex<State>

  init(client: ControlClient, terminal: Terminal, showsWaveform: Bool, isViewOnly: Bool) {
    self.client = client
    self.terminal = terminal
    self.showsWaveform = showsWaveform
    self.isViewOnly = isViewOnly
    var state = State()
    state.screen.hasBlocks = terminal.hasBlocks
    self.state = Mutex(state)
  }

  /// Shows until q, a signal or the end of the recorder.
  func run() async throws {
    let interruption = Interruption { [self] in finish() }
    let keys = TerminalKeys { [self] in press($0) }
    let subscription = MonitorSubscription(
      pictureRate: showsWaveform ? 8 : 0, scopes: showsWaveform ? .waveform : [], levels: true,
      alarms: true)
    let reply = try await client.send(.monitor(subscription))
    if let error = reply.error { throw ControlError(.invalidState, error.message) }
    _ = try await client.send(.events(true))
    let client = client
    let tasks = [
      Task { for await event in client.events { self.take(event) } },
      Task { for await frame in client.frames { self.take(frame) } },
    ]
    let output = DescriptorOutput(descriptor: STDOUT_FILENO)
    // Another screen, so that what was on this one is there again in the end.
    try? output.write("\u{1B}[?1049h\u{1B}[?25l")
    let end = await show(output)
    try? output.write("\u{1B}[?25h\u{1B}[?1049l")
    keys?.restore()
    for task in tasks { task.cancel() }
    client.close()
    withExtendedLifetime(interruption) {}
    if let end { Console.note("\(end)") }
  }

  private func finish() { state.withLock { $0.isOver = true } }

  /// Seconds after which a recorder counts as one that does not answer.
  private static let patience = 2.0

  /// Draws until the end; tells why the recorder ended it.
  private func show(_ output: DescriptorOutput) async -> String? {
    while !state.withLock({ $0.isOver }) {
      do throws(ControlError) {
        let status = try await client.send(.status, within: Self.patience).status
        state.withLock { ($0.screen.status, $0.screen.isSilent) = (status, false) }
      } catch {
        // Whoever wants to end, or to know, does not wait for one that hangs.
        guard error.code == .timedOut else { return error.message }
        state.withLock { $0.screen.isSilent = true }
      }
      let (columns, rows) = (terminal.columns, terminal.rows)
      let lines = state.withLock { state in
        state.screen.legend = legend(&state, columns: columns)
        state.screen.age(at: .now)
        return state.screen.lines(columns: columns, rows: rows)
      }
      let text = lines.map { $0.rendered(inColor: terminal.hasColors) + "\u{1B}[K" }
        .joined(separator: "\r\n")
      do { try output.write("\u{1B}[H" + text + "\u{1B}[J") } catch { return nil }
      try? await Task.sleep(for: .milliseconds(100))
    }
    return nil
  }

  private func legend(_ state: inout State, columns: Int) -> String {
    switch state.keys {
    case .confirmingStop(let until):
      guard ContinuousClock.now < until else {
        state.keys = .commands
        return legend(&state, columns: columns)
      }
      return "press s again to stop the take"
    case .typing(let note): return MonitorLegend.typing(note.text, columns: columns)
    case .commands:
      if isViewOnly { return "q ends the monitor" }
      return MonitorLegend.commands(columns: columns)
    }
  }

  // MARK: What comes

  private func take(_ event: RecorderEvent) {
    state.withLock { state in
      switch event.event {
      case .levels:
        state.screen.take(event.levels ?? [], event.loudness, at: .now)
      case .alarm:
        guard let alarm = event.alarm else { return }
        if alarm.isPresent {
          state.screen.alarms.insert(alarm.name.rawValue)
        } else {
          state.screen.alarms.remove(alarm.name.rawValue)
        }
      case .greeting, .state, .picture: break
      default: state.screen.message = ControlText.line(event)
      }
    }
  }

  private func take(_ frame: MonitorFrame) {
    let waveform = frame.map("waveform")
    state.withLock { $0.screen.take(waveform, at: .now) }
    client.acknowledge(frame)
  }

  // MARK: Keys

  private func press(_ key: UInt8) {
    let command = state.withLock { state in
      if case .typing(let note) = state.keys { return type(key, note, &state) }
      return obey(key, &state)
    }
    guard let command else { return }
    Task {
      let text: String
      do throws(ControlError) {
        let reply = try await client.send(command)
        text = ControlText.line(reply)
      } catch {
        text = error.message
      }
      state.withLock { $0.screen.message = text }
    }
  }

  private func obey(_ key: UInt8, _ state: inout State) -> RecorderCommand? {
    let letter = Character(UnicodeScalar(key)).lowercased()
    var isConfirmed = false
    if case .confirmingStop(let until) = state.keys { isConfirmed = ContinuousClock.now < until }
    state.keys = .commands
    if letter == "q" {
      state.isOver = true
      return nil
    }
    guard !isViewOnly else { return nil }
    switch letter {
    case "\n", "\r": return .start(TakeSlate(), nil)
    case "s":
      if isConfirmed { return .stop }
      state.keys = .confirmingStop(until: .now + .seconds(3))
      return nil
    case "x": return .split
    case "m":
      state.keys = .typing(TypedNote())
      return nil
    case "b": return .standBy(!(state.screen.status?.isStandingBy ?? false))
    default: return nil
    }
  }

  private func type(_ key: UInt8, _ note: TypedNote, _ state: inout State) -> RecorderCommand? {
    var note = note
    switch key {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
      state.keys = .commands
      return .mark(note.text)
    case 27: state.keys = .commands
    case 8, 127:
      note.removeLast()
      state.keys = .typing(note)
    default:
      note.add(key)
      state.keys = .typing(note)
    }
    return nil
  }
}
