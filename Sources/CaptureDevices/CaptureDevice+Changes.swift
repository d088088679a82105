import MediaCore
import SystemPackage

extension CaptureDevice {
  /// A device that came or went.
  public enum PresenceChange: Sendable {
    /// A device was plugged in, or became one that gives pictures or sound.
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
    let watch: DeviceWatch
    do throws(Errno) {
      watch = try DeviceWatch(["/dev", "/dev/snd"], calls: LinuxSystemCalls()) {
        V4L2DeviceDriver.discover() + ALSADeviceDriver.discover()
      }
    } catch {
      throw CaptureError(
        .deviceFailed, "cannot watch for devices: \(error); look for them again instead",
        errno: error)
    }
    let changes = watch.changes()
    let (stream, continuation) = AsyncStream.makeStream(
      of: PresenceChange.self, bufferingPolicy: .bufferingNewest(256))
    let relay = Task {
      for await change in changes { continuation.yield(change.shared) }
      continuation.finish()
    }
    continuation.onTermination = { _ in relay.cancel() }
    return stream
  }
}

extension CaptureDevice.PresenceChange {
  /// The same of the object that everybody has.
  fileprivate var shared: Self {
    switch self {
    case .connected(let device): .connected(SharedDevices.shared(device))
    case .disconnected(let device): .disconnected(SharedDevices.last(device))
    }
  }
}
