public import MediaCore
package import Synchronization

/// A source of video or audio, like `AVCaptureDevice`.
///
/// A device is only a description and a choice of format until a `CaptureSession` streams from
/// it: looking at it takes nothing from anybody.
public final class CaptureDevice: Sendable {
  /// The identity of a device, which stays the same when it is replugged.
  public struct Identity: Sendable, Hashable {
    /// The identifier that finds the device again: `v4l2:usb-0000:00:14.0-2`, `pattern:bars`.
    public var uniqueID: String
    /// The name for people.
    public var localizedName: String
    /// The maker, where known.
    public var manufacturer: String
    /// The model, where known.
    public var modelID: String
    /// The serial number, where the device has one.
    public var serialNumber: String?
    /// The device node at present, such as `/dev/video0`, where there is one.
    public var node: String?
    /// Where it is attached at present, such as `usb-0000:00:14.0-2` or `PCI:0000:03:00.0`, where that is
    /// known.
    public var busPath: String?
    /// What it delivers.
    public var mediaType: MediaType

    /// An identity from its parts.
    public init(
      uniqueID: String, localizedName: String, manufacturer: String = "", modelID: String = "",
      serialNumber: String? = nil, node: String? = nil, busPath: String? = nil,
      mediaType: MediaType
    ) {
      self.uniqueID = uniqueID
      self.localizedName = localizedName
      self.manufacturer = manufacturer
      self.modelID = modelID
      self.serialNumber = serialNumber
      self.node = node
      self.busPath = busPath
      self.mediaType = mediaType
    }
  }

  /// The device's identity.
  public var identity: Identity { driver.identity }
  /// The way to the hardware.
  package let driver: any CaptureDeviceDriver
  /// What was chosen for the next stream; ``CaptureDevice/activeFormat`` and its kin work on it.
  package let configuration = Mutex(Configuration())

  /// A device behind a driver.
  public init(driver: any CaptureDeviceDriver) { self.driver = driver }

  /// The identifier that finds the device again, also after a replug.
  public var uniqueID: String { identity.uniqueID }
  /// The name for people.
  public var localizedName: String { identity.localizedName }
  /// The model, empty where not known.
  public var modelID: String { identity.modelID }
  /// The maker, empty where not known.
  public var manufacturer: String { identity.manufacturer }
  /// False once the device is gone.
  public var isConnected: Bool { driver.isConnected }

  /// What kind of device it is.
  public var deviceType: DeviceType { DeviceType(uniqueID: uniqueID) }

  /// False for a file: taken again after a failure, it would begin at its beginning.
  package var canComeBack: Bool { deviceType != .file }

  /// True where the device delivers that type of media.
  public func hasMediaType(_ mediaType: MediaType) -> Bool {
    if identity.mediaType == mediaType { return true }
    return formats.contains { $0.formatDescription.mediaType == mediaType }
  }

  /// What the device can deliver, in its own order; empty where it does not answer.
  ///
  /// The device is asked once; ``queryFormats()`` asks again, which a new signal on its input
  /// makes necessary, and says why where it does not answer.
  public var formats: [Format] {
    if let known = configuration.withLock({ $0.formats }) { return known }
    return (try? queryFormats()) ?? []
  }

  /// Asks the device what it can deliver now.
  ///
  /// - Throws: What the driver says: gone, busy, refused, without a signal.
  @discardableResult
  public func queryFormats() throws(CaptureError) -> [Format] {
    let formats = try driver.formats()
    configuration.withLock { state in
      state.formats = formats
      if let active = state.activeFormat, !formats.contains(active) { state.forgetFormat() }
    }
    return formats
  }
}

extension CaptureDevice: CustomStringConvertible {
  /// The name and the identifier.
  public var description: String { "\(localizedName) (\(uniqueID))" }
}

extension CaptureDevice: Hashable {
  /// True for the same object. ``device(identifier:)`` makes a new one each time, with a configuration of
  /// its own; the other ways to look a device up share theirs.
  public static func == (lhs: CaptureDevice, rhs: CaptureDevice) -> Bool { lhs === rhs }
  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
