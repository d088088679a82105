import Dispatch
import Foundation
import Synchronization
import SystemPackage

/// Writes notes and the progress line on a separate thread, so that a slow, stopped or closed
/// reader neither blocks nor ends anything.
final class MessageWriter: Sendable {
  /// The writer to standard error.
  static let standardError = MessageWriter(DescriptorOutput(descriptor: STDERR_FILENO))

  /// Notes that wait at most; how many more there were is told once there is room.
  static let noteLimit = 200

  private enum LineChange: Sendable {
    case draw(Drawing)
    case remove
  }

  /// A progress line in a terminal.
  private struct Drawing: Sendable {
    var line: StatusText
    /// Columns that may be written to.
    var columns: Int
    var inColor: Bool
  }

  /// What the thread writes in one go.
  private struct Round: Sendable {
    var notes: [String]
    var omitted: Int
    var lineChange: LineChange?
    var bells: Int
  }

  private struct State {
    var notes: [String] = []
    var omitted = 0
    var lineChange: LineChange?
    var bells = 0
    var isWriting = false
    var hasThread = false
    var roundsWritten = 0
    var waiters: [DispatchSemaphore] = []
    /// The number of rounds written when the reader was given up. Nothing waits for it again until
    /// there are more.
    var roundsAtSurrender: Int?

    var isIdle: Bool { notes.isEmpty && lineChange == nil && bells == 0 && !isWriting }
  }

  private let output: DescriptorOutput
  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  init(_ output: DescriptorOutput) { self.output = output }

  // MARK: Called from other threads; none of it waits

  /// Writes a line of its own.
  func note(_ line: String) {
    post { state in
      if state.notes.count < Self.noteLimit {
        state.notes.append(line)
      } else {
        state.omitted += 1
      }
    }
  }

  /// Draws the progress line anew; one that was not drawn yet is forgotten.
  ///
  /// - Parameter columns: Those of the terminal that may be written to.
  func draw(_ line: StatusText, columns: Int = 79, inColor: Bool) {
    post { $0.lineChange = .draw(Drawing(line: line, columns: columns, inColor: inColor)) }
  }

  /// Removes the progress line.
  func removeLine() { post { $0.lineChange = .remove } }

  /// Rings the terminal's bell.
  func ring() { post { $0.bells = 1 } }

  private func post(_ change: (inout State) -> Void) {
    let startsThread = state.withLock { state in
      change(&state)
      defer { state.hasThread = true }
      return !state.hasThread
    }
    if startsThread {
      let thread = Thread { [self] in writeRounds() }
      thread.name = "messages"
      thread.start()
    }
    work.signal()
  }

  /// Waits until all is written, or until nothing was for `patience` seconds.
  func flush(patience: Double = 1) {
    while true {
      let written = DispatchSemaphore(value: 0)
      let rounds = state.withLock { state -> Int? in
        guard !state.isIdle, state.roundsWritten != state.roundsAtSurrender else { return nil }
        state.waiters.append(written)
        return state.roundsWritten
      }
      guard let rounds else { return }
      if written.wait(timeout: .now() + patience) == .success { return }
      state.withLock { if $0.roundsWritten == rounds { $0.roundsAtSurrender = rounds } }
    }
  }

  // MARK: The thread

  private func writeRounds() {
    var drawn: Drawing?
    while true {
      work.wait()
      while let round = nextRound() {
        do throws(Errno) {
          try output.write(Self.text(of: round, replacing: &drawn))
          state.withLock { $0.roundsWritten += 1 }
        } catch {
          state.withLock { $0.omitted += round.notes.count + round.omitted }
        }
      }
    }
  }

  private func nextRound() -> Round? {
    state.withLock { state in
      state.isWriting = false
      guard !state.isIdle else {
        for waiter in state.waiters { waiter.signal() }
        state.waiters = []
        return nil
      }
      let round = Round(
        notes: state.notes, omitted: state.notes.isEmpty ? 0 : state.omitted,
        lineChange: state.lineChange, bells: state.bells)
      state.notes = []
      state.omitted -= round.omitted
      state.lineChange = nil
      state.bells = 0
      state.isWriting = true
      return round
    }
  }

  /// The bytes of a round: notes stand above the progress line.
  private static func text(
    of round: Round, replacing drawn: inout Drawing?
  ) -> String {
    var text = round.bells > 0 ? "\u{07}" : ""
    var before = drawn?.line.columns ?? 0
    switch round.lineChange {
    case .draw(let drawing):
      drawn = drawing
      // A terminal that became narrower must not be written beyond its edge.
      before = min(before, drawing.columns)
    case .remove: drawn = nil
    case nil: if round.notes.isEmpty { return text }
    }
    if before > 0, drawn == nil || !round.notes.isEmpty {
      text += "\r" + String(repeating: " ", count: before) + "\r"
    }
    for note in round.notes { text += note + "\n" }
    if round.omitted > 0 { text += "recordctl: \(round.omitted) messages omitted here\n" }
    if let drawn {
      let padding = round.notes.isEmpty ? max(0, before - drawn.line.columns) : 0
      text +=
        "\r" + drawn.line.rendered(inColor: drawn.inColor) + String(repeating: " ", count: padding)
    }
    return text
  }
}
