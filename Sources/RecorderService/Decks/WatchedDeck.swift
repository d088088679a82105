import HyperDeck
import MediaCore
import RecorderControl
import Synchronization

/// A recorder as a deck for HTTP clients, with its last known state.
final class WatchedDeck: Sendable {
  let identity: DeckIdentity
  private let recorder: any RemoteRecorder
  private let state: Mutex<DeckState>
  private let changes = Broadcast<DeckState>(depth: 8)
  private let start = MonotonicClock.now

  /// How long an answer waits at most for the state to reflect the order.
  private static let showing = Duration.seconds(1)

  init(_ identity: DeckIdentity, recorder: any RemoteRecorder) {
    (self.identity, self.recorder) = (identity, recorder)
    state = Mutex(DeckState(identity))
  }

  /// Follows the recorder until the task is cancelled.
  func run() async {
    for await update in recorder.updates() { change { $0.adopt(update) } }
  }

  func rename(_ name: String) { change { $0.rename(name) } }

  private func change(_ body: (inout DeckState) -> Void) {
    state.withLock { deck in
      let before = deck
      body(&deck)
      // In the lock, so that the last state that listeners get is the present one.
      if deck != before { changes.send(deck) }
    }
  }

  /// Whole seconds since its creation.
  var uptime: Int { Int((MonotonicClock.now - start) / 1_000_000_000) }

  /// The last known state.
  var present: DeckState { state.withLock { $0 } }

  /// The last known state, and each change from then on.
  func follow() -> AsyncStream<DeckState> {
    state.withLock { state in changes.listen { [state] } }
  }

  /// Carries out an order. A client that asks for the state right after the answer gets the changed one.
  func perform(_ order: DeckOrder) async -> DeckOutcome {
    let states = follow()
    let outcome = await order.outcome(from: recorder)
    guard outcome == .done, !order.isShown(by: present) else { return outcome }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await deck in states where order.isShown(by: deck) { return } }
      group.addTask { try? await Task.sleep(for: Self.showing) }
      await group.next()
      group.cancelAll()
    }
    return outcome
  }
}
