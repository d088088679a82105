import Foundation

/// Listens to a notification for as long as it is held.
///
/// Unchecked because the center's token is no `Sendable` type: nobody sets it again, and only `deinit` uses it.
final class ReadinessObserver: @unchecked Sendable {
  private let token: any NSObjectProtocol

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    token = NotificationCenter.default.addObserver(
      forName: Notification.Name(name), object: nil, queue: nil
    ) { _ in body() }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
