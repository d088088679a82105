import MediaCore

/// Runs a task on the thread that waits for it. The shared pool of task threads may be fully blocked, partly by waits
/// like this one: on a single processor it has only one thread.
final class WaitingThread: TaskExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
  }

  private let state = WaitableMutex(State())

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.update { $0.jobs.append(job) }
  }

  /// Runs `work` and returns once it is done.
  static func run(_ work: @escaping @Sendable () async -> Void) {
    let thread = WaitingThread()
    Task.detached(executorPreference: thread) {
      await work()
      thread.state.update { $0.isOver = true }
    }
    while let job = thread.next() { job.runSynchronously(on: thread.asUnownedTaskExecutor()) }
  }

  /// Waits for a job; nil once the work is done.
  private func next() -> UnownedJob? {
    state.wait { state -> UnownedJob?? in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      return state.isOver ? .some(nil) : nil
    }
  }
}
