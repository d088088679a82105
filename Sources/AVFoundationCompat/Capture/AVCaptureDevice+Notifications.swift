import Dispatch
public import Foundation
public import VideoRecorder

extension CaptureDevice {
  /// A device was connected; it is the notification's object. Posted on a private queue once the program has first used
  /// this name or ``wasDisconnectedNotification``. Never posted if the process had no free file descriptors at that
  /// time; `CaptureDevice.changes()` reports that as an error.
  public static let wasConnectedNotification: Notification.Name = {
    DeviceChangePoster.begin()
    return DeviceChangePoster.connected
  }()

  /// A device was disconnected; the notification's object is the device that was looked up. Posted like
  /// ``wasConnectedNotification``. A session that used the device is also interrupted.
  public static let wasDisconnectedNotification: Notification.Name = {
    DeviceChangePoster.begin()
    return DeviceChangePoster.disconnected
  }()

  /// The subject area of a phone's camera changed. Not posted here.
  public static let subjectAreaDidChangeNotification = Notification.Name(
    "AVCaptureDeviceSubjectAreaDidChangeNotification")
}

extension NSNotification.Name {
  /// `CaptureDevice.wasConnectedNotification`, by its older name.
  public static let AVCaptureDeviceWasConnected = CaptureDevice.wasConnectedNotification
  /// `CaptureDevice.wasDisconnectedNotification`, by its older name.
  public static let AVCaptureDeviceWasDisconnected = CaptureDevice.wasDisconnectedNotification
  /// `CaptureDevice.subjectAreaDidChangeNotification`, by its older name.
  public static let AVCaptureDeviceSubjectAreaDidChange =
    CaptureDevice.subjectAreaDidChangeNotification
  /// The format of an input port changed. Not posted here.
  public static let AVCaptureInputPortFormatDescriptionDidChange = NSNotification.Name(
    "AVCaptureInputPortFormatDescriptionDidChangeNotification")
}

/// Posts connections and disconnections of devices.
enum DeviceChangePoster {
  static let connected = Notification.Name("AVCaptureDeviceWasConnectedNotification")
  static let disconnected = Notification.Name("AVCaptureDeviceWasDisconnectedNotification")

  /// Watches devices until the process ends; later calls do nothing.
  static func begin() { _ = watch }

  private static let watch: Task<Void, Never>? = {
    // The notification name's initializer cannot throw.
    guard let changes = try? CaptureDevice.changes() else { return nil }
    return Task { await post(changes) }
  }()

  static func post(_ changes: AsyncStream<CaptureDevice.PresenceChange>) async {
    let queue = DispatchQueue(label: "capture-device-notifications")
    for await change in changes {
      queue.async {
        let (name, device) =
          switch change {
          case .connected(let device): (connected, device)
          case .disconnected(let device): (disconnected, device)
          }
        NotificationCenter.default.post(name: name, object: device)
      }
    }
  }
}
