import MediaCore
import SystemPackage

extension CaptureDevice {
  /// A device that came or went.
  public enum PresenceChange: Sendable {
    /// A device was plugged in, or became one that delivers video or audio.
    case connected(CaptureDevice)
    /// A device is no longer there.
    case disconnected(CaptureDevice)
  }

  /// The cards, cameras and sound cards that come and go from now on.
  ///
  /// Each is the object that a ``DiscoverySession`` finds. A device that changes its node between two looks
  /// counts as gone and come. The stream ends when its task is cancelled; more than 256 changes that nobody
  /// takes push out the oldest. Where the system cannot watch `/dev` (a user has few inotify instances), it
  /// is looked at every two seconds.
  ///
  /// - Throws: ``CaptureError/Code/deviceFailed`` where the process has no descriptors left.
  public static func changes() throws(CaptureError) -> AsyncStream<PresenceChange> {
    do throws(Errno) {
      // Objects are shared with look-ups by identifier, so that a device that is removed is the one that programs hold.
      return try DeviceWatch(["/dev", "/dev/snd"], calls: LinuxSystemCalls()) {
        (V4L2DeviceDriver.discover() + ALSADeviceDriver.discover()).map(SharedDevices.shared)
      }.changes()
    } catch {
      throw CaptureError(
        .deviceFailed, "cannot watch for devices: \(error); list them again instead",
        errno: error)
    }
  }
}
