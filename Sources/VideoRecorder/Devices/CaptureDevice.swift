public import MediaCore
import Synchronization

/// A source of pictures or sound, as `AVCaptureDevice` is one.
public final class CaptureDevice: Sendable {
  /// Who a device is, in a way that outlives a replug.
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
    /// What it delivers.
    public var mediaType: MediaType

    /// An identity from its parts.
    public init(
      uniqueID: String, localizedName: String, manufacturer: String = "", modelID: String = "",
      serialNumber: String? = nil, node: String? = nil, mediaType: MediaType
    ) {
      self.uniqueID = uniqueID
      self.localizedName = localizedName
      self.manufacturer = manufacturer
      self.modelID = modelID
      self.serialNumber = serialNumber
      self.node = node
      self.mediaType = mediaType
    }
  }

  /// Who the device is.
  public var identity: Identity { driver.identity }
  /// The way to the hardware.
  let driver: any CaptureDeviceDriver

  /// A device behind a driver.
  public init(driver: any CaptureDeviceDriver) { self.driver = driver }
}
