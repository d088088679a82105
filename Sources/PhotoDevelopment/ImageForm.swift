import ImageFiles
import MediaCore
import RawDevelop

/// The file settings that result from options and a preset.
struct ImageForm {
  private(set) var file: ImageFileSettings
  /// What the preset asks for but the files do not have, or have in another form.
  private(set) var notes: [DevelopNote] = []

  private let options: DevelopOptions
  private let preset: DevelopPreset?
  /// The format by name, which a gain map may change.
  private let named: ImageFileFormat

  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for settings that cannot be combined.
  init(_ options: DevelopOptions, _ preset: DevelopPreset?) throws(PhotoDevelopmentError) {
    (self.options, self.preset) = (options, preset)
    named = options.format ?? preset?.options.format ?? .jpeg
    file = ImageFileSettings(format: named)
    if options.highRange == nil, options.format != nil, preset?.options.format != named {
      adaptRange()
    } else if let range = options.highRange ?? preset?.options.highRange {
      try set(range)
    }
    try setQuality()
    try setDepth()
    noteColorSpace()
  }

  // MARK: Light above white

  private mutating func set(
    _ range: DevelopRecipe.HighRange
  ) throws(PhotoDevelopmentError) {
    guard let curve = range.curve else {
      guard file.format == .jpeg || file.format == .gainMapJPEG else {
        throw PhotoDevelopmentError(
          .invalidArgument,
          "only JPEG can have a gain map; choose jpeg, or pq or hlg for \(file.format.rawValue)")
      }
      file.format = .gainMapJPEG
      return
    }
    guard file.format.dynamicRanges.contains(curve) else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(file.format.rawValue) does not support \(curve.rawValue); choose heic, avif, jxl or png"
          + (file.format == .jpeg ? ", or gain-map" : ""))
    }
    file.dynamicRange = curve
    guard options.colorSpace == nil else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(curve.rawValue) is always Rec. 2020; leave the color space out")
    }
  }

  /// Adapts a preset's HDR to the format chosen by an option.
  private mutating func adaptRange() {
    guard let preset, let asked = preset.highRange else { return }
    switch named {
    case .jpeg, .gainMapJPEG:
      file.format = .gainMapJPEG
      if asked != .gainMap { noteReplaced(asked, by: "has a gain map") }
    case .heic, .avif, .jpegXL, .png, .tiff:
      guard usedDepth < 32 else { return }
      let curve = asked.curve ?? .pq
      if let obstacle = obstacle(to: curve) {
        notes.append(
          DevelopNote(
            .settingsOmitted,
            "the preset \(preset.name) asks for HDR, but the image has none: \(obstacle)"))
      } else {
        file.dynamicRange = curve
        if asked.curve == nil { noteReplaced(asked, by: "is HDR by \(curve.rawValue)") }
      }
    // Its light may exceed white without any curve.
    case .openEXR: return
    }
  }

  private mutating func noteReplaced(_ range: DevelopRecipe.HighRange, by what: String) {
    let name = range == .gainMap ? "a gain map" : range.rawValue
    notes.append(
      DevelopNote(
        .highRangeReplaced,
        "the preset \(preset?.name ?? "") asks for \(name), which "
          + "\(named.rawValue) does not support: the image \(what)"))
  }

  /// Why the format cannot use a BT.2100 curve, with a remedy; nil if it can.
  private func obstacle(to curve: ImageDynamicRange) -> String? {
    let name = file.format.rawValue
    guard file.format.dynamicRanges.contains(curve) else {
      return "\(name) of \(usedDepth) bits holds no light above white; choose 32, or another format"
    }
    guard Self.curveDepths.contains(usedDepth) else {
      let depths = file.format.bitDepths.filter { $0 > usedDepth }
      return "\(name) of \(usedDepth) bits holds no light above white; choose "
        + depths.map(String.init).joined(separator: ", ")
    }
    guard options.colorSpace == nil else {
      return "\(name) has \(curve.rawValue) only in Rec. 2020; leave the color space out"
    }
    return nil
  }

  // MARK: Quality and depth

  private mutating func setQuality() throws(PhotoDevelopmentError) {
    if let quality = options.quality ?? preset?.options.quality { file.quality = quality }
    guard !file.format.isLossy else { return }
    guard options.quality == nil else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(file.format.rawValue) is lossless; leave the quality out")
    }
    if preset?.options.quality != nil { noteOmitted("quality", "is lossless") }
  }

  /// BT.2100 specifies 10 bits or more, because fewer show banding, and its curves are for integers.
  private static let curveDepths = 10...16

  private mutating func setDepth() throws(PhotoDevelopmentError) {
    let depth = usedDepth
    if options.bitDepth == nil, let asked = preset?.options.bitDepth, asked != depth {
      noteOmitted("depth of \(asked) bits", "has \(depth)")
    }
    file.bitDepth = depth
    let depths = file.format.bitDepths
    guard depths.contains(depth) else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(file.format.rawValue) has no samples of \(depth) bits; choose "
          + depths.map(String.init).joined(separator: ", "))
    }
    guard file.dynamicRange == .standard || Self.curveDepths.contains(depth) else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(file.dynamicRange.rawValue) is not for samples of \(depth) bits; choose "
          + depths.filter(Self.curveDepths.contains).map(String.init).joined(separator: ", "))
    }
  }

  /// A preset's depth applies to the format that it names; another format gets its default depth.
  private var usedDepth: Int {
    if let depth = options.bitDepth { return depth }
    if let asked = preset?.options, (asked.format ?? named) == named, let depth = asked.bitDepth {
      return depth
    }
    // Not all readers support 12-bit AVIF; half floats and floats must be requested.
    return switch file.format {
    case .jpeg, .gainMapJPEG: 8
    case .heic, .avif: 10
    case .jpegXL, .tiff, .png, .openEXR: 16
    }
  }

  // MARK: Color

  private mutating func noteColorSpace() {
    if file.dynamicRange != .standard {
      if preset?.options.colorSpace != nil {
        noteOmitted("color space", "has \(file.dynamicRange.rawValue) only in Rec. 2020")
      }
    } else if file.format == .openEXR,
      let space = options.colorSpace ?? preset?.options.colorSpace, space != space.linear
    {
      let name = ImageColorSpace.named.first { $0.value == space }?.key ?? "the color space"
      notes.append(
        DevelopNote(
          .linearized,
          "exr holds linear light: it has the primaries of \(name), but not its curve"))
    }
  }

  private mutating func noteOmitted(_ setting: String, _ reason: String) {
    notes.append(
      DevelopNote(
        .settingsOmitted,
        "the preset \(preset?.name ?? "")'s \(setting) is left out: \(file.format.rawValue) \(reason)"
      ))
  }
}

extension DevelopRecipe.HighRange {
  /// The BT.2100 curve; nil for a gain map.
  fileprivate var curve: ImageDynamicRange? {
    switch self {
    case .gainMap: nil
    case .pq: .pq
    case .hlg: .hlg
    }
  }
}

extension DevelopPreset {
  /// The HDR form that a preset asks for, possibly by its format; nil for none.
  fileprivate var highRange: DevelopRecipe.HighRange? {
    options.highRange ?? (options.format == .gainMapJPEG ? .gainMap : nil)
  }
}
