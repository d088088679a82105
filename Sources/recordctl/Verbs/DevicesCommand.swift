import ArgumentParser
import MediaCore
import VideoRecorder

/// `recordctl devices`
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the capture devices that are present.",
    discussion: "The first column is what --device and --audio take; it outlives a replug.")

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let devices = CaptureDevice.DiscoverySession().devices.map(DeviceListing.init)
    if json { return try Console.print(json: devices) }
    var table = TextTable()
    table.add("DEVICE", "MEDIA", "NODE", "BEST", "NAME")
    for device in devices {
      table.add(
        device.id, device.media.joined(separator: "+"), device.node ?? "-",
        device.best.map { best in device.tier.map { "\(best) (tier \($0))" } ?? best } ?? "-",
        device.name)
    }
    Console.print(table.lines)
  }
}

/// A device as it is printed.
struct DeviceListing: Encodable {
  let id: String
  let name: String
  let manufacturer: String
  let model: String
  let serial: String?
  let node: String?
  let media: [String]
  /// The best format, where there are pictures.
  let best: String?
  /// Its tier.
  let tier: Int?
  let formatCount: Int
  /// Why the device does not tell its formats.
  let problem: String?

  init(_ device: CaptureDevice) {
    let identity = device.identity
    id = identity.uniqueID
    name = identity.localizedName
    manufacturer = identity.manufacturer
    model = identity.modelID
    serial = identity.serialNumber
    node = identity.node
    var formats: [CaptureDevice.Format] = []
    var problem: String?
    do { formats = try device.queryFormats() } catch { problem = error.message }
    self.problem = problem
    formatCount = formats.count
    let types = Set(formats.map(\.formatDescription.mediaType)).union([identity.mediaType])
    media = [(MediaType.video, "video"), (.audio, "audio")]
      .filter { types.contains($0.0) }.map(\.1)
    let first = FormatSelector.ordered(formats).first
    best = first.map { format in
      "\(format)" + (format.highestFrameRate.map { " at \($0)" } ?? "")
    }
    tier = first?.tier?.rawValue
  }
}
