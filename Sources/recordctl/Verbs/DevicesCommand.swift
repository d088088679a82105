import ArgumentParser
import MediaCore
import VideoRecorder

/// `recordctl devices`
struct DevicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices", abstract: "Lists the available capture devices.",
    discussion:
      """
      The first column is the identifier for --device and --audio. It stays the same when the \
      device is unplugged and plugged back into the same port. `v4l2:SERIAL`, with the serial \
      number that --json prints, identifies a device on any port.
      """)

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let devices = DeviceListing.all()
    let refusals = V4L2DeviceDriver.refusals()
    for refusal in refusals { Console.note(refusal.message) }
    if json {
      let listings = DeviceListings(devices: devices, refusals: refusals.map { ErrorSummary($0) })
      return try Console.print(.devices, listings)
    }
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
  /// Why nodes are not among the devices.
  let refusals: [ErrorSummary]
}

extension DeviceListing.Best {
  /// `P210 1920x1080 at 60 (tier 1)`
  fileprivate var text: String {
    format + (frameRate.flatMap { FrameRate($0) }.map { " at \($0)" } ?? "")
      + (tier.map { " (tier \($0))" } ?? "")
  }
}
