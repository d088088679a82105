import Dispatch
import MediaLibrary
import Synchronization

/// Serializes Apple-style changes to a library: change blocks, their changes and their handlers run one after
/// another, in call order.
struct ChangeQueue: Sendable {
  private let queue: DispatchQueue
  private let path: String

  /// One queue for each library folder, by its path.
  private static let queues = Mutex<[String: DispatchQueue]>([:])
  private static let current = DispatchSpecificKey<String>()

  init(of library: PhotoLibrary) {
    let path = library.url.standardizedFileURL.path
    self.path = path
    queue = Self.queues.withLock { queues in
      if let queue = queues[path] { return queue }
      let queue = DispatchQueue(label: "photo-library-changes")
      queue.setSpecific(key: Self.current, value: path)
      queues[path] = queue
      return queue
    }
  }

  /// Runs `work` after everything queued before it.
  func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// Like ``async(_:)``, but waits for `work`; runs it immediately if called from a block or handler of the same
  /// library.
  func sync(_ work: () throws -> Void) rethrows {
    if DispatchQueue.getSpecific(key: Self.current) == path { return try work() }
    try queue.sync(execute: work)
  }
}
