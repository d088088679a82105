import Dispatch
import MediaCore

/// Work on files, on a queue of its own for each folder.
final class SidecarPlaces: Sendable {
  private struct State {
    var queues: [String: DispatchQueue] = [:]
    /// How much work a folder has that is not done.
    var pending: [String: Int] = [:]
    /// Folders that are lost to the take.
    var givenUp: Set<String> = []
  }

  private let shared = WaitableMutex(State())
  /// Seconds for which a folder that was given up is waited for: it may be sound, and only full.
  private static let patience = 0.5

  /// Does something in a folder, behind what is to be done there, and waits until it is done; of a folder that
  /// was given up not for long.
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

  /// Waits for a folder no more.
  func giveUp(_ folder: String) { shared.update { _ = $0.givenUp.insert(folder) } }
}
