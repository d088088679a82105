public import Dispatch

/// A serial queue, which can also execute actors: Dispatch on Linux has one class for all queues.
public typealias DispatchSerialQueue = DispatchQueue

/// A serial queue executes an actor's jobs: `nonisolated var unownedExecutor: UnownedSerialExecutor {
/// queue.asUnownedSerialExecutor() }`. Do not use a concurrent queue for this.
extension DispatchQueue: @retroactive SerialExecutor {
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Stops the program unless it runs on the queue.
  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(self)) }
}
