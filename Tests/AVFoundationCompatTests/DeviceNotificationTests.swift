import Foundation
import Synchronization
import Testing

@testable import AVFoundationCompat

@Suite struct DeviceNotificationTests {
  @Test func device_connections_and_disconnections_are_posted_in_order() async throws {
    let device = try AVCaptureDevice.device(identifier: "pattern:bars")
    let heard = Mutex<[Notification.Name]>([])
    let center = NotificationCenter.default
    let (posted, next) = AsyncStream.makeStream(of: Void.self)
    let observers = [AVCaptureDevice.wasConnectedNotification, .AVCaptureDeviceWasDisconnected].map
    {
      center.addObserver(forName: $0, object: device, queue: nil) { notification in
        heard.withLock { $0.append(notification.name) }
        next.yield()
      }
    }
    defer { observers.forEach(center.removeObserver) }
    let (changes, happen) = AsyncStream.makeStream(of: AVCaptureDevice.PresenceChange.self)
    happen.yield(.connected(device))
    happen.yield(.disconnected(device))
    happen.finish()
    await DeviceChangePoster.post(changes)
    var calls = posted.makeAsyncIterator()
    _ = await (calls.next(), calls.next())
    #expect(
      heard.withLock { $0 } == [
        AVCaptureDevice.wasConnectedNotification, AVCaptureDevice.wasDisconnectedNotification,
      ])
  }
}
