public import CaptureDevices
public import MediaCore

/// A format of a device in a few values: what `formats --json` prints.
public struct FormatListing: Encodable, Sendable {
  /// Rates from one to another.
  public struct RateRange: Encodable, Sendable {
    /// Frames a second at the least.
    public let minimum: String
    /// Frames a second at the most.
    public let maximum: String
  }

  /// The device's code for the layout; for audio, the whole format.
  public let format: String
  /// The class of layouts, as Apple names it; nil for audio.
  public let mediaSubType: String?
  /// Pixels in a row; nil for audio.
  public let width: Int?
  /// Rows of the frame; nil for audio.
  public let height: Int?
  /// The order of fields; nil for audio.
  public let fieldOrder: FieldOrder?
  /// The rates as fractions, where they can be listed.
  public let frameRates: [String]
  /// The rates, where they cannot.
  public let frameRateRanges: [RateRange]
  /// Primaries, transfer function, matrix and range; nil for audio.
  public let color: String?
  /// The tier's number, 1 for the best; nil for what has none.
  public let tier: Int?
  /// The tier in words.
  public let tierName: String?
  /// True where the codecs need a fallback to be allowed.
  public let needsFallback: Bool
  /// True where libv4l2 makes the format of another one.
  public let isEmulated: Bool
  /// The device's input; nil for a device with one.
  public let input: Int?
  /// The codecs that it can feed, by their sample-entry codes.
  public let codecs: [String]

  /// A format of a device.
  public init(_ format: CaptureDevice.Format) {
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

  /// The formats that a device offers now: video from the best tier on, then Bayer, then audio.
  ///
  /// - Throws: What the device's driver says.
  public static func all(of device: CaptureDevice) throws(CaptureError) -> [FormatListing] {
    let formats = try device.queryFormats()
    return FormatSelector.ordered(formats).map(FormatListing.init)
      + formats.filter { $0.video?.pixelFormat?.isBayer == true }.map(FormatListing.init)
      + formats.filter { $0.audio != nil }.map(FormatListing.init)
  }
}
