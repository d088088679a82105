public import DNG
public import RawDevelop

/// Changes to a photo's rendering; settings that are nil keep the file's values.
public struct PhotoAdjustment: Sendable, Hashable {
  /// A numeric setting.
  public enum Setting: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
    /// EV by which the image is raised: -20 to 20.
    case exposure
    /// The white point's color temperature in kelvins: 2000 to 50,000.
    case temperature
    /// The white point's tint: -150 to 150.
    case tint
    /// Local contrast: 0 to 1.
    case contrast
    /// Fine structure: 0 to 3.
    case detail
    /// Edge sharpening: 0 to 1.
    case sharpness
    /// Luminance noise reduction: 0 to 1.
    case luminanceNoiseReduction
    /// Color noise reduction: 0 to 1.
    case colorNoiseReduction
    /// Removal of false colors from fine structure: 0 to 1.
    case moireReduction
    /// The strength of the photo's gain map: 0 to 1.
    case localToneMap
    /// The strength of the tone curve: 0 to 1.
    case boost
    /// Chroma: -1 for grays, 0 for no change, 1 for twice as much.
    case saturation
    /// Chroma of pale colors: -1 to 1.
    case vibrance

    /// The allowed range.
    public var range: ClosedRange<Double> {
      switch self {
      case .exposure: -20...20
      case .temperature: 2_000...50_000
      case .tint: -150...150
      case .saturation, .vibrance: -1...1
      case .detail: 0...3
      case .contrast, .sharpness, .luminanceNoiseReduction, .colorNoiseReduction, .moireReduction,
        .localToneMap, .boost:
        0...1
      }
    }
  }

  private(set) var numbers: [Setting: Double] = [:]
  /// How to turn the image.
  public var orientation: PhotoMetadata.Orientation?
  /// The name of the camera profile, from the recipe or the photo's file.
  public var profile: String?
  /// The part of the image to keep.
  public var crop: ImageCrop?
  /// Curves through points, applied after the tone curve.
  public var pointCurves: PointCurves?

  public init() {}

  /// True if nothing is changed.
  public var isEmpty: Bool { self == PhotoAdjustment() }

  /// A setting; nil for no change. Numbers out of range are clamped.
  public subscript(setting: Setting) -> Double? {
    get { numbers[setting] }
    set {
      numbers[setting] = newValue.map {
        $0.isNaN
          ? setting.range.lowerBound
          : min(max($0, setting.range.lowerBound), setting.range.upperBound)
      }
    }
  }

  /// The white point: temperature and tint.
  public var white: DevelopRecipe.White? {
    get { self[.temperature].map { .init(temperature: $0, tint: self[.tint] ?? 0) } }
    set { (self[.temperature], self[.tint]) = (newValue?.temperature, newValue?.tint) }
  }

  /// The settings as an XMP packet, as in sidecars.
  public var xmp: String {
    var packet = XMPDocument()
    CameraRawSettings.write(self, to: &packet)
    return packet.text
  }

  /// A photo's XMP with these settings, as in sidecars: they apply when it is read again, and everything other than
  /// settings is kept.
  ///
  /// - Parameters:
  ///   - present: The photo's XMP; nil for none. Settings already applied to the pixels were not used: they are
  ///     removed, along with the mark that says so.
  ///   - replacing: True to remove all existing settings, including unsupported ones.
  func packet(over present: XMPDocument?, replacing: Bool = false) -> XMPDocument {
    var packet = present ?? XMPDocument()
    if replacing || CameraRawSettings.areApplied(packet) { CameraRawSettings.remove(from: &packet) }
    CameraRawSettings.write(self, to: &packet)
    return packet
  }

  /// The names of the settings that are set, as in JSON.
  var names: [String] {
    numbers.keys.map(\.rawValue) + (orientation == nil ? [] : ["orientation"])
      + (profile == nil ? [] : ["profile"]) + (crop == nil ? [] : ["crop"])
      + (pointCurves == nil ? [] : ["pointCurves"])
  }

  /// The names of the settings for noise, sharpness and local contrast that are set; drafts ignore them.
  var detailNames: [String] {
    [
      Setting.contrast, .detail, .sharpness, .luminanceNoiseReduction, .colorNoiseReduction,
      .moireReduction,
    ].filter { self[$0] ?? 0 > 0 }.map(\.rawValue)
  }

  /// These settings, completed by others.
  public func over(_ other: PhotoAdjustment) -> PhotoAdjustment {
    var result = self
    result.numbers.merge(other.numbers) { own, _ in own }
    // A tint belongs to its temperature.
    if numbers[.temperature] != nil, numbers[.tint] == nil { result.numbers[.tint] = 0 }
    result.orientation = orientation ?? other.orientation
    result.profile = profile ?? other.profile
    result.crop = crop ?? other.crop
    result.pointCurves = pointCurves ?? other.pointCurves
    return result
  }

  /// Applies the settings to a filter; returns messages about those that could not be applied.
  ///
  /// - Parameter profiles: Camera profiles in addition to the photo's.
  func apply(to filter: inout RAWFilter, profiles: [CameraProfile] = []) -> [String] {
    var left = setProfile(of: &filter, profiles)
    if let orientation { filter.orientation = orientation }
    if let pointCurves { filter.pointCurves = pointCurves }
    if let crop {
      filter.crop = crop
      if !filter.isCropUsable {
        filter.crop = nil
        left.append("the crop is not a rectangle within this photo: the whole photo is kept")
      }
    }
    for (setting, number) in numbers.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let value = Float(number)
      switch setting {
      case .exposure: filter.exposure = value
      case .temperature: filter.neutralTemperature = value
      case .tint: filter.neutralTint = value
      case .contrast: filter.contrastAmount = value
      case .detail: filter.detailAmount = value
      case .sharpness: filter.sharpnessAmount = value
      case .luminanceNoiseReduction: filter.luminanceNoiseReductionAmount = value
      case .colorNoiseReduction: filter.colorNoiseReductionAmount = value
      case .moireReduction: filter.moireReductionAmount = value
      case .localToneMap: filter.localToneMapAmount = value
      case .boost: filter.boostAmount = value
      case .saturation: filter.saturation = value
      case .vibrance: filter.vibrance = value
      }
      if number > 0, Self.isUnsupported(setting, filter) {
        left.append("this kind of photo has no \(setting.rawValue): left out")
      }
    }
    return left
  }

  private func setProfile(of filter: inout RAWFilter, _ profiles: [CameraProfile]) -> [String] {
    guard let profile else { return [] }
    if let given = profiles.first(where: { $0.name == profile }) {
      if let model = given.cameraModel, model != filter.properties.camera {
        return [
          "the camera profile \(profile) is for \(model), but the photo is from "
            + (filter.properties.camera ?? "a camera without a name")
        ]
      }
      filter.profile = given
    } else if let index = filter.profileNames.firstIndex(of: profile) {
      filter.profileIndex = index
    } else {
      return ["the photo has no camera profile \(profile)"]
    }
    return []
  }

  private static func isUnsupported(_ setting: Setting, _ filter: RAWFilter) -> Bool {
    switch setting {
    case .luminanceNoiseReduction, .colorNoiseReduction, .detail: !filter.isNoiseReductionSupported
    case .moireReduction: !filter.isMoireReductionSupported
    case .localToneMap: !filter.isLocalToneMapSupported
    // A tint belongs to its temperature. An image without white balance has no colors.
    case .temperature, .saturation, .vibrance: !filter.isWhiteSupported
    default: false
    }
  }
}

