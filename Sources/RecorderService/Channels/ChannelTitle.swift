import Synchronization

/// A channel's display name and its changes, for protocols that report it.
final class ChannelTitle: Sendable {
  private let title: Mutex<String>
  private let changes = Broadcast<String>(depth: 1)

  init(_ title: String) { self.title = Mutex(title) }

  /// The name that counts.
  var present: String { title.withLock { $0 } }

  func rename(_ wanted: String) {
    let isNew = title.withLock { title in
      defer { title = wanted }
      return title != wanted
    }
    if isNew { changes.send(wanted) }
  }

  /// The name that counts, and those from then on.
  func follow() -> AsyncStream<String> { changes.listen { [present] } }
}
