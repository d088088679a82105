/// How long the end of a take waits for audio that is behind its video; a test that must not depend
/// on the machine's speed sets its own values here.
package struct AudioPatience: Sendable {
  /// Seconds without any audio after which the rest is no longer awaited.
  package var silence: Double
  /// Seconds for which the rest is awaited at most.
  package var total: Double

  package init(silence: Double = 1, total: Double = 10) {
    self.silence = silence
    self.total = total
  }
}
