import DNG
import RawDevelop

/// Camera Raw's settings in XMP: those supported here, and the unsupported ones.
struct CameraRawSettings {
  /// A Camera Raw setting and the corresponding one here.
  private struct Counterpart {
    let setting: PhotoAdjustment.Setting
    /// Its names in Camera Raw, that of the newest process version first, which is the one written.
    let names: [String]
    /// The divisor for Camera Raw's number.
    let scale: Double
    /// The range of Camera Raw's number; values below zero may be unsupported.
    let range: ClosedRange<Double>
    /// Digits after the decimal point.
    let digits: Int
  }

  /// Ranges are those of part 2 of the XMP specification, and of files written by Lightroom.
  private static let counterparts: [Counterpart] = [
    Counterpart(
      setting: .exposure, names: ["Exposure2012", "Exposure"], scale: 1, range: -20...20, digits: 2),
    Counterpart(
      setting: .contrast, names: ["Clarity2012", "Clarity"], scale: 100, range: 0...100, digits: 0),
    Counterpart(setting: .detail, names: ["Texture"], scale: 100.0 / 3, range: 0...100, digits: 0),
    Counterpart(setting: .sharpness, names: ["Sharpness"], scale: 150, range: 0...150, digits: 0),
    Counterpart(
      setting: .luminanceNoiseReduction, names: ["LuminanceSmoothing"], scale: 100, range: 0...100,
      digits: 0),
    Counterpart(
      setting: .colorNoiseReduction, names: ["ColorNoiseReduction"], scale: 100, range: 0...100,
      digits: 0),
    Counterpart(
      setting: .saturation, names: ["Saturation"], scale: 100, range: -100...100, digits: 0),
    Counterpart(setting: .vibrance, names: ["Vibrance"], scale: 100, range: -100...100, digits: 0),
  ]

  /// Settings that Camera Raw does not have, with their names in this program's namespace.
  private static let own: [(setting: PhotoAdjustment.Setting, name: String)] = [
    (.moireReduction, "MoireReduction"), (.localToneMap, "LocalToneMap"), (.boost, "Boost"),
  ]

  /// Properties that refine a setting and are unsupported. Camera Raw always writes all of them, so they are
  /// reported only if they differ from its defaults while the setting changes something; nil is the curve for all
  /// colors.
  private static let refinements:
    [(name: String, usual: Double, setting: PhotoAdjustment.Setting?)] = [
      ("SharpenRadius", 1, .sharpness), ("SharpenDetail", 25, .sharpness),
      ("SharpenEdgeMasking", 0, .sharpness),
      ("LuminanceNoiseReductionDetail", 50, .luminanceNoiseReduction),
      ("LuminanceNoiseReductionContrast", 0, .luminanceNoiseReduction),
      ("ColorNoiseReductionDetail", 50, .colorNoiseReduction),
      ("ColorNoiseReductionSmoothness", 50, .colorNoiseReduction),
      ("CurveRefineSaturation", 100, nil),
    ]

  /// Camera Raw's named white balances, in kelvins and tint.
  private static let namedWhites: [String: DevelopRecipe.White] = [
    "Daylight": .init(temperature: 5500, tint: 10), "Cloudy": .init(temperature: 6500, tint: 10),
    "Shade": .init(temperature: 7500, tint: 10), "Tungsten": .init(temperature: 2850),
    "Fluorescent": .init(temperature: 3800, tint: 21), "Flash": .init(temperature: 5500),
  ]

  /// Properties that describe settings and do not change the image.
  private static let descriptive: Set<String> = [
    "Version", "ProcessVersion", "CompatibleVersion", "HasSettings", "HasCrop", "AlreadyApplied",
    "RawFileName", "WhiteBalance", "Temperature", "Tint", "CameraProfile", "CameraProfileDigest",
    "ToneCurveName", "ToneCurveName2012",
    "LensProfileSetup", "LensProfileName", "LensProfileFilename", "LensProfileDigest",
    "UprightVersion", "UprightCenterMode", "UprightCenterNormX", "UprightCenterNormY",
    "UprightFocalMode", "UprightFocalLength35mm", "UprightPreview", "UprightTransformCount",
    "OverrideLookVignette", "CropConstrainToWarp", "CropConstrainToUnitSquare", "CropUnits",
    "PostCropVignetteStyle", "PostCropVignetteMidpoint", "PostCropVignetteFeather",
    "ParametricShadowSplit", "ParametricMidtoneSplit", "ParametricHighlightSplit", "GrainSize",
    "GrainFrequency", "ColorGradeBlending", "VignetteMidpoint", "DefringePurpleHueLo",
    "DefringePurpleHueHi", "DefringeGreenHueLo", "DefringeGreenHueHi", "GrainSeed",
    "HDRMaxValue", "SDRBlend", "UUID", "SupportsAmount",
    "LensProfileDistortionScale", "LensProfileVignettingScale",
    "LensProfileChromaticAberrationScale", "CropTop", "CropLeft", "CropBottom", "CropRight",
    "CropAngle", "PresetType", "Cluster", "Name", "ShortName", "Group", "Description",
  ]

