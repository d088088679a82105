import MediaCore

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Threads that together work through numbered items, the caller's thread among them.
///
/// The threads are the pool's own: they never run on, or wait for, the cooperative pool.
final class WorkerPool: Sendable {

  /// Work on one item: worker number, from 0, and item number.
  typealias Body = @Sendable (_ worker: Int, _ item: Int) -> Void

  /// Threads that work, the caller's included.
  let workers: Int
  private let crew: WorkerCrew
  private let threads: [MediaThread]

  /// Starts `workers - 1` threads.
  init(
    workers: Int, name: String, options: ThreadOptions, body: @escaping Body
  ) throws(ProResError) {
    self.workers = max(workers, 1)
    let crew = WorkerCrew(body: body)
    self.crew = crew
    var threads: [MediaThread] = []
    do throws(MediaCoreError) {
      for worker in 1..<max(workers, 1) {
        threads.append(
          try MediaThread(
            name: "\(name)-\(worker)", role: .encoding, options: options, index: worker
          ) { crew.loop(as: worker) })
      }
    } catch {
      crew.close()
      for thread in threads { thread.join() }
      throw ProResError(.threadFailure, "\(error.message), or use fewer encoder threads")
    }
    self.threads = threads
  }

  deinit {
    crew.close()
    for thread in threads { thread.join() }
  }

  /// How the system schedules the pool's own threads.
  var scheduling: [ThreadScheduling] { threads.map(\.scheduling) }

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

  /// What a thread of the pool does, until the pool is closed.
  func loop(as worker: Int) {
    pthread_mutex_lock(lock)
    while !isClosing {
      work(as: worker)
      if !isClosing { pthread_cond_wait(workArrived, lock) }
    }
    pthread_mutex_unlock(lock)
  }
}
