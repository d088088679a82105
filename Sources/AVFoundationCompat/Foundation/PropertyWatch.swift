import Dispatch
import Synchronization

/// Looks at one property again and again, and tells of each change.
///
/// Unchecked: what it looks at are properties of objects that are used from any thread, and values are
/// compared and told on one serial queue, ``PropertyWatch/queue``.
final class PropertyWatch: @unchecked Sendable {
  /// How often properties are looked at, in milliseconds.
  static let interval = 20
  private static let queue = DispatchQueue(label: "property-observations")
  private static let all = Mutex(Register())

  private struct Register: Sendable {
    var watches: [ObjectIdentifier: PropertyWatch] = [:]
    var timer: Timer?
  }

  /// Unchecked: made, resumed and cancelled under the register's lock.
  private struct Timer: @unchecked Sendable {
    let source: any DispatchSourceTimer
  }

  private let isOver = Atomic(false)
  /// Looks, and tells; false once what it looks at is gone.
  private let look: () -> Bool

  init(_ look: @escaping () -> Bool) { self.look = look }

  /// Looks from now on.
  func begin() {
    Self.all.withLock { register in
      register.watches[ObjectIdentifier(self)] = self
      guard register.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: Self.queue)
      timer.schedule(
        deadline: .now() + .milliseconds(Self.interval), repeating: .milliseconds(Self.interval),
        leeway: .milliseconds(Self.interval / 4))
      timer.setEventHandler { Self.lookAtAll() }
      timer.resume()
      register.timer = Timer(source: timer)
    }
  }

  /// No call begins after it.
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

  private static func lookAtAll() {
    for watch in all.withLock({ Array($0.watches.values) }) {
      guard !watch.isOver.load(ordering: .sequentiallyConsistent) else { continue }
      if !watch.look() { watch.end() }
    }
  }
}
