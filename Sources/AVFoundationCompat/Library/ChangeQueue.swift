import Dispatch
import MediaLibrary
import Synchronization

/// Where Apple's forms change a library: blocks, what they change and handlers come one after the
/// other, in the order of the calls.
struct ChangeQueue: Sendable {
  private let queue: DispatchQueue
  private let path: String

  /// Those of the folders that libraries were changed in.
  private static let queues = Mutex<[String: DispatchQueue]>([:])
  private static let current = DispatchSpecificKey<String>()

  /// The queue of a library: the same one for all objects of its folder.
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

  /// Does `work` after what was asked for before.
  func async(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

  /// As ``async(_:)``, and waits for it; at once where a block or a handler of the library asks for it.
  func sync(_ work: () throws -> Void) rethrows {
    if DispatchQueue.getSpecific(key: Self.current) == path { return try work() }
    try queue.sync(execute: work)
  }
}
