import Dispatch
import MediaCore
import Synchronization

/// Work on a thread of its own, which somebody waits for.
struct Parallel<Output: Sendable>: Sendable {
  private let result: Box
  private let group = DispatchGroup()

  private final class Box: Sendable {
    let value = Mutex<Result<Output, MediaLibraryError>?>(nil)
  }

  init(_ work: @escaping @Sendable () throws(MediaLibraryError) -> Output) {
    let box = Box()
    result = box
    DispatchQueue(label: "photo-library-files").async(group: group) {
      let outcome = Result { () throws(MediaLibraryError) -> Output in try work() }
      box.value.withLock { $0 = outcome }
    }
  }

  /// Waits for the end.
  func outcome() throws(MediaLibraryError) -> Output {
    group.wait()
    guard let outcome = result.value.withLock({ $0 }) else {
      throw MediaLibraryError(.ioFailed, "a change was given up before its end")
    }
    return try outcome.get()
  }
}
