public import Foundation

extension NotificationCenter {
  /// Notifications as an asynchronous sequence.
  public struct Notifications: AsyncSequence {
    let center: NotificationCenter
    let name: Notification.Name
    // Only compared.
    let object: AnyObject?

    /// An iterator over notifications posted from now on.
    public func makeAsyncIterator() -> AsyncStream<Notification>.Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
      let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
        // Apple's Notification is not Sendable either: the poster must not change its objects after posting.
        nonisolated(unsafe) let sent = notification
        continuation.yield(sent)
      }
      // NotificationCenter is thread-safe, and the observer is only compared.
      nonisolated(unsafe) let kept = (center, observer)
      continuation.onTermination = { _ in kept.0.removeObserver(kept.1) }
      return stream.makeAsyncIterator()
    }
  }

  /// The notifications with a name, from the moment iteration begins.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil)
    -> Notifications
  {
    Notifications(center: self, name: name, object: object)
  }
}
