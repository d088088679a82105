import CaptureDevices
public import MediaCore

/// Samples that a data output could not give its consumer.
public struct DroppedSamples: Sendable {
  /// Why.
  public var reason: DropReason
  /// The number of video or audio frames. A delegate that is far behind gets one notice for many, separately for
  /// each reason.
  public var count: Int
  /// The time of the first one; if they never arrived, the time of the sample after them.
  public var presentationTimeStamp: MediaTime
  /// The sample, if it arrived but was too late for the delegate. Nil in a sequence, and for a delegate that has two
  /// of them already, because they occupy the device's buffers.
  public var sampleBuffer: SampleBuffer?

  /// Samples that were dropped.
  public init(
    reason: DropReason, count: Int, presentationTimeStamp: MediaTime,
    sampleBuffer: SampleBuffer? = nil
  ) {
    self.reason = reason
    self.count = count
    self.presentationTimeStamp = presentationTimeStamp
    self.sampleBuffer = sampleBuffer
  }

  /// A sample that arrived but cannot be converted to the requested format.
  init(unfit sample: SampleBuffer) {
    self.init(
      reason: .formatMismatch, count: sample.sampleCount,
      presentationTimeStamp: sample.presentationTimeStamp, sampleBuffer: sample)
  }
}
