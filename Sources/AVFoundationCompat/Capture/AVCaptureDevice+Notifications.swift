import Dispatch
public import Foundation
public import VideoRecorder

extension CaptureDevice {
  /// A device came: the notification's object. Posted from the first time on that the program uses the
  /// name of this notification or of ``wasDisconnectedNotification``, on a queue of their own; never where
  /// the process had no descriptors left then, of which `CaptureDevice.changes()` tells by its error.
  public static let wasConnectedNotification: Notification.Name = {
    DeviceChangePoster.begin()
    return DeviceChangePoster.connected
  }()

  /// A device went: the notification's object, which is the one that was looked up. Posted as
  /// ``wasConnectedNotification`` is; a session that used the device is interrupted besides.
  public static let wasDisconnectedNotification: Notification.Name = {
    DeviceChangePoster.begin()
    return DeviceChangePoster.disconnected
  }()

  /// What is in front of a phone's camera changed. Not posted here.
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
  /// The format of an input's port became another. Not posted here.
  public static let AVCaptureInputPortFormatDescriptionDidChange = NSNotification.Name(
    "AVCaptureInputPortFormatDescriptionDidChangeNotification")
}

/// Posts the devices that come and go.
enum DeviceChangePoster {
  static let connected = Notification.Name("AVCaptureDeviceWasConnectedNotification")
  static let disconnected = Notification.Name("AVCaptureDeviceWasDisconnectedNotification")

  /// Watches devices until the process ends; later calls do nothing.
  static func begin() { _ = watch }

  private static let watch: Task<Void, Never>? = {
    // A name cannot throw.
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
