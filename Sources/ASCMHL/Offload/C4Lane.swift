import Dispatch
import MediaCore
import Synchronization

/// Computes C4 identifiers of what is read, on a separate thread, because SHA-512 is slower than fast cards.
/// Only the manifest waits for it.
final class C4Lane: Sendable {
  private struct State: ~Copyable {
    var stream = C4Identifier.Stream(isWanted: false)
    var identifiers: [PathBytes: C4Identifier] = [:]
  }

  private let queue = DispatchQueue(label: "offload.c4", qos: .userInitiated)
  private let state = Mutex(State())

  func begin() {
    queue.async { self.state.withLock { $0.stream = C4Identifier.Stream() } }
  }

  func take(_ chunk: ChunkPool.Chunk) {
    queue.async { self.state.withLock { $0.stream.add(chunk.bytes) } }
  }

  func end(_ path: String) {
    queue.async {
      self.state.withLock { state in
        if let identifier = state.stream.identifier() {
          state.identifiers[PathBytes(path)] = identifier
        }
      }
    }
  }

  /// Waits until everything is hashed, and returns the identifiers by path.
  func identifiers() -> [PathBytes: C4Identifier] {
    queue.sync { state.withLock { $0.identifiers } }
  }
}
