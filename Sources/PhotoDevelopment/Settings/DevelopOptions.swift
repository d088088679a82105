public import PictureFiles
public import RawDevelop

/// What somebody asked for: what is changed of photos, and what files are made. What is nil is left to
/// others: a sidecar, a preset, the defaults.
public struct DevelopOptions: Sendable, Hashable {
  /// What is changed of each photo's rendering.
  public var adjustment = PhotoAdjustment()
  /// The format of the files; JPEG where nobody says.
  public var format: PictureFileFormat?
  /// 0 to 1.
  public var quality: Double?
  /// Bits of a sample.
  public var bitDepth: Int?
  /// The size that pictures are made to fit.
  public var size: DevelopRecipe.Size?
  /// The color space.
  public var colorSpace: PictureColorSpace?
  /// Light above white.
  public var highRange: DevelopRecipe.HighRange?

  /// Nothing asked for.
  public init() {}

  /// What is asked for of files, as presets name it.
  var fileKeys: [String] {
    let keys: KeyValuePairs<String, Bool> = [
      "format": format != nil, "quality": quality != nil, "bit-depth": bitDepth != nil,
      "size": size != nil, "space": colorSpace != nil, "hdr": highRange != nil,
    ]
    return keys.filter(\.value).map(\.key)
  }

  /// These options, and for what they leave open others.
  public func over(_ other: DevelopOptions) -> DevelopOptions {
    var result = self
    result.adjustment = adjustment.over(other.adjustment)
    result.format = format ?? other.format
    result.quality = quality ?? other.quality
    result.bitDepth = bitDepth ?? other.bitDepth
    result.size = size ?? other.size
    result.colorSpace = colorSpace ?? other.colorSpace
    result.highRange = highRange ?? other.highRange
    return result
  }
}

extension PictureColorSpace {
  /// The names of color spaces in presets and on the command line.
  package static let named: KeyValuePairs<String, PictureColorSpace> = [
    "srgb": .sRGB, "display-p3": .displayP3, "adobe-rgb": .adobeRGB, "rec2020": .rec2020,
    "linear-srgb": .linearSRGB, "linear-display-p3": .linearDisplayP3,
    "linear-rec2020": .linearRec2020,
  ]
}

extension DevelopRecipe.White {
  /// Reads `5600`, or `5600,+5` with a tint; nil for anything else and what is out of range.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, (1...2).contains(numbers.count),
      PhotoAdjustment.Setting.temperature.range.contains(numbers[0]),
      numbers.count == 1 || PhotoAdjustment.Setting.tint.range.contains(numbers[1])
    else { return nil }
    self.init(temperature: numbers[0], tint: numbers.count == 2 ? numbers[1] : 0)
  }
}

extension PictureCrop {
  /// Reads `0.1,0,0.9,0.8`, the shares of left, top, right and bottom, and with an angle in degrees
  /// `0.1,0,0.9,0.8,-1.5`; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == parts.count, (4...5).contains(numbers.count) else { return nil }
    self.init(
      left: numbers[0], top: numbers[1], right: numbers[2], bottom: numbers[3],
      angle: numbers.count == 5 ? numbers[4] : 0)
  }
}

extension DevelopRecipe.Size {
  /// Reads `1920x1080`, or `2048` for both sides; nil for anything else.
  public init?(_ text: String) {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false)
      .map { Int($0) }
    let numbers = sides.compactMap(\.self)
    guard numbers.count == sides.count, (1...2).contains(numbers.count),
      numbers.allSatisfy((1...1_000_000).contains)
    else { return nil }
    self.init(width: numbers[0], height: numbers[numbers.count - 1])
  }
}