  /// Values that change nothing.
  private static let neutral: [String: Set<String>] = [
    "PerspectiveScale": ["100"], "HDREditMode": ["0"], "LensProfileEnable": ["0"],
  ]

  /// The supported settings.
  let adjustment: PhotoAdjustment
  /// The unsupported settings, as `Name = value` or `Name (part = value, …)`.
  let unknown: [String]

  /// Reads a packet. If it says that its settings have already been applied, as in finished images, they are
  /// ignored.
  init(_ packet: XMPDocument) {
    var adjustment = PhotoAdjustment()
    var unknown: [String] = []
    guard !Self.areApplied(packet) else {
      (self.adjustment, self.unknown) = (adjustment, unknown)
      return
    }
    if let text = packet[.tiff, "Orientation"] {
      adjustment.orientation = UInt16(text).flatMap { PhotoMetadata.Orientation(rawValue: $0) }
      if adjustment.orientation == nil { unknown.append("Orientation = \(text)") }
    }
    let contents = packet.contents(in: .cameraRaw)
    let properties = packet.properties(in: .cameraRaw)
    for counterpart in Self.counterparts {
      guard let (name, text) = Self.first(counterpart.names, properties) else { continue }
      if let number = Self.number(text), counterpart.range.contains(number) {
        adjustment[counterpart.setting] = number / counterpart.scale
      } else {
        unknown.append("\(name) = \(text)")
      }
    }
    Self.readOwn(packet, &adjustment, &unknown)
    Self.readWhite(packet, &adjustment, &unknown)
    adjustment.profile = packet[.cameraRaw, "CameraProfile"].flatMap { $0.isEmpty ? nil : $0 }
    if let crop = CameraRawCrop.read(packet, &unknown) { adjustment.crop = crop }
    if let curves = CameraRawCurves.read(packet, &unknown) { adjustment.pointCurves = curves }
    for (name, usual, setting) in Self.refinements {
      let isUsed =
        setting.map { adjustment[$0] ?? 0 > 0 } ?? (adjustment.pointCurves?.all.isEmpty == false)
      guard isUsed, let text = packet[.cameraRaw, name], Self.number(text) != usual else {
        continue
      }
      unknown.append("\(name) = \(text)")
    }
    let known = Set(
      Self.counterparts.flatMap(\.names) + CameraRawCurves.names + Self.refinements.map(\.name))
    for (name, content) in contents
    where !known.contains(name) && !Self.descriptive.contains(name) {
      Self.remark(name, content).map { unknown.append($0) }
    }
    (self.adjustment, self.unknown) = (adjustment, unknown)
  }

  /// The report of an unsupported property; nil if it changes nothing.
  private static func remark(_ name: String, _ content: XMPDocument.Content) -> String? {
    switch content {
    case .text(let value): return isNeutral(name, value) ? nil : "\(name) = \(value)"
    case .structure(let structure):
      if name.hasPrefix("ToneCurve"), CameraRawCurves.isStraight(structure.element.texts) {
        return nil
      }
      let facts = structure.facts
      guard !facts.isEmpty else { return nil }
      // Masks may have thousands of points.
      let shown = facts.prefix(4).map { $0.count > 40 ? $0.prefix(39) + "…" : $0 }
      return "\(name) (\((shown + (facts.count > 4 ? ["…"] : [])).joined(separator: ", ")))"
    }
  }

  private static func first(
    _ names: [String], _ properties: [(name: String, value: String?)]
  ) -> (String, String)? {
    for name in names {
      if let value = properties.first(where: { $0.name == name })?.value { return (name, value) }
    }
    return nil
  }

  private static func readWhite(
    _ packet: XMPDocument, _ adjustment: inout PhotoAdjustment, _ unknown: inout [String]
  ) {
    let name = packet[.cameraRaw, "WhiteBalance"] ?? "Custom"
    // Camera Raw also writes the values it found; the photo's own are the same without rounding.
    guard name != "As Shot" else { return }
    func read(_ name: String, _ setting: PhotoAdjustment.Setting) -> Double? {
      guard let text = packet[.cameraRaw, name] else { return nil }
      let number = number(text, of: setting)
      if number == nil { unknown.append("\(name) = \(text)") }
      return number
    }
    let temperature = read("Temperature", .temperature)
    let tint = read("Tint", .tint)
    if let temperature {
      adjustment.white = .init(temperature: temperature, tint: tint ?? 0)
      return
    }
    adjustment.white = namedWhites[name]
    if adjustment.white == nil, name != "Custom" { unknown.append("WhiteBalance = \(name)") }
    // A tint belongs to a temperature.
    if let tint, tint != adjustment.white?.tint ?? 0, let text = packet[.cameraRaw, "Tint"] {
      unknown.append("Tint = \(text)")
    }
  }

