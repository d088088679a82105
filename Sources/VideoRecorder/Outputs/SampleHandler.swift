package import CaptureDevices
package import Dispatch
package import MediaCore

/// Takes what a data output gives, on a serial queue.
package struct SampleHandler: Sendable {
  package typealias Deliver = @Sendable (SampleBuffer, CaptureConnection) -> Void
  package typealias Drop = @Sendable (DroppedSamples, CaptureConnection) -> Void

  package var queue: DispatchQueue
  /// Asked on the source's thread as a sample comes, and answers at once: one that is not wanted is not put into
  /// the queue, and was not dropped.
  package var isWanted: @Sendable () -> Bool
  /// A sample.
  package var deliver: Deliver
  /// Samples that could not be given.
  package var drop: Drop
  /// The session has stopped: nothing comes until it starts again.
  package var stop: @Sendable () -> Void

  package init(
    queue: DispatchQueue, isWanted: @escaping @Sendable () -> Bool = { true },
    deliver: @escaping Deliver, drop: @escaping Drop = { _, _ in },
    stop: @escaping @Sendable () -> Void = {}
  ) {
    (self.queue, self.isWanted, self.deliver, self.drop, self.stop) =
      (queue, isWanted, deliver, drop, stop)
  }
}

extension CaptureError {
  /// A delegate that could not be called anywhere.
  package static let delegateLacksQueue = CaptureError(
    .invalidArgument, "a sample buffer delegate needs a queue; pass a serial one")
}
