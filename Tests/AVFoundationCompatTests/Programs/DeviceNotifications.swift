import AVFoundationCompat

/// Follows cameras as they come and go, and the user's preferred camera.
final class DeviceNotifications: NSObject, @unchecked Sendable {
  private var observers: [any NSObjectProtocol] = []
  private(set) var heard: [Notification.Name] = []

  func start() {
    let center = NotificationCenter.default
    let names: [Notification.Name] = [
      .AVCaptureDeviceWasConnected, .AVCaptureDeviceWasDisconnected,
      AVCaptureDevice.subjectAreaDidChangeNotification,
    ]
    for name in names {
      observers.append(
        center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
          self?.note(notification)
        })
    }
  }

  private func note(_ notification: Notification) {
    guard let device = notification.object as? AVCaptureDevice else { return }
    heard.append(notification.name)
    if device.hasMediaType(.video), notification.name == .AVCaptureDeviceWasDisconnected,
      device == AVCaptureDevice.userPreferredCamera
    {
      AVCaptureDevice.userPreferredCamera = nil
    }
  }

  func stop() {
    observers.forEach { NotificationCenter.default.removeObserver($0) }
    observers.removeAll()
  }

  static func run() async throws {
    let program = DeviceNotifications()
    program.start()
    let device = try AVCaptureDevice.testCamera()
    AVCaptureDevice.userPreferredCamera = device
    expect(AVCaptureDevice.systemPreferredCamera == device, "another camera is preferred")
    let center = NotificationCenter.default
    center.post(name: AVCaptureDevice.wasConnectedNotification, object: device)
    center.post(name: AVCaptureDevice.wasDisconnectedNotification, object: device)
    expect(
      program.heard == [.AVCaptureDeviceWasConnected, .AVCaptureDeviceWasDisconnected],
      "heard \(program.heard)")
    expect(AVCaptureDevice.userPreferredCamera == nil, "a disconnected camera is preferred")
    program.stop()
    center.post(name: AVCaptureDevice.wasConnectedNotification, object: device)
    expect(program.heard.count == 2, "a notification arrived after the end")
    let observation = device.observe(\.isConnected, options: [.initial, .new]) { device, change in
      expect(change.newValue == true && device.isConnected, "the device is not connected")
    }
    observation.invalidate()
  }
}
