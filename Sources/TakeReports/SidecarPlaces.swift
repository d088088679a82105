import Dispatch
import MediaCore

/// Runs work on files, with a separate queue for each folder.
final class SidecarPlaces: Sendable {
  private struct State {
    var queues: [String: DispatchQueue] = [:]
    /// The amount of unfinished work for each folder.
    var pending: [String: Int] = [:]
    /// Folders lost to the take.
    var givenUp: Set<String> = []
  }

  private let shared = WaitableMutex(State())
  /// Seconds to wait for a folder that was given up, which may only be full.
  private static let patience = 0.5

  /// Runs work in a folder, after earlier work there, and waits until it is done. For a folder that
  /// was given up, the wait is short.
  func perform(in folder: String, _ work: @escaping @Sendable () -> Void) {
    let queue = shared.withLock { state in
      state.pending[folder, default: 0] += 1
      let queue = state.queues[folder] ?? DispatchQueue(label: "sidecar-files")
      state.queues[folder] = queue
      return queue
    }
    queue.async { [self] in
      work()
      shared.update { $0.pending[folder, default: 1] -= 1 }
    }
    shared.wait { state -> Void? in
      state.pending[folder] == 0 || state.givenUp.contains(folder) ? () : nil
    }
    let deadline = MonotonicClock.now + Int64(Self.patience * 1e9)
    _ = shared.wait(deadline: deadline) { state -> Void? in state.pending[folder] == 0 ? () : nil }
  }

  /// Stops waiting for a folder.
  func giveUp(_ folder: String) { shared.update { _ = $0.givenUp.insert(folder) } }
}
