import MediaCore

/// Brings samples to the form that a delegate wants, on its queue, one after the other.
protocol SampleDelivery: Sendable {
  /// What becomes of a sample.
  func outcome(of sample: SampleBuffer) -> DeliveryOutcome
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
