import CLinux
import Dispatch
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// A thread of the recorder's own, for work that must not wait behind others in a shared pool.
///
/// All threads that capture, encode or write are made here, and scheduled here by their role.
package final class MediaThread: Sendable {
  private let handle: pthread_t
  private let life: Life

  /// What the thread and its owner share.
  private final class Life: Sendable {
    let begun = DispatchSemaphore(value: 0)
    let finished = DispatchSemaphore(value: 0)
    let scheduling = Mutex(ThreadScheduling(thread: ""))
  }

  /// What a new thread is told.
  private final class Start {
    let name: String
    let role: ThreadRole
    let options: ThreadOptions
    let index: Int
    let life: Life
    var body: (@Sendable () -> Void)?

    init(
      name: String, role: ThreadRole, options: ThreadOptions, index: Int, life: Life,
      body: @escaping @Sendable () -> Void
    ) {
      self.name = name
      self.role = role
      self.options = options
      self.index = index
      self.life = life
      self.body = body
    }

    func run() {
      thread_set_name(name)
      ThreadScheduling.apply(role, options, index: index)
      life.scheduling.withLock { $0 = .current }
      life.begun.signal()
      SignalStack.with { body?() }
      // What the body holds is gone before anybody learns that the thread is.
      body = nil
      life.finished.signal()
    }
  }

  /// Starts a thread; `body` runs once.
  ///
  /// - Parameters:
  ///   - name: Shown by `top -H` and debuggers; the kernel keeps 15 bytes.
  ///   - role: What it does.
  ///   - options: What to ask of the system.
  ///   - index: The thread's number among those of its role.
  /// - Throws: ``MediaCoreError/Code/outOfResources``.
  package init(
    name: String, role: ThreadRole, options: ThreadOptions = .ordinary, index: Int = 0,
    _ body: @escaping @Sendable () -> Void
  ) throws(MediaCoreError) {
    let life = Life()
    self.life = life
    let start = Unmanaged.passRetained(
      Start(name: name, role: role, options: options, index: index, life: life, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    guard status == 0 else {
      start.release()
      throw MediaCoreError(
        .outOfResources,
        "the system cannot start more threads (\(name): \(String(cString: strerror(status)))); "
          + "end other programs")
    }
    handle = thread
  }

  /// Waits until the body has returned and is gone. On the thread itself it does nothing.
  package func join() {
    guard !isCurrent else { return }
    life.finished.wait()
    // For whoever joins a second time.
    life.finished.signal()
  }

  /// True on the thread itself.
  package var isCurrent: Bool { pthread_equal(pthread_self(), handle) != 0 }

  /// How the system schedules it. Waits for it to begin.
  package var scheduling: ThreadScheduling {
    life.begun.wait()
    // For whoever asks again.
    life.begun.signal()
    return life.scheduling.withLock { $0 }
  }

  /// Nanoseconds of processor time that the calling thread has used.
  package static var processorTime: Int64 { MonotonicClock.read(CLOCK_THREAD_CPUTIME_ID) }
}
