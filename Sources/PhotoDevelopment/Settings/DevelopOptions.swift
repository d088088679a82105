public import ImageFiles
public import RawDevelop

/// Options for developing photos and for the files. Options that are nil are left to the sidecar, the preset or the
/// defaults.
public struct DevelopOptions: Sendable, Hashable {
  /// Changes to each photo's rendering.
  public var adjustment = PhotoAdjustment()
  /// The format of the files; JPEG by default.
  public var format: ImageFileFormat?
  /// The quality, 0 to 1.
  public var quality: Double?
  /// Bits per sample.
  public var bitDepth: Int?
  /// The maximum size of images.
  public var size: DevelopRecipe.Size?
  public var colorSpace: ImageColorSpace?
  /// The form of HDR.
  public var highRange: DevelopRecipe.HighRange?

  public init() {}

  /// The file options that are set, by their names in presets.
  var fileKeys: [String] {
    let keys: KeyValuePairs<String, Bool> = [
      "format": format != nil, "quality": quality != nil, "bit-depth": bitDepth != nil,
      "size": size != nil, "space": colorSpace != nil, "hdr": highRange != nil,
    ]
    return keys.filter(\.value).map(\.key)
  }

  /// These options, completed by others.
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

extension ImageColorSpace {
  /// The names of color spaces in presets and on the command line.
  package static let named: KeyValuePairs<String, ImageColorSpace> = [
    "srgb": .sRGB, "display-p3": .displayP3, "adobe-rgb": .adobeRGB, "rec2020": .rec2020,
    "linear-srgb": .linearSRGB, "linear-display-p3": .linearDisplayP3,
    "linear-rec2020": .linearRec2020,
  ]
}

extension DevelopRecipe.White {
  /// Parses `5600`, or `5600,+5` with a tint; nil for anything else, and out of range.
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

extension ImageCrop {
  /// Parses `0.1,0,0.9,0.8`, the fractions for left, top, right and bottom, or with an angle in degrees
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
  /// Parses `1920x1080`, or `2048` for both sides; nil for anything else.
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
