import Dispatch
import Synchronization

/// Polls one property and reports each change.
///
/// Unchecked because `look` is not `@Sendable`: it runs only on the serial queue ``PropertyWatch/queue``, and reads
/// properties of objects that can be used from any thread.
final class PropertyWatch: @unchecked Sendable {
  /// The polling interval, in milliseconds.
  static let interval = 20
  private static let queue = DispatchQueue(label: "property-observations")
  private static let all = Mutex(Register())

  private struct Register: Sendable {
    var watches: [ObjectIdentifier: PropertyWatch] = [:]
    var timer: Timer?
  }

  /// Unchecked: created, resumed and cancelled only under the register's lock.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
  }

  private let isOver = Atomic(false)
  /// Checks the property and reports a change; false once the object is gone.
  private let look: () -> Bool

  init(_ look: @escaping () -> Bool) { self.look = look }

  /// Starts polling.
  func begin() {
    Self.all.withLock { register in
      register.watches[ObjectIdentifier(self)] = self
      guard register.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: Self.queue)
      timer.schedule(
        deadline: .now() + .milliseconds(Self.interval), repeating: .milliseconds(Self.interval),
        leeway: .milliseconds(Self.interval / 4))
      timer.setEventHandler { Self.inspectAll() }
      timer.resume()
      register.timer = Timer(source: timer)
    }
  }

  /// Stops polling: no call begins afterwards.
  func end() {
    isOver.store(true, ordering: .sequentiallyConsistent)
    Self.all.withLock { register in
      register.watches[ObjectIdentifier(self)] = nil
      if register.watches.isEmpty {
        register.timer?.source.cancel()
        register.timer = nil
      }
    }
  }

  private static func inspectAll() {
    for watch in all.withLock({ Array($0.watches.values) }) {
      guard !watch.isOver.load(ordering: .sequentiallyConsistent) else { continue }
      if !watch.look() { watch.end() }
    }
  }
}
