import Synchronization

/// Carries a value that is not `Sendable` from the thread that made it to the one that uses it.
///
/// The value leaves with ``take()``, so two threads never hold it, and the compiler ensures that
/// the thread that put it in keeps no reference into it.
package final class Handover<Value>: Sendable {
  private let value: Mutex<Value?>

  package init(_ value: consuming sending Value) { self.value = Mutex(value) }

  /// The value, once; nil from then on.
  package func take() -> sending Value? {
    value.withLock { slot in
      let value = slot
      slot = nil
      return value
    }
  }
}
