import Dispatch
import FoundationEssentials
import MediaCore

/// Looks how much room the folders of a take have, on a queue of its own for each: a disk that hangs holds up
/// neither the take nor those who ask.
package final class DiskWatch: Sendable {
  private struct Place {
    let queue = DispatchQueue(label: "free-space")
    /// What the last look gave; nil where the system does not say, and before there was one.
    var bytes: Int64?
    /// When the look began that is not answered yet; nil where there is none.
    var askedAt: Int64?
  }

  private struct State {
    var places: [String: Place] = [:]
    /// Folders in which nothing is written any more.
    var lost: Set<String> = []
  }

  private let shared = WaitableMutex(State())
  private let measure: @Sendable (_ folder: String) -> Int64?
  /// Seconds for which a look is awaited.
  private let patience: Double

  /// - Parameters:
  ///   - patience: Seconds for which a look is awaited. One that takes longer is not waited for again.
  ///   - measure: Asks the system, for as long as that takes.
  package init(
    patience: Double = 0.5, measure: @escaping @Sendable (_ folder: String) -> Int64?
  ) {
    self.patience = patience
    self.measure = measure
  }

  /// Bytes that may be written in a folder: what the system says now, or, where it does not answer in time,
  /// what it said last.
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

  /// As ``bytes(in:)``, but waits for as long as the answer takes.
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

  /// Judges the folder of a file no more, in which nothing is written from here on.
  func giveUp(folderOf path: String) {
    let folder = URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path
    shared.update { _ = $0.lost.insert(folder) }
  }

  /// The folders in which something is written still.
  func remaining(of folders: [String]) -> [String] {
    let lost = shared.withLock { $0.lost }
    guard !lost.isEmpty else { return folders }
    return folders.filter { !lost.contains(URL(filePath: $0).standardizedFileURL.path) }
  }
}
