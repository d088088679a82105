import Foundation

/// Observes a notification until it is released.
///
/// Unchecked: the center's token is not `Sendable`. It is never reassigned, and only `deinit` uses it.
final class ReadinessObserver: @unchecked Sendable {
  private let token: any NSObjectProtocol

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    token = NotificationCenter.default.addObserver(
      forName: Notification.Name(name), object: nil, queue: nil
    ) { _ in body() }
  }

  deinit { NotificationCenter.default.removeObserver(token) }
}
