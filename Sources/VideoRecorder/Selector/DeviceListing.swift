public import CaptureDevices
public import MediaCore

/// A capture device in a few values: what `devices --json` prints, and a menu shows.
public struct DeviceListing: Encodable, Sendable {
  /// A format and its highest rate.
  public struct Best: Encodable, Sendable {
    /// The layout and size.
    public let format: String
    /// The highest rate, as a fraction; nil where the device does not say.
    public let frameRate: String?
    /// The tier's number, 1 for the best; nil for audio.
    public let tier: Int?
    /// The tier in words.
    public let tierName: String?
  }

  /// The identifier that survives replugging.
  public let deviceID: String
  /// The name for people.
  public let deviceName: String
  /// Who made it; empty where the device does not say.
  public let manufacturer: String
  /// The manufacturer's name of the model; empty where the device does not say.
  public let model: String
  /// The serial number; nil where the device has none.
  public let serial: String?
  /// The path of the device node; nil for a device without one.
  public let node: String?
  /// `video`, `audio` or both.
  public let mediaTypes: [String]
  /// The best video format; nil for a device without video.
  public let bestFormat: Best?
  /// Formats that the device offers now.
  public let formatCount: Int
  /// Why the device does not tell its formats.
  public let error: ErrorSummary?

  /// Asks a device for its formats. A device that does not answer is listed with the reason.
  public init(_ device: CaptureDevice) {
    let identity = device.identity
    deviceID = identity.uniqueID
    deviceName = identity.localizedName
    manufacturer = identity.manufacturer
    model = identity.modelID
    serial = identity.serialNumber
    node = identity.node
    var formats: [CaptureDevice.Format] = []
    var failure: CaptureError?
    do throws(CaptureError) { formats = try device.queryFormats() } catch { failure = error }
    error = failure.map { ErrorSummary($0) }
    formatCount = formats.count
    let types = Set(formats.map(\.formatDescription.mediaType)).union([identity.mediaType])
    mediaTypes = [(MediaType.video, "video"), (.audio, "audio")]
      .filter { types.contains($0.0) }.map(\.1)
    let first = FormatSelector.ordered(formats).first
    bestFormat = first.map { format in
      Best(
        format: "\(format)", frameRate: format.highestFrameRate?.fraction,
        tier: format.tier?.rawValue, tierName: format.tier?.displayName)
    }
  }

  /// All devices of this machine, the best first.
  public static func all() -> [DeviceListing] {
    CaptureDevice.DiscoverySession().devices.map(DeviceListing.init)
  }
}
