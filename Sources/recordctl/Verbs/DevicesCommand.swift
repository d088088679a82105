import ArgumentParser
import MediaCore
import TakeReports
import VideoRecorder

/// `recordctl devices`
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the available capture devices.",
    discussion:
      "The first column is the identifier for --device and --audio; it survives replugging.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let devices = CaptureDevice.DiscoverySession().devices.map(DeviceListing.init)
    if json { return try Console.print(.devices, DeviceListings(devices: devices)) }
    var table = TextTable()
    table.add("DEVICE", "MEDIA", "NODE", "BEST", "NAME")
    for device in devices {
      table.add(
        device.deviceID, device.mediaTypes.joined(separator: "+"), device.node ?? "-",
        device.bestFormat?.text ?? "-", device.deviceName)
    }
    Console.print(table.lines)
  }
}

/// The devices as they are printed.
private struct DeviceListings: Encodable {
  let devices: [DeviceListing]
}

/// A device as it is printed.
struct DeviceListing: Encodable {
  /// A format and its highest rate.
  struct Best: Encodable {
    let format: String
    let frameRate: String?
    let tier: Int?
    let tierName: String?

    /// `P210 1920x1080 at 60 (tier 1)`
    var text: String {
      format + (frameRate.flatMap { FrameRate($0) }.map { " at \($0)" } ?? "")
        + (tier.map { " (tier \($0))" } ?? "")
    }
  }

  let deviceID: String
  let deviceName: String
  let manufacturer: String
  let model: String
  let serial: String?
  let node: String?
  let mediaTypes: [String]
  /// The best video format.
  let bestFormat: Best?
  let formatCount: Int
  /// Why the device does not tell its formats.
  let error: ErrorSummary?

  init(_ device: CaptureDevice) {
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
}
