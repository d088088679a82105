import ArgumentParser
import MediaCore
import VideoRecorder

/// `recordctl formats DEVICE`
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "Lists every format of a device, its tier, and the codecs that it can feed.",
    discussion: """
      Tiers, best first: 1 native 10-bit 4:2:2; 2 more than 10 bits, reduced; 3 8-bit 4:2:2; \
      4 10-bit 4:2:0; 5 8-bit 4:2:0 and compressed pictures. Tiers 3 to 5 are recorded only with \
      --allow-fallback.
      """)

  @Argument(
    help: "The device's identifier, as `recordctl devices` prints it.",
    completion: Completion.devices)
  var device: String

  @Flag(help: "Print JSON.")
  var json = false

  func run() throws {
    let device = try CaptureDevice.device(identifier: device)
    let formats = try device.queryFormats()
    let listings =
      FormatSelector.ordered(formats).map(FormatListing.init)
      + formats.filter { $0.video?.pixelFormat?.isBayer == true }.map(FormatListing.init)
      + formats.filter { $0.audio != nil }.map(FormatListing.init)
    if json { return try Console.print(json: listings) }
    var table = TextTable()
    table.add("FORMAT", "SIZE", "SCAN", "RATES", "COLOUR", "TIER", "CODECS")
    for format in listings {
      table.add(
        format.format, format.size ?? "-", format.scan ?? "-", format.rates, format.colour ?? "-",
        format.tier.map { "\($0) (\(format.tierName ?? ""))" } ?? "-",
        format.codecs.joined(separator: " "))
    }
    Console.print(table.lines)
  }
}

/// A format as it is printed.
struct FormatListing: Encodable {
  let format: String
  let mediaSubType: String?
  let size: String?
  let scan: String?
  /// Rates in words: a list, or spans.
  let rates: String
  let colour: String?
  let tier: Int?
  let tierName: String?
  /// True where the codecs need --allow-fallback.
  let needsFallback: Bool
  let isEmulated: Bool
  let input: Int?
  let codecs: [String]

  init(_ format: CaptureDevice.Format) {
    let video = format.video
    self.format =
      video.map { video in
        "\(format.nativeCode?.description ?? video.pixelFormat?.description ?? "\(video.mediaSubType)")"
      } ?? "\(format)"
    mediaSubType = video?.mediaSubType.description
    size = video?.dimensions.description
    scan = video.map { video in
      switch video.fieldOrder {
      case .progressive: "progressive"
      case .topFieldFirst: "top-field-first"
      case .bottomFieldFirst: "bottom-field-first"
      }
    }
    rates =
      video == nil
      ? "-"
      : format.frameRates.isEmpty
        ? format.videoSupportedFrameRateRanges.map { "\($0.minFrameRate)-\($0.maxFrameRate)" }
          .joined(separator: ",")
        : format.frameRates.map(\.description).joined(separator: ",")
    colour = video?.color.description
    tier = format.tier?.rawValue
    tierName = format.tier?.displayName
    needsFallback = !(format.tier?.isTrue10Bit422 ?? true)
    isEmulated = format.isEmulated
    input = format.inputIndex
    codecs = format.videoCodecTypes.map(\.shortName)
  }
}
