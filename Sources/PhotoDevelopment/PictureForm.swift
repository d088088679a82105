import MediaCore
import PictureFiles
import RawDevelop

/// The form of the files that options and a preset ask for.
struct PictureForm {
  private(set) var file: PictureFileSettings
  /// What the preset asks for and the files do not have, or have in another way.
  private(set) var notes: [DevelopNote] = []

  private let options: DevelopOptions
  private let preset: DevelopPreset?
  /// The format by its name, which with a gain map may become another.
  private let named: PictureFileFormat

  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for what does not go together.
  init(_ options: DevelopOptions, _ preset: DevelopPreset?) throws(PhotoDevelopmentError) {
    (self.options, self.preset) = (options, preset)
    named = options.format ?? preset?.options.format ?? .jpeg
    file = PictureFileSettings(format: named)
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
          "only JPEG takes a gain map; choose jpeg, or pq or hlg for \(file.format.rawValue)")
      }
      file.format = .gainMapJPEG
      return
    }
    guard file.format.dynamicRanges.contains(curve) else {
      throw PhotoDevelopmentError(
        .invalidArgument,
        "\(file.format.rawValue) holds no \(curve.rawValue); choose heic, avif, jxl or png"
          + (file.format == .jpeg ? ", or gain-map" : ""))
    }
    file.dynamicRange = curve
    guard options.colorSpace == nil else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(curve.rawValue) is always Rec. 2020; leave the color space out")
    }
  }

  /// HDR that a preset asks for is kept in the format that an option chooses, as that holds it.
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
            .settingsLeftOut,
            "the preset \(preset.name) asks for HDR, and the picture has none: \(obstacle)"))
      } else {
        file.dynamicRange = curve
        if asked.curve == nil { noteReplaced(asked, by: "is HDR by \(curve.rawValue)") }
      }
    // Its light goes above white as it is.
    case .openEXR: return
    }
  }

  private mutating func noteReplaced(_ range: DevelopRecipe.HighRange, by what: String) {
    let name = range == .gainMap ? "a gain map" : range.rawValue
    notes.append(
      DevelopNote(
        .highRangeReplaced,
        "the preset \(preset?.name ?? "") asks for \(name), which is not for "
          + "\(named.rawValue): the picture \(what)"))
  }

  /// Why the format cannot have a curve of BT.2100, in words with the remedy; nil where it can.
  private func obstacle(to curve: PictureDynamicRange) -> String? {
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
      return "\(name) has \(curve.rawValue) in Rec. 2020 alone; leave the color space out"
    }
    return nil
  }

  // MARK: Quality and depth

  private mutating func setQuality() throws(PhotoDevelopmentError) {
    if let quality = options.quality ?? preset?.options.quality { file.quality = quality }
    guard !file.format.isLossy else { return }
    guard options.quality == nil else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(file.format.rawValue) is without loss; leave the quality out")
    }
    if preset?.options.quality != nil { noteLeftOut("quality", "is without loss") }
  }

  /// BT.2100 has no fewer bits, in which steps would show, and its curves are for integers.
  private static let curveDepths = 10...16

  private mutating func setDepth() throws(PhotoDevelopmentError) {
    let depth = usedDepth
    if options.bitDepth == nil, let asked = preset?.options.bitDepth, asked != depth {
      noteLeftOut("depth of \(asked) bits", "has \(depth)")
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

  /// The depth of a preset is for the format that it names: another one has its usual depth.
  private var usedDepth: Int {
    if let depth = options.bitDepth { return depth }
    if let asked = preset?.options, (asked.format ?? named) == named, let depth = asked.bitDepth {
      return depth
    }
    // 12 bits of AVIF are not read everywhere; half floats and floats are asked for.
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
        noteLeftOut("color space", "has \(file.dynamicRange.rawValue) in Rec. 2020 alone")
      }
    } else if file.format == .openEXR,
      let space = options.colorSpace ?? preset?.options.colorSpace, space != space.linear
    {
      let name = PictureColorSpace.named.first { $0.value == space }?.key ?? "the color space"
      notes.append(
        DevelopNote(
          .linearized,
          "exr holds linear light: it has the primaries of \(name), and not its curve"))
    }
  }

  private mutating func noteLeftOut(_ setting: String, _ reason: String) {
    notes.append(
      DevelopNote(
        .settingsLeftOut,
        "the preset \(preset?.name ?? "")'s \(setting) is left out: \(file.format.rawValue) \(reason)"
      ))
  }
}

extension DevelopRecipe.HighRange {
  /// The curve of BT.2100; nil for a gain map.
  fileprivate var curve: PictureDynamicRange? {
    switch self {
    case .gainMap: nil
    case .pq: .pq
    case .hlg: .hlg
    }
  }
}

extension DevelopPreset {
  /// The HDR that a preset asks for, by its format, too; nil for none.
  fileprivate var highRange: DevelopRecipe.HighRange? {
    options.highRange ?? (options.format == .gainMapJPEG ? .gainMap : nil)
  }
}
