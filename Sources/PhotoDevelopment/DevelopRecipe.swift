public import DNG
import MediaCore
public import PictureFiles
public import RawDevelop

/// What is made of each photo.
public struct DevelopRecipe: Sendable, Hashable {
  /// Light above white in the file.
  public enum HighRange: String, Sendable, Hashable, CaseIterable, Codable {
    /// A JPEG file with a gain map.
    case gainMap = "gain-map"
    /// BT.2100's PQ in HEIC, AVIF, JPEG XL or PNG.
    case pq
    /// BT.2100's HLG in HEIC, AVIF, JPEG XL or PNG.
    case hlg
  }

  /// A white that is set.
  public struct White: Sendable, Hashable {
    /// Kelvins, 2000 to 50,000.
    public var temperature: Double
    /// -150 to 150.
    public var tint: Double

    /// A white of a temperature and a tint.
    public init(temperature: Double, tint: Double = 0) {
      self.temperature = temperature
      self.tint = tint
    }
  }

  /// The most pixels that a picture is to have; it is never made larger.
  public struct Size: Sendable, Hashable {
    /// Pixels in a row at most.
    public var width: Int
    /// Rows at most.
    public var height: Int

    /// A size that pictures are made to fit.
    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Who asked for a setting.
  public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    /// The preset.
    case preset
    /// The photo's XMP.
    case sidecar
    /// Whoever made the recipe.
    case option
  }

  /// The preset; nil for none.
  public let preset: DevelopPreset?
  /// What is asked for above preset and sidecars.
  public let options: DevelopOptions
  /// True to heed XMP beside and in the photos.
  public var readsSidecars = true
  /// True to write the settings used into the photos' sidecars.
  public var writesSidecars = false
  /// Camera profiles beside those that the photos have: a setting that names one means it.
  public var profiles: [CameraProfile] = []
  /// True for speed where the eye hardly sees it.
  public var isDraft = false
  /// The file's form.
  public let file: PictureFileSettings
  /// What the preset, or the color space, asks for and the files do not have, or have in another way: the same of each
  /// photo.
  public let notes: [DevelopNote]

  /// Options of preset and recipe.
  private let all: DevelopOptions

  /// A recipe of what is asked for, on top of a preset.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for what does not go together.
  public init(
    _ options: DevelopOptions = DevelopOptions(), preset: DevelopPreset? = nil
  ) throws(PhotoDevelopmentError) {
    (self.options, self.preset) = (options, preset)
    all = options.over(preset?.options ?? DevelopOptions())
    let form = try PictureForm(options, preset)
    (file, notes) = (form.file, form.notes)
  }

  /// The color space of the files: where nobody says, Display P3 in HEIC, AVIF and gain-map JPEG, linear
  /// BT.2020 in OpenEXR, sRGB in the others.
  public var usedColorSpace: PictureColorSpace {
    if file.dynamicRange != .standard { return .linearRec2020 }
    if let space = all.colorSpace { return file.format == .openEXR ? space.linear : space }
    return switch file.format {
    case .heic, .avif, .gainMapJPEG: .displayP3
    case .openEXR: .linearRec2020
    case .jpeg, .jpegXL, .tiff, .png: .sRGB
    }
  }

  private var sampleFormat: RenderedPicture.SampleFormat {
    if file.format == .openEXR || file.dynamicRange != .standard { return .half }
    return switch file.bitDepth {
    case 8: .uint8
    case 32: .float
    default: .uint16
    }
  }

  /// What is changed of a photo whose XMP asks for something: options come before the sidecar, and that
  /// before the preset.
  ///
  /// - Returns: The settings, and who asked for each.
  public func adjustment(
    sidecar: PhotoAdjustment?
  ) -> (settings: PhotoAdjustment, origins: [String: Origin]) {
    let layers: [(Origin, PhotoAdjustment)] = [
      (.option, options.adjustment), (.sidecar, sidecar ?? PhotoAdjustment()),
      (.preset, preset?.options.adjustment ?? PhotoAdjustment()),
    ]
    let settings = layers.dropFirst().reduce(layers[0].1) { $0.over($1.1) }
    var origins: [String: Origin] = [:]
    for (origin, layer) in layers.reversed() {
      for name in layer.names { origins[name] = origin }
    }
    // A tint comes with its temperature.
    if let temperature = origins["temperature"] { origins["tint"] = temperature }
    return (settings, origins)
  }

  /// A photo developed by the recipe.
  ///
  /// - Parameter filter: The photo, with what is changed of it set.
  /// - Throws: What `RAWFilter.outputImage()` throws.
  func develop(
    _ source: RAWFilter, _ metadata: PhotoMetadata
  ) throws(RawDevelopError) -> PictureContent {
    var filter = source
    filter.isDraftModeEnabled = isDraft
    if let size = all.size { filter.scaleFactor = Self.scale(filter, into: size) }
    filter.colorSpace = usedColorSpace
    filter.sampleFormat = sampleFormat
    if sampleFormat.isFloat { filter.extendedDynamicRangeAmount = 1 }
    var metadata = metadata
    // The pixels are turned.
    metadata.orientation = .up
    metadata.software = "recordctl \(PackageVersion.current)"
    guard file.format == .gainMapJPEG else {
      return PictureContent(try filter.outputImage(), metadata: metadata)
    }
    let (base, high) = try filter.outputImages { filter in
      filter.colorSpace = usedColorSpace.linear
      filter.sampleFormat = .half
      filter.extendedDynamicRangeAmount = 1
    }
    return PictureContent(base, highRange: high, metadata: metadata)
  }

  private static func scale(_ filter: RAWFilter, into size: Size) -> Float {
    let native = filter.nativeSize
    let isTurned = filter.orientation.isTransposed
    let (width, height) =
      isTurned ? (native.height, native.width) : (native.width, native.height)
    return Float(
      min(Double(size.width) / Double(width), Double(size.height) / Double(height), 1))
  }
}
