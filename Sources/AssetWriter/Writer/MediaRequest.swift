import Dispatch

/// A program's wish to be called whenever an input takes samples.
final class MediaRequest: Sendable {
  /// How soon a block that had nothing to append is asked again.
  static let patience = DispatchTimeInterval.milliseconds(10)

  private let queue: DispatchQueue
  private let run: @Sendable (MediaRequest) -> Void

  /// A request.
  ///
  /// - Parameters:
  ///   - queue: Where the block runs.
  ///   - run: Runs the block, and sees to the next call.
  init(on queue: DispatchQueue, run: @escaping @Sendable (MediaRequest) -> Void) {
    self.queue = queue
    self.run = run
  }

  /// Has the block run on its queue.
  func call() { queue.async { [self] in run(self) } }

  /// As ``call()``, a little later.
  func callLater() {
    queue.asyncAfter(deadline: .now() + Self.patience) { [self] in run(self) }
  }
}
