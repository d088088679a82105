import MediaCore
import ProRes

/// A preset whose name says what it is: a format and a codec, as in `1080p25-hq`.
///
/// All of them have the text of `presets/1080p25-hq.toml` but for the summary, the size, the rate, the scan,
/// the codec and the comment at the top.
struct StandardPreset: Sendable, Hashable {
  /// A size, rate and scan that capture devices deliver.
  struct Format: Sendable, Hashable {
    let name: String
    /// The name in a summary.
    let title: String
    let dimensions: VideoDimensions
    let frameRate: FrameRate
    let fieldOrder: FieldOrder
    /// Where the format is used, and the exact rate.
    let use: String
  }

  /// The preset that the others take their text from.
  static let modelName = "1080p25-hq"

  let format: Format
  let codec: VideoCodecType

  /// Every format for finishing in ProRes 422 and HQ, and 1080p in LT and Proxy for an offline edit.
  static let all: [StandardPreset] =
    (interlaced + progressive + uhd).flatMap { format in
      [VideoCodecType.proRes422, .proRes422HQ].map { StandardPreset(format: format, codec: $0) }
    }
    + progressive.flatMap { format in
      [VideoCodecType.proRes422LT, .proRes422Proxy].map {
        StandardPreset(format: format, codec: $0)
      }
    }

  var name: String { (isOffline ? "offline-" : "") + "\(format.name)-\(codec.shortName)" }

  private var isOffline: Bool { codec == .proRes422LT || codec == .proRes422Proxy }

  /// `ProRes 422 HQ`.
  private var codecName: String { codec.displayName.replacing("Apple ", with: "") }

  private var summary: String { (isOffline ? "offline " : "") + "\(format.title), \(codecName)" }

  /// The preset's file.
  ///
  /// - Parameter model: The text of the preset ``modelName``.
  func text(model: String) -> String {
    let values = [
      "summary": summary, "size": "\(format.dimensions)", "rate": "\(format.frameRate)",
      "scan": format.fieldOrder.optionName, "codec": codec.shortName,
    ]
    let lines = model.split(separator: "\n", omittingEmptySubsequences: false)
    let body = lines.drop { $0.hasPrefix("#") }.map { line in
      guard let key = line.split(separator: " ").first, let value = values[String(key)] else {
        return String(line)
      }
      return "\(key) = \"\(value)\""
    }
    return (comment + body).joined(separator: "\n")
  }

  private var comment: [String] {
    let size = format.dimensions.height > 1080 ? "Ultra HD" : "Full HD"
    let rate =
      format.fieldOrder.isInterlaced
      ? "\(format.name.dropFirst(5)) fields per second, top field first"
      : "\(format.frameRate) frames per second"
    let purpose = isOffline ? ": small files for offline editing" : ""
    return [
      "# \(size), \(rate), \(codecName)\(purpose).",
      "# For \(format.use).",
      "# At most about \(Self.round(bytesPerSecond * 8 / 1e6)) Mb/s of video: "
        + "\(Self.round(bytesPerSecond / 1e6)) MB/s, \(Self.round(bytesPerSecond * 3600 / 1e9)) GB per hour.",
    ]
  }

  /// Video at Apple's target rate.
  private var bytesPerSecond: Double {
    let size = format.dimensions
    let bytes = ProResProfile(codec)?.targetFrameBytes(width: size.width, height: size.height)
    return Double(bytes ?? 0) * format.frameRate.framesPerSecond
  }

  private static func round(_ value: Double) -> Int { Int(value.rounded()) }
}

extension StandardPreset {
  private static let interlaced = [
    interlaced("50", .fps25, "television in 50 Hz countries: exactly 25 frames of two fields"),
    interlaced(
      "59.94", .fps29_97, "television in 60 Hz countries: 30000/1001 frames of two fields"),
  ]

  private static let progressive = [
    progressive(.fps23_976, "film for 60 Hz countries: 24000/1001"),
    progressive(.fps25, "television in 50 Hz countries: exactly 25"),
    progressive(.fps29_97, "television in 60 Hz countries: 30000/1001"),
    progressive(.fps50, "television and sport in 50 Hz countries"),
    progressive(.fps59_94, "television and sport in 60 Hz countries: 60000/1001"),
  ]

  private static let uhd = [
    uhd(.fps23_976, "film for 60 Hz countries: 24000/1001"),
    uhd(.fps24, "cinema: exactly 24"),
    uhd(.fps25, "television in 50 Hz countries: exactly 25"),
    uhd(.fps29_97, "television in 60 Hz countries: 30000/1001"),
    uhd(.fps30, "productions at exactly 30; broadcast uses 29.97"),
    uhd(.fps50, "television and sport in 50 Hz countries"),
    uhd(.fps59_94, "television and sport in 60 Hz countries: 60000/1001"),
    uhd(.fps60, "productions at exactly 60; broadcast uses 59.94"),
  ]

  private static func interlaced(_ fields: String, _ rate: FrameRate, _ use: String) -> Format {
    Format(
      name: "1080i\(fields)", title: "1080i\(fields)",
      dimensions: VideoDimensions(width: 1920, height: 1080),
      frameRate: rate, fieldOrder: .topFieldFirst, use: use)
  }

  private static func progressive(_ rate: FrameRate, _ use: String) -> Format {
    Format(
      name: "1080p\(rate)", title: "1080p\(rate)",
      dimensions: VideoDimensions(width: 1920, height: 1080), frameRate: rate,
      fieldOrder: .progressive, use: use)
  }

  private static func uhd(_ rate: FrameRate, _ use: String) -> Format {
    Format(
      name: "uhd\(rate)", title: "UHD \(rate)p",
      dimensions: VideoDimensions(width: 3840, height: 2160), frameRate: rate,
      fieldOrder: .progressive, use: use)
  }
}
