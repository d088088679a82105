import Dispatch
import FoundationEssentials
import MediaCore

/// Measures the free space of a take's folders, each on its own queue, so that a hanging disk delays neither
/// the take nor a caller.
package final class DiskWatch: Sendable {
  private struct Place {
    let queue = DispatchQueue(label: "free-space")
    /// The last result; nil before there was one, and if the system does not say.
    var bytes: Int64?
    /// When the pending measurement began; nil if none is pending.
    var askedAt: Int64?
  }

  private struct State {
    var places: [String: Place] = [:]
    /// Folders that are no longer written to.
    var lost: Set<String> = []
  }

  private let shared = WaitableMutex(State())
  private let measure: @Sendable (_ folder: String) -> Int64?
  /// The seconds to wait for a measurement.
  private let patience: Double

  /// - Parameters:
  ///   - patience: The seconds to wait for a measurement. One that takes longer is not waited for again.
  ///   - measure: Asks the system. May block.
  package init(
    patience: Double = 0.5, measure: @escaping @Sendable (_ folder: String) -> Int64?
  ) {
    self.patience = patience
    self.measure = measure
  }

  /// The bytes that may be written in a folder: the present value, or the last one if the system does not answer
  /// in time.
  package func bytes(in folder: String) -> Int64? {
    let now = MonotonicClock.now
    let (queue, began) = shared.update { state -> (DispatchQueue?, Int64) in
      var place = state.places[folder] ?? Place()
      defer { state.places[folder] = place }
      if let askedAt = place.askedAt { return (nil, askedAt) }
      place.askedAt = now
      return (place.queue, now)
    }
    queue?.async { [self] in look(at: folder) }
    _ = shared.wait(deadline: began + Int64(patience * 1e9)) { state -> Void? in
      state.places[folder]?.askedAt == nil ? () : nil
    }
    return shared.withLock { $0.places[folder]?.bytes }
  }

  /// As ``bytes(in:)``, but waits until the system answers.
  func bytesAtLast(in folder: String) -> Int64? {
    look(at: folder)
    return shared.withLock { $0.places[folder]?.bytes }
  }

  private func look(at folder: String) {
    let bytes = measure(folder)
    shared.update { state in
      state.places[folder, default: Place()].bytes = bytes
      state.places[folder]?.askedAt = nil
    }
  }

  // MARK: Folders that are lost

  /// Stops watching the folder of a file that is no longer written.
  func giveUp(folderOf path: String) {
    let folder = URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path
    shared.update { _ = $0.lost.insert(folder) }
  }

  /// The folders that are still written to.
  func remaining(of folders: [String]) -> [String] {
    let lost = shared.withLock { $0.lost }
    guard !lost.isEmpty else { return folders }
    return folders.filter { !lost.contains(URL(filePath: $0).standardizedFileURL.path) }
  }
}
