public import DNG
public import ImageFiles
import MediaCore
public import RawDevelop

/// How photos are developed.
public struct DevelopRecipe: Sendable, Hashable {
  /// The form of HDR in the file.
  public enum HighRange: String, Sendable, Hashable, CaseIterable, Codable {
    /// A JPEG file with a gain map.
    case gainMap = "gain-map"
    /// BT.2100's PQ in HEIC, AVIF, JPEG XL or PNG.
    case pq
    /// BT.2100's HLG in HEIC, AVIF, JPEG XL or PNG.
    case hlg
  }

  /// A white point, by temperature and tint.
  public struct White: Sendable, Hashable {
    /// The color temperature in kelvins, 2000 to 50,000.
    public var temperature: Double
    /// The tint, -150 to 150.
    public var tint: Double

    public init(temperature: Double, tint: Double = 0) {
      self.temperature = temperature
      self.tint = tint
    }
  }

  /// A maximum size for images; smaller ones are not enlarged.
  public struct Size: Sendable, Hashable {
    /// The greatest width in pixels.
    public var width: Int
    /// The greatest height in pixels.
    public var height: Int

    public init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// The source of a setting.
  public enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
    /// The preset.
    case preset
    /// The photo's XMP.
    case sidecar
    /// The caller's options.
    case option
  }

  /// The preset; nil for none.
  public let preset: DevelopPreset?
  /// Options, which override preset and sidecars.
  public let options: DevelopOptions
  /// True to apply the XMP of photos, in sidecars and embedded.
  public var readsSidecars = true
  /// True to write the settings used into the photos' sidecars.
  public var writesSidecars = false
  /// Camera profiles that settings can name, in addition to those of the photos.
  public var profiles: [CameraProfile] = []
  /// True to gain speed at hardly visible cost.
  public var isDraft = false
  /// The settings of the files.
  public let file: ImageFileSettings
  /// What the preset or the color space asks for but the files do not have, or have in another form: the same for
  /// every photo.
  public let notes: [DevelopNote]

  /// The options, completed by the preset.
  private let all: DevelopOptions

  /// A recipe with options that override a preset.
  ///
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for settings that cannot be combined.
  public init(
    _ options: DevelopOptions = DevelopOptions(), preset: DevelopPreset? = nil
  ) throws(PhotoDevelopmentError) {
    (self.options, self.preset) = (options, preset)
    all = options.over(preset?.options ?? DevelopOptions())
    let form = try ImageForm(options, preset)
    (file, notes) = (form.file, form.notes)
  }

  /// The color space of the files; by default Display P3 in HEIC, AVIF and gain-map JPEG, linear BT.2020 in
  /// OpenEXR, sRGB in the others.
  public var usedColorSpace: ImageColorSpace {
    if file.dynamicRange != .standard { return .linearRec2020 }
    if let space = all.colorSpace { return file.format == .openEXR ? space.linear : space }
    return switch file.format {
    case .heic, .avif, .gainMapJPEG: .displayP3
    case .openEXR: .linearRec2020
    case .jpeg, .jpegXL, .tiff, .png: .sRGB
    }
  }

  private var sampleFormat: RenderedImage.SampleFormat {
    if file.format == .openEXR || file.dynamicRange != .standard { return .half }
    return switch file.bitDepth {
    case 8: .uint8
    case 32: .float
    default: .uint16
    }
  }

  /// The adjustment for a photo with a sidecar: options override the sidecar, and the sidecar overrides the preset.
  ///
  /// - Returns: The settings, and the source of each.
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
    // A tint belongs to its temperature.
    if let temperature = origins["temperature"] { origins["tint"] = temperature }
    return (settings, origins)
  }

  /// Develops a photo with the recipe.
  ///
  /// - Parameter filter: The photo, with its adjustment applied.
  /// - Throws: What `RAWFilter.outputImage()` throws.
  func develop(
    _ source: RAWFilter, _ metadata: PhotoMetadata
  ) throws(RawDevelopError) -> ImageContent {
    var filter = source
    filter.isDraftModeEnabled = isDraft
    if let size = all.size { filter.scaleFactor = Self.scale(filter, into: size) }
    filter.colorSpace = usedColorSpace
    filter.sampleFormat = sampleFormat
    if sampleFormat.isFloat { filter.extendedDynamicRangeAmount = 1 }
    var metadata = metadata
    // The pixels have been turned.
    metadata.orientation = .up
    metadata.software = "recordctl \(PackageVersion.current)"
    guard file.format == .gainMapJPEG else {
      return ImageContent(try filter.outputImage(), metadata: metadata)
    }
    let (base, high) = try filter.outputImages { filter in
      filter.colorSpace = usedColorSpace.linear
      filter.sampleFormat = .half
      filter.extendedDynamicRangeAmount = 1
    }
    return ImageContent(base, highRange: high, metadata: metadata)
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