extension PhotoAdjustment: Codable {
  private enum CodingKeys: String, CodingKey { case orientation, profile, crop, pointCurves }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Decodes settings by name; numbers out of range are clamped.
  ///
  /// - Throws: `DecodingError` for values of another type.
  public init(from decoder: any Decoder) throws {
    self.init()
    let names = try decoder.container(keyedBy: CodingKeys.self)
    orientation = try names.decodeIfPresent(UInt16.self, forKey: .orientation)
      .flatMap { PhotoMetadata.Orientation(rawValue: $0) }
    profile = try names.decodeIfPresent(String.self, forKey: .profile)
    crop = try names.decodeIfPresent(ImageCrop.self, forKey: .crop)
    pointCurves = try names.decodeIfPresent(PointCurves.self, forKey: .pointCurves)
    let numbers = try decoder.container(keyedBy: Key.self)
    for setting in Setting.allCases {
      self[setting] = try numbers.decodeIfPresent(
        Double.self, forKey: Key(stringValue: setting.rawValue))
    }
  }

  /// Encodes the settings that are set, by name.
  ///
  /// - Throws: `EncodingError`, from the encoder.
  public func encode(to encoder: any Encoder) throws {
    var names = encoder.container(keyedBy: CodingKeys.self)
    try names.encodeIfPresent(orientation?.rawValue, forKey: .orientation)
    try names.encodeIfPresent(profile, forKey: .profile)
    try names.encodeIfPresent(crop, forKey: .crop)
    try names.encodeIfPresent(pointCurves, forKey: .pointCurves)
    var container = encoder.container(keyedBy: Key.self)
    for (setting, number) in numbers {
      try container.encode(number, forKey: Key(stringValue: setting.rawValue))
    }
  }
}
