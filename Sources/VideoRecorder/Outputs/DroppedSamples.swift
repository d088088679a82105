import CaptureDevices
public import MediaCore

/// Samples that a data output could not give its consumer.
public struct DroppedSamples: Sendable {
  /// Why.
  public var reason: DropReason
  /// How many: frames of pictures, or frames of sound. A delegate that is far behind is told of many at once, one
  /// reason at a time.
  public var count: Int
  /// When the first of them was, or what followed them where they never came.
  public var presentationTimeStamp: MediaTime
  /// The sample itself, where it came and was too late for a delegate; nil in a sequence, and for a delegate
  /// that is further behind than two of them: they hold the device's memory, which others need.
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

  /// A sample that came, and cannot be brought to the form that is wanted.
  init(unfit sample: SampleBuffer) {
    self.init(
      reason: .formatMismatch, count: sample.sampleCount,
      presentationTimeStamp: sample.presentationTimeStamp, sampleBuffer: sample)
  }
}
