public import Foundation

extension NotificationCenter {
  /// Notifications as an asynchronous sequence.
  public struct Notifications: AsyncSequence {
    let center: NotificationCenter
    let name: Notification.Name
    // Compared alone.
    let object: AnyObject?

    /// A reader of the sequence; it sees what is posted from now on.
    public func makeAsyncIterator() -> AsyncStream<Notification>.Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: Notification.self)
      let observer = center.addObserver(forName: name, object: object, queue: nil) { notification in
        // Apple's Notification is not Sendable either: who posts one must not change its objects after that.
        nonisolated(unsafe) let sent = notification
        continuation.yield(sent)
      }
      // A notification center locks itself, and the observer is only compared.
      nonisolated(unsafe) let kept = (center, observer)
      continuation.onTermination = { _ in kept.0.removeObserver(kept.1) }
      return stream.makeAsyncIterator()
    }
  }

  /// The notifications of a name, from the moment on at which the sequence is read.
  public func notifications(named name: Notification.Name, object: AnyObject? = nil)
    -> Notifications
  {
    Notifications(center: self, name: name, object: object)
  }
}
