package import CaptureDevices
package import Dispatch
package import MediaCore

/// Takes what a data output gives, on a serial queue.
package struct SampleHandler: Sendable {
  package typealias Deliver = @Sendable (SampleBuffer, CaptureConnection) -> Void
  package typealias Drop = @Sendable (DroppedSamples, CaptureConnection) -> Void

  package var queue: DispatchQueue
  /// A sample.
  package var deliver: Deliver
  /// Samples that could not be given.
  package var drop: Drop
  /// The session has stopped: nothing comes until it starts again.
  package var stop: @Sendable () -> Void

  package init(
    queue: DispatchQueue, deliver: @escaping Deliver, drop: @escaping Drop = { _, _ in },
    stop: @escaping @Sendable () -> Void = {}
  ) {
    (self.queue, self.deliver, self.drop, self.stop) = (queue, deliver, drop, stop)
  }
}

extension CaptureError {
  /// A delegate that could not be called anywhere.
  package static let delegateLacksQueue = CaptureError(
    .invalidArgument, "a sample buffer delegate needs a queue; pass a serial one")
}
