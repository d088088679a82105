import Dispatch
public import MediaCore

/// Receives the samples of a data output, on the queue that was set with the delegate.
public protocol CaptureDataOutputSampleBufferDelegate: AnyObject, Sendable {
  /// Called with a sample buffer.
  func captureOutput(
    _ output: CaptureOutput, didOutput sampleBuffer: SampleBuffer,
    from connection: CaptureConnection)

  /// Called when samples were lost, with the reason.
  func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection)
}

extension CaptureDataOutputSampleBufferDelegate {
  /// Does nothing.
  public func captureOutput(
    _ output: CaptureOutput, didDrop samples: DroppedSamples,
    from connection: CaptureConnection
  ) {}
}

extension SampleHandler {
  /// Calls an output's delegate. Holds neither of them.
  init(
    _ delegate: any CaptureDataOutputSampleBufferDelegate, of output: CaptureOutput,
    on queue: DispatchQueue
  ) {
    self.init(
      queue: queue,
      deliver: { [weak output, weak delegate] sample, connection in
        guard let output else { return }
        delegate?.captureOutput(output, didOutput: sample, from: connection)
      },
      drop: { [weak output, weak delegate] drop, connection in
        guard let output else { return }
        delegate?.captureOutput(output, didDrop: drop, from: connection)
      })
  }
}
