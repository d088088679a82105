import ArgumentParser
import MediaCore
import VideoRecorder

/// `recordctl formats DEVICE`
struct FormatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formats",
    abstract: "Lists the formats of a device with their tiers and the codecs that each can feed.",
    discussion: """
      Tiers, best first: 1 native 10-bit 4:2:2; 2 more than 10 bits, reduced; 3 8-bit 4:2:2; \
      4 10-bit 4:2:0; 5 8-bit 4:2:0 and compressed video. Tiers 3 to 5 are recorded only with \
      --allow-fallback.
      """)

  @Argument(
    help: "The device's identifier, as listed by `recordctl devices`.",
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
    if json {
      return try Console.print(
        .formats,
        FormatListings(
          deviceID: device.uniqueID, deviceName: device.localizedName, formats: listings))
    }
    var table = TextTable()
    table.add("FORMAT", "SIZE", "FIELDS", "RATES", "COLOUR", "TIER", "CODECS")
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

/// A format as it is printed.
struct FormatListing: Encodable {
  /// Rates from one to another.
  struct RateRange: Encodable {
    let minimum: String
    let maximum: String
  }

  let format: String
  let mediaSubType: String?
  let width: Int?
  let height: Int?
  let fieldOrder: FieldOrder?
  /// The rates, where they can be listed.
  let frameRates: [String]
  /// The rates, where they cannot.
  let frameRateRanges: [RateRange]
  let color: String?
  let tier: Int?
  let tierName: String?
  /// True where the codecs need a fallback to be allowed.
  let needsFallback: Bool
  let isEmulated: Bool
  let input: Int?
  /// The codecs that it can feed, by their sample-entry codes.
  let codecs: [String]

  init(_ format: CaptureDevice.Format) {
    let video = format.video
    self.format =
      video.map { video in
        "\(format.nativeCode?.description ?? video.pixelFormat?.description ?? "\(video.mediaSubType)")"
      } ?? "\(format)"
    mediaSubType = video?.mediaSubType.description
    width = video?.dimensions.width
    height = video?.dimensions.height
    fieldOrder = video?.fieldOrder
    frameRates = video == nil ? [] : format.frameRates.map(\.fraction)
    frameRateRanges =
      video == nil || !format.frameRates.isEmpty
      ? []
      : format.videoSupportedFrameRateRanges.map {
        RateRange(minimum: "\($0.minFrameRate)", maximum: "\($0.maxFrameRate)")
      }
    color = video?.color.description
    tier = format.tier?.rawValue
    tierName = format.tier?.displayName
    needsFallback = !(format.tier?.isTrue10Bit422 ?? true)
    isEmulated = format.isEmulated
    input = format.inputIndex
    codecs = format.videoCodecTypes.map(\.rawValue)
  }

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
