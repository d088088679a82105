import MediaCore

/// Brings samples to the form that a delegate wants, on its queue, one after the other.
protocol SampleDelivery: Sendable {
  /// False for a sample that the delegate is not to have, and does not miss. Asked where the sample comes.
  func isDue(_ sample: SampleBuffer) -> Bool
  /// Told where the sample comes that it is on its way to the delegate.
  func willGive(_ sample: SampleBuffer)
  /// What becomes of a sample.
  func outcome(of sample: SampleBuffer) -> DeliveryOutcome
}

extension SampleDelivery {
  /// All are.
  func isDue(_ sample: SampleBuffer) -> Bool { true }
  func willGive(_ sample: SampleBuffer) {}
}

/// What becomes of a sample on its way to a delegate.
enum DeliveryOutcome {
  /// It is given in this form.
  case given(SampleBuffer)
  /// It is still in a filter, and comes with a later one.
  case kept
  /// There is no way to the form, or no memory.
  case impossible
}
