public import Dispatch

/// A queue that runs one thing after the other, and with it actors: Dispatch on Linux has one class for all
/// queues.
public typealias DispatchSerialQueue = DispatchQueue

/// A serial queue runs an actor's work: `nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }`.
/// A concurrent queue must not be asked to.
extension DispatchQueue: @retroactive SerialExecutor {
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Stops the program where it does not run on the queue.
  public func checkIsolated() { dispatchPrecondition(condition: .onQueue(self)) }
}