  /// Reads the settings in this program's namespace.
  private static func readOwn(
    _ packet: XMPDocument, _ adjustment: inout PhotoAdjustment, _ unknown: inout [String]
  ) {
    for (name, content) in packet.contents(in: .development) {
      if let setting = own.first(where: { $0.name == name })?.setting,
        case .text(let text) = content, let number = number(text), setting.range.contains(number)
      {
        adjustment[setting] = number
      } else {
        remark(name, content).map { unknown.append($0) }
      }
    }
  }

  /// True if the packet's settings have already been applied to the pixels.
  static func areApplied(_ packet: XMPDocument) -> Bool {
    packet[.cameraRaw, "AlreadyApplied"]?.lowercased() == "true"
  }

  /// Removes all settings from a packet.
  static func remove(from packet: inout XMPDocument) {
    packet.removeAll(in: .cameraRaw)
    packet.removeAll(in: .development)
    packet[.tiff, "Orientation"] = nil
  }

  static func number(_ text: String) -> Double? {
    Double(text.hasPrefix("+") ? String(text.dropFirst()) : text).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A number on this program's scale; nil if the setting cannot have it.
  private static func number(_ text: String, of setting: PhotoAdjustment.Setting) -> Double? {
    number(text).flatMap { setting.range.contains($0) ? $0 : nil }
  }

  private static func isNeutral(_ name: String, _ value: String) -> Bool {
    if neutral[name]?.contains(value) == true { return true }
    return value.isEmpty || number(value) == 0 || value.lowercased() == "false"
      || value.lowercased() == "default"
  }

  // MARK: Writing

  /// Writes settings to a packet. Unsupported settings stay unchanged.
  ///
  /// - Parameter keepsUnusable: False for a record of the settings used, which omits those that could not be used.
  static func write(
    _ adjustment: PhotoAdjustment, to packet: inout XMPDocument, keepsUnusable: Bool = true
  ) {
    for counterpart in counterparts {
      let number = adjustment[counterpart.setting].map { $0 * counterpart.scale }
      for name in counterpart.names.dropFirst() where number != nil {
        packet[.cameraRaw, name] = nil
      }
      if let number { packet[.cameraRaw, counterpart.names[0]] = text(number, counterpart) }
    }
    for (setting, name) in own {
      if let number = adjustment[setting] { packet[.development, name] = "\(number)" }
    }
    if let white = adjustment.white {
      packet[.cameraRaw, "WhiteBalance"] = "Custom"
      packet[.cameraRaw, "Temperature"] = String(Int(white.temperature.rounded()))
      // An unusable tint counted as 0, and is not overwritten with 0.
      let present = packet[.cameraRaw, "Tint"]
      let isUsable = present.map { number($0, of: .tint) != nil } ?? true
      if white.tint != 0 || isUsable || !keepsUnusable {
        packet[.cameraRaw, "Tint"] = signed(white.tint, digits: 0)
      }
    }
    if let profile = adjustment.profile { packet[.cameraRaw, "CameraProfile"] = profile }
    if let crop = adjustment.crop { CameraRawCrop.write(crop, to: &packet) }
    if let curves = adjustment.pointCurves {
      CameraRawCurves.write(curves, to: &packet, keepsUnusable: keepsUnusable)
    }
    if let orientation = adjustment.orientation {
      packet[.tiff, "Orientation"] = String(orientation.rawValue)
    }
    if packet[.cameraRaw, "ProcessVersion"] == nil { packet[.cameraRaw, "ProcessVersion"] = "11.0" }
    packet[.cameraRaw, "HasSettings"] = "True"
  }

  private static func text(_ number: Double, _ counterpart: Counterpart) -> String {
    // Camera Raw writes signs for numbers that may be negative, and for clarity and texture.
    let isSigned = [.exposure, .contrast, .detail, .saturation, .vibrance]
      .contains(counterpart.setting)
    return isSigned
      ? signed(number, digits: counterpart.digits) : String(Int(number.rounded()))
  }

  private static func signed(_ number: Double, digits: Int) -> String {
    let scale = digits == 2 ? 100.0 : 1
    let whole = Int((abs(number) * scale).rounded())
    guard whole > 0 else { return digits == 2 ? "0.00" : "0" }
    let sign = number < 0 ? "-" : "+"
    guard digits == 2 else { return sign + String(whole) }
    let rest = String(whole % 100)
    return sign + String(whole / 100) + "." + (rest.count < 2 ? "0" : "") + rest
  }
}
