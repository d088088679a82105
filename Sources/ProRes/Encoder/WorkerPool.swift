import CProResKernels

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Threads that together work through numbered items, the caller's thread among them.
///
/// The threads are the pool's own: they never run on, or wait for, the cooperative pool.
final class WorkerPool: @unchecked Sendable {
  // Sendable: `threads` is written by init alone; `crew` guards itself.

  /// Work on one item: worker number, from 0, and item number.
  typealias Body = @Sendable (_ worker: Int, _ item: Int) -> Void

  /// Threads that work, the caller's included.
  let workers: Int
  private let crew: WorkerCrew
  private var threads: [pthread_t] = []

  /// Starts `workers - 1` threads.
  init(workers: Int, name: String, body: @escaping Body) throws(ProResError) {
    self.workers = max(workers, 1)
    crew = WorkerCrew(body: body)
    for worker in 1..<max(workers, 1) {
      threads.append(try crew.startThread(worker: worker, name: name))
    }
  }

  deinit {
    crew.close()
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Works through items 0 to `count - 1` and returns when all are done.
  ///
  /// One call at a time.
  func run(_ count: Int) { crew.run(count, alone: workers == 1) }
}

/// What the threads of a pool share. They keep it alive; it does not know the pool.
private final class WorkerCrew: @unchecked Sendable {
  // Sendable: `next`, `count`, `busy` and `isClosing` are used with `lock` held.
  private let body: WorkerPool.Body
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let workArrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let workDone = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var next = 0
  private var count = 0
  private var busy = 0
  private var isClosing = false

  init(body: @escaping WorkerPool.Body) {
    self.body = body
    pthread_mutex_init(lock, nil)
    pthread_cond_init(workArrived, nil)
    pthread_cond_init(workDone, nil)
  }

  deinit {
    pthread_cond_destroy(workArrived)
    pthread_cond_destroy(workDone)
    pthread_mutex_destroy(lock)
    lock.deallocate()
    workArrived.deallocate()
    workDone.deallocate()
  }

  func run(_ items: Int, alone: Bool) {
    if alone || items < 2 {
      for item in 0..<items { body(0, item) }
      return
    }
    pthread_mutex_lock(lock)
    next = 0
    count = items
    pthread_cond_broadcast(workArrived)
    work(as: 0)
    while busy > 0 { pthread_cond_wait(workDone, lock) }
    pthread_mutex_unlock(lock)
  }

  func close() {
    pthread_mutex_lock(lock)
    isClosing = true
    pthread_cond_broadcast(workArrived)
    pthread_mutex_unlock(lock)
  }

  /// Takes items while there are any; called and left with the lock held.
  private func work(as worker: Int) {
    while next < count {
      let item = next
      next += 1
      busy += 1
      pthread_mutex_unlock(lock)
      body(worker, item)
      pthread_mutex_lock(lock)
      busy -= 1
    }
    if busy == 0 { pthread_cond_signal(workDone) }
  }

  private func loop(as worker: Int) {
    pthread_mutex_lock(lock)
    while !isClosing {
      work(as: worker)
      if !isClosing { pthread_cond_wait(workArrived, lock) }
    }
    pthread_mutex_unlock(lock)
  }

  /// What a new thread is told.
  private final class Start {
    let crew: WorkerCrew
    let worker: Int
    let name: String

    init(_ crew: WorkerCrew, _ worker: Int, _ name: String) {
      self.crew = crew
      self.worker = worker
      self.name = name
    }
  }

  func startThread(worker: Int, name: String) throws(ProResError) -> pthread_t {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Start(self, worker, name))
    let error = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        prores_name_thread(start.name)
        start.crew.loop(as: start.worker)
        return nil
      }, argument.toOpaque())
    guard error == 0 else {
      argument.release()
      throw ProResError(
        .threadFailure, "no encoder thread \(worker): use fewer threads", errorNumber: error)
    }
    return thread
  }
}
