#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A thread of the recorder's own, for work that must not wait behind others in a shared pool.
///
/// The body runs once. Whoever starts a thread joins it, once.
struct WorkerThread: Sendable {
  private let handle: pthread_t

  /// Starts a thread.
  ///
  /// - Parameter name: Shown by `top -H` and debuggers; cut after 15 bytes, the kernel's limit.
  init(
    name: String, _ body: @escaping @Sendable () -> Void
  ) throws(AssetWriterError) {
    let box = Unmanaged.passRetained(Body(name: name, run: body))
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, startThread, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw AssetWriterError(
        .outOfResources, "the system starts no more threads (\(name)); end other programs",
        errno: status)
    }
    self.handle = thread
  }

  /// Waits for the body to return. From the thread itself it does nothing.
  func join() {
    if pthread_equal(pthread_self(), handle) == 0 { pthread_join(handle, nil) }
  }

  fileprivate final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void
    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  /// Nanoseconds of processor time that the calling thread has used.
  static var processorTime: Int64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Nanoseconds on CLOCK_MONOTONIC.
  static var monotonicTime: Int64 { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

private func startThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  let body = Unmanaged<WorkerThread.Body>.fromOpaque(argument).takeRetainedValue()
  nameThread(body.name)
  body.run()
  return nil
}

/// The kernel's own way: `pthread_setname_np` is a GNU extension that Swift does not import.
private func nameThread(_ name: String) {
  let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard file >= 0 else { return }
  defer { close(file) }
  var bytes = Array(name.utf8.prefix(15))
  _ = write(file, &bytes, bytes.count)
}
