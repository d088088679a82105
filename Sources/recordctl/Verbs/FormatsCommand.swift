import ArgumentParser
import MediaCore
import VideoRecorder

/// `recordctl formats DEVICE`
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract:
      "Lists a device's formats, with the tier of each and the codecs it can be recorded to.",
    discussion: """
      Tiers, best first: 1 native 10-bit 4:2:2; 2 more than 10 bits, reduced to 10; 3 8-bit 4:2:2; \
      4 10-bit 4:2:0; 5 8-bit 4:2:0 and compressed video. Tiers 3 to 5 are recorded only with \
      --allow-fallback.
      """)

  @Argument(
    help: "Device identifier, as listed by `recordctl devices`.",
    completion: Completion.devices)
  var device: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let device = try CaptureDevice.device(identifier: device)
    let listings = try FormatListing.all(of: device)
    if json {
      return try Console.print(
        .formats,
        FormatListings(
          deviceID: device.uniqueID, deviceName: device.localizedName, formats: listings))
    }
    var table = TextTable()
    table.add("FORMAT", "SIZE", "FIELDS", "RATES", "COLOR", "TIER", "CODECS")
    for format in listings {
      table.add(
        format.format, format.size ?? "-", format.fieldOrder?.optionName ?? "-", format.rates,
        format.color ?? "-", format.tier.map { "\($0) (\(format.tierName ?? ""))" } ?? "-",
        format.codecs.map { VideoCodecType(rawValue: $0).shortName }.joined(separator: " "))
    }
    Console.print(table.lines)
  }
}

/// The formats of a device as they are printed.
private struct FormatListings: Encodable {
  let deviceID: String
  let deviceName: String
  let formats: [FormatListing]
}

extension FormatListing {
  /// `1920x1080`
  fileprivate var size: String? {
    width.flatMap { width in height.map { "\(width)x\($0)" } }
  }

  /// The rates by their short names.
  fileprivate var rates: String {
    let list = frameRates.map { FrameRate($0)?.description ?? $0 }
    let all = list + frameRateRanges.map { "\($0.minimum)-\($0.maximum)" }
    return all.isEmpty ? "-" : all.joined(separator: ",")
  }
}
