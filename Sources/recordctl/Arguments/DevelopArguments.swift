import ArgumentParser
import DNG
import ImageFiles
import PhotoDevelopment
import RawDevelop

/// How photos are developed: settings, presets and sidecars, and the form of the files.
struct DevelopArguments: ParsableArguments {
  @Option(
    help: "Output format: jpeg, jpeg-hdr, heic, avif, jxl, tiff, png or exr (default: jpeg).",
    completion: ImageFileFormat.completions, transform: ImageFileFormat.argument)
  var to: ImageFileFormat?

  @Option(
    help: "Preset: web, hdr, edit, one of your own, or a TOML file.",
    completion: .developPresets)
  var preset: String?

  @Option(
    parsing: .unconditional, help: "Exposure adjustment in stops, such as +0.5.",
    transform: Double.argument(in: -20...20))
  var exposure: Double?

  @Option(
    help: "White balance in kelvins, and a tint, such as 5600,+5 (default: the photo's).",
    transform: DevelopRecipe.White.argument)
  var white: DevelopRecipe.White?

  @Option(
    help: "Camera profile: the name of one in the photo, or a .dcp file.",
    completion: .file(extensions: ["dcp"]))
  var profile: String?

  @Option(
    parsing: .unconditional, help: "Saturation, from -1 (gray) to 1 (twice as strong).",
    transform: Double.argument(in: -1...1))
  var saturation: Double?

  @Option(
    parsing: .unconditional, help: "Saturation of pale colors, from -1 to 1.",
    transform: Double.argument(in: -1...1))
  var vibrance: Double?

  @Option(
    help: ArgumentHelp(
      """
      Area to keep: LEFT,TOP,RIGHT,BOTTOM as fractions of the unrotated photo, and an angle in \
      degrees.
      """,
      valueName: "part"),
    transform: ImageCrop.argument)
  var crop: ImageCrop?

  @Option(help: "Edge sharpening, from 0 to 1.", transform: Double.argument(in: 0...1))
  var sharpness: Double?

  @Option(help: "Local contrast, from 0 to 1.", transform: Double.argument(in: 0...1))
  var contrast: Double?

  @Option(help: "Fine structure, from 0 to 3.", transform: Double.argument(in: 0...3))
  var structure: Double?

  @Option(help: "Luminance noise reduction, from 0 to 1.", transform: Double.argument(in: 0...1))
  var noiseReduction: Double?

  @Option(help: "Color noise reduction, from 0 to 1.", transform: Double.argument(in: 0...1))
  var colorNoiseReduction: Double?

  @Option(
    help: "Longest side in pixels, or WIDTHxHEIGHT to fit within; never larger than the photo.",
    transform: DevelopRecipe.Size.argument)
  var size: DevelopRecipe.Size?

  @Option(
    help: """
      Color space: srgb, display-p3, adobe-rgb, rec2020, linear-srgb, linear-display-p3 or \
      linear-rec2020.
      """,
    completion: ImageColorSpace.completions, transform: ImageColorSpace.argument)
  var space: ImageColorSpace?

  @Option(
    help:
      "Keep highlights above white: gain-map for JPEG; pq or hlg for HEIC, AVIF, JPEG XL and PNG.",
    completion: DevelopRecipe.HighRange.completions, transform: DevelopRecipe.HighRange.argument)
  var hdr: DevelopRecipe.HighRange?

  @Option(
    help: "Quality from 0 to 1 (default: 0.9); 1 is lossless for JPEG XL.",
    transform: Double.argument(in: 0...1))
  var quality: Double?

  @Option(
    help:
      "Bits per sample: 8, 10, 12, 16, or 32 for floating point (default: depends on the format).",
    transform: Int.argument(in: 8...32))
  var bitDepth: Int?

  @Flag(
    help:
      "Draft quality: demosaic faster, and skip noise reduction, sharpening and local contrast.")
  var draft = false

  @Flag(help: "Ignore XMP sidecars and XMP inside the photos.")
  var noSidecar = false

  @Flag(help: "Write the settings to an XMP sidecar beside each photo.")
  var writeSidecar = false

  func validate() throws {
    guard !noSidecar || !writeSidecar else {
      throw ValidationError(
        "--write-sidecar keeps the settings of a sidecar, and --no-sidecar ignores them; give only "
          + "one of them")
    }
    guard draft else { return }
    let details = [
      ("--sharpness", sharpness), ("--contrast", contrast), ("--structure", structure),
      ("--noise-reduction", noiseReduction), ("--color-noise-reduction", colorNoiseReduction),
    ]
    for (option, value) in details where value ?? 0 > 0 {
      throw ValidationError("--draft skips what \(option) does; give only one of them")
    }
  }

  /// The recipe: options come before sidecars, those before the preset.
  func recipe() throws -> DevelopRecipe {
    let preset = try preset.map { try DevelopPresetLibrary().preset(named: $0) }
    var options = options
    let given = try profileFile.map { try CameraProfile(contentsOf: $0) }
    if let given { options.adjustment.profile = given.name }
    var recipe = try DevelopRecipe(options, preset: preset)
    recipe.profiles = given.map { [$0] } ?? []
    recipe.isDraft = draft
    recipe.readsSidecars = !noSidecar
    recipe.writesSidecars = writeSidecar
    return recipe
  }

  private var profileFile: String? {
    profile.flatMap { $0.lowercased().hasSuffix(".dcp") ? $0 : nil }
  }

  private var options: DevelopOptions {
    var options = DevelopOptions()
    options.adjustment[.exposure] = exposure
    options.adjustment.white = white
    options.adjustment.profile = profile
    options.adjustment[.saturation] = saturation
    options.adjustment[.vibrance] = vibrance
    options.adjustment.crop = crop
    options.adjustment[.sharpness] = sharpness
    options.adjustment[.contrast] = contrast
    options.adjustment[.detail] = structure
    options.adjustment[.luminanceNoiseReduction] = noiseReduction
    options.adjustment[.colorNoiseReduction] = colorNoiseReduction
    options.format = to
    options.quality = quality
    options.bitDepth = bitDepth
    options.size = size
    options.colorSpace = space
    options.highRange = hdr
    return options
  }
}
