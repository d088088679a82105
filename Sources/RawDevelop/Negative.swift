import DNG
import MediaCore

/// A DNG file to be developed: its raw image and metadata.
struct Negative: Sendable {
  let file: DNGFile
  /// The sensor's image, or an improved version of it.
  let raw: DNGFile.Image
  let metadata: DNGMetadata
  /// The raw image's levels, with black measured in masked areas if the file states none.
  let levels: RawLevels
  let opcodes: OpcodeLists
  let crop: DefaultCrop
  /// The order of color filters in the active area; nil for a linear image.
  let pattern: BayerPattern?
  /// The file's gain map, used if no profile has one.
  let gainMap: ProfileGainTableMap?

  var activeArea: PixelArea { levels.activeArea }
  var isMonochrome: Bool { raw.components == 1 && pattern == nil }

  /// True if the darkest light becomes black by default.
  func rendersBlack(_ profile: CameraProfile) -> Bool {
    profile.rendersBlackByDefault && !metadata.isOutputReferred
  }

  /// The file's masks, in file order.
  var masks: [DNGFile.Image] { file.images.filter { $0.role == .semanticMask } }

  /// The masks of a name.
  func masks(named name: String) -> [DNGFile.Image] { masks.filter { $0.semanticName == name } }

  /// Reads a file's metadata.
  ///
  /// - Throws: ``RawDevelopError`` for a damaged file or an unsupported form.
  init(_ file: DNGFile) throws(RawDevelopError) {
    self.file = file
    func read<Value>(_ body: () throws(DNGError) -> Value) throws(RawDevelopError) -> Value {
      try RawDevelopError.from(body)
    }
    let sensor = try read { () throws(DNGError) in try file.rawImage() }
    let raw = try read { () throws(DNGError) in try file.developedImage() }
    self.raw = raw
    var metadata = try read { () throws(DNGError) in try file.metadata() }
    if !raw.noiseProfile.isEmpty { metadata.noiseProfile = raw.noiseProfile }
    self.metadata = metadata
    levels = try read { () throws(DNGError) in try raw.levels() }
    opcodes = try read { () throws(DNGError) in try raw.opcodeLists() }
    crop = try read { () throws(DNGError) in try raw.defaultCrop(of: sensor) }
    // The file's pattern begins at the active area's corner (DNG 1.7.1, chapter 4, CFAPattern).
    pattern = try read { () throws(DNGError) in try raw.bayerPattern() }
    gainMap = try read { () throws(DNGError) in try file.gainTableMap() }
    guard !DNGMetadata.newestVersion.lexicographicallyPrecedes(metadata.backwardVersion) else {
      let version = metadata.backwardVersion.map(String.init).joined(separator: ".")
      let known = DNGMetadata.newestVersion.map(String.init).joined(separator: ".")
      throw RawDevelopError(
        .unsupported, "the file requires a reader of DNG \(version); this one supports \(known)")
    }
    let stretch = crop.scale.x / crop.scale.y
    guard stretch >= 1.0 / 16, stretch <= 16 else {
      throw RawDevelopError(
        .invalidFile,
        "the file's pixels are \(stretch.text(significantDigits: 3)) times as wide as they are high"
      )
    }
    guard raw.components == 1 || raw.components == 3 else {
      throw RawDevelopError(
        .unsupported, "a raw image of \(raw.components) samples per pixel cannot be developed")
    }
  }

  /// The profile that the settings choose.
  ///
  /// - Throws: ``RawDevelopError/Code/invalidArgument`` for an index that the file does not have.
  func profile(_ settings: DevelopSettings) throws(RawDevelopError) -> CameraProfile {
    if let profile = settings.profile { return profile }
    guard metadata.profiles.indices.contains(settings.profileIndex) else {
      throw RawDevelopError(
        .invalidArgument,
        "the file has \(metadata.profiles.count) camera profiles, none of number "
          + "\(settings.profileIndex)")
    }
    return metadata.profiles[settings.profileIndex]
  }

  /// The white point that the settings choose.
  func white(_ settings: DevelopSettings) throws(RawDevelopError) -> WhitePoint {
    let color = try CameraColor(try profile(settings), metadata)
    switch settings.white {
    case .point(let point):
      guard point.x > 0, point.y > 0, point.x + point.y < 1 else {
        throw RawDevelopError(
          .invalidArgument,
          "x \(point.x), y \(point.y) is not a white point; both must be greater than 0")
      }
      return point
    case .neutral(let neutral):
      guard neutral.count == 3, neutral.allSatisfy({ $0 > 0 && $0.isFinite }) else {
        throw RawDevelopError(
          .invalidArgument,
          "a neutral color is three numbers above 0, not "
            + neutral.map { $0.text(significantDigits: 4) }.joined(separator: ", "))
      }
      guard let white = color.white(forNeutral: neutral) else {
        throw RawDevelopError(
          .invalidArgument, "no light in the camera's calibration makes this color neutral")
      }
      return white
    case .asShot: return asShotWhite(color).point
    }
  }

  /// Why the white point is assumed, in words; nil if the file or the settings state it.
  func whiteGuess(_ settings: DevelopSettings) throws(RawDevelopError) -> String? {
    guard !isMonochrome, settings.white == .asShot else { return nil }
    return asShotWhite(try CameraColor(try profile(settings), metadata)).guess
  }

  /// The file's white point, or the one that Adobe's SDK uses instead, with the reason.
  private func asShotWhite(_ color: CameraColor) -> (point: WhitePoint, guess: String?) {
    switch metadata.white {
    case .chromaticity(let x, let y) where x > 0 && y > 0 && x + y <= 1:
      return (WhitePoint(x: x, y: y), nil)
    case .neutral(let neutral) where neutral.count == 3 && neutral.allSatisfy({ $0 > 0 }):
      if let white = color.white(forNeutral: neutral) { return (white, nil) }
      return (
        .d50, "no light in the camera's calibration fits the photo's white: D50 is used"
      )
    case .chromaticity:
      return (.d55, "the photo's white point is not a valid chromaticity: D55 is used")
    case .neutral:
      return (.d55, "the photo's white is not three colors above 0: D55 is used")
    case nil: return (.d55, "the photo does not state its white: D55 is used")
    }
  }

  /// The camera's color balance for the white point that the settings choose.
  func balance(_ settings: DevelopSettings) throws(RawDevelopError) -> CameraColor.Balance {
    try CameraColor(try profile(settings), metadata).balance(for: try white(settings))
  }
}
