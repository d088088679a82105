import MediaCore
import VideoRecorder

/// Validated settings, with everything derived from them.
struct PhotoRequest: Sendable {
  let settings: CapturePhotoSettings
  var resolved: ResolvedPhotoSettings
  let format: PixelFormat
  let dimensions: VideoDimensions
  let calibration: SensorCalibration
  let control: (any SensorControl)?
  /// The sensor's settings before the capture; nil if unknown.
  let original: SensorSettings?
  /// True if any exposure differs from the present one.
  let changesExposure: Bool
  /// True if the exposures are merged into one photo.
  let isFused: Bool
  let deviceName: String

  /// Validates settings for an output.
  init(_ settings: CapturePhotoSettings, output: CapturePhotoOutput) throws(RawPhotoError) {
    guard let source = output.source, source.isActive, let format = output.sourceFormat else {
      throw RawPhotoError(
        .notRunning,
        "the photo output has no running Bayer source; add an input with a Bayer format, and start "
          + "the session")
    }
    let raw = settings.rawPhotoPixelFormatType
    try Self.check(settings, output: output)
    let control = source.device.sensorControl
    let original = try? control?.settings()
    let isProRAW = raw.map { CapturePhotoOutput.isAppleProRAWPixelFormat($0) } ?? false
    // A processed photo without RAW is merged like ProRAW.
    let isFused = settings.bracketedSettings.isEmpty && (isProRAW || raw == nil)
    let reference = original?.exposure ?? SensorExposure(duration: 1)
    let exposures =
      isFused
      ? try Self.fusion(settings, reference, hasControl: original != nil)
      : Self.bracket(settings, reference)
    let limits = source.device.exposureLimits
    let isChanged = exposures.contains { $0 != reference }
    try Self.check(exposures, settings, isChanged: isChanged, limits, output)
    self.settings = settings
    self.format = format
    self.control = control
    self.original = original
    self.isFused = isFused
    changesExposure = isChanged
    dimensions = output.maxPhotoDimensions
    deviceName = source.device.localizedName
    let known = output.calibration ?? control?.calibration
    calibration =
      known ?? .assumed(model: source.device.localizedName, bitDepth: format.descriptor.bitDepth)
    let formats = (raw == nil ? 0 : 1) + (settings.processedFormat == nil ? 0 : 1)
    let none = VideoDimensions(width: 0, height: 0)
    resolved = ResolvedPhotoSettings(
      uniqueID: settings.uniqueID,
      expectedPhotoCount: (isFused ? 1 : exposures.count) * formats,
      rawPhotoDimensions: raw == nil ? none : dimensions,
      photoDimensions: settings.processedFormat == nil ? none : dimensions,
      rawEmbeddedThumbnailDimensions: Self.thumbnail(settings, dimensions),
      previewDimensions: settings.previewMaximumSide.map {
        output.maxPhotoDimensions.fitted(width: $0, height: $0)
      } ?? none,
      exposures: exposures,
      warnings: calibration.isCalibrated
        ? []
        : [
          "\(source.device.localizedName) has no calibration: levels and colors are assumed; "
            + "supply a calibration file for accurate ones"
        ])
  }

  private static func check(
    _ settings: CapturePhotoSettings, output: CapturePhotoOutput
  ) throws(RawPhotoError) {
    guard settings.rawPhotoPixelFormatType != nil || settings.processedFormat != nil else {
      throw RawPhotoError(.invalidArgument, "the settings request no photo")
    }
    if let raw = settings.rawPhotoPixelFormatType {
      let available = output.availableRawPhotoPixelFormatTypes
      guard available.contains(raw) else {
        throw RawPhotoError(
          .formatUnavailable,
          "the photo output has no RAW format \(raw) now; it has "
            + available.map(\.description).joined(separator: ", "))
      }
      if CapturePhotoOutput.isBayerRAWPixelFormat(raw) {
        guard settings.photoQualityPrioritization == .speed else {
          throw RawPhotoError(
            .qualityUnavailable, "a Bayer RAW photo is one exposure: its priority is .speed")
        }
        guard settings.fusionExposureBiases == nil else {
          throw RawPhotoError(
            .invalidArgument, "exposures are merged into a ProRAW photo, not into a Bayer one")
        }
      }
    }
    let greatest = output.maxPhotoQualityPrioritization
    guard settings.photoQualityPrioritization <= greatest else {
      throw RawPhotoError(
        .qualityUnavailable,
        "a priority of .\(settings.photoQualityPrioritization) is above the output's maximum of "
          + ".\(greatest); raise maxPhotoQualityPrioritization first")
    }
    if let processed = settings.processedFormat {
      guard (0...1).contains(processed.quality) else {
        throw RawPhotoError(
          .invalidArgument, "a quality is from 0 to 1, not \(processed.quality)")
      }
      guard processed.bitDepth == 8 || (processed.codec == .hevc && processed.bitDepth == 10) else {
        throw RawPhotoError(
          .invalidArgument,
          "a processed photo has 8 bits, or 10 as HEIC, not \(processed.bitDepth) as "
            + (processed.codec == .hevc ? "HEIC" : "JPEG"))
      }
    }
    if let thumbnail = settings.rawEmbeddedThumbnailPhotoFormat {
      guard settings.availableRawEmbeddedThumbnailPhotoCodecTypes.contains(thumbnail.codec),
        thumbnail.dimensions.width > 0, thumbnail.dimensions.height > 0
      else {
        throw RawPhotoError(
          .invalidArgument, "the preview in a RAW file must be a JPEG of at least one pixel")
      }
    }
  }

  private static func bracket(
    _ settings: CapturePhotoSettings, _ reference: SensorExposure
  ) -> [SensorExposure] {
    if settings.bracketedSettings.isEmpty { return [reference] }
    return settings.bracketedSettings.map { item in
      switch item {
      case .autoExposure(let bias):
        SensorExposure(duration: reference.duration * .exp2(bias), gain: reference.gain)
      case .manualExposure(let exposure): exposure
      }
    }
  }

  /// The exposures of a merged photo, beginning with the reference.
  private static func fusion(
    _ settings: CapturePhotoSettings, _ reference: SensorExposure, hasControl: Bool
  ) throws(RawPhotoError) -> [SensorExposure] {
    let standard: [Double] =
      switch (settings.photoQualityPrioritization, hasControl) {
      case (.speed, _): [0]
      case (.balanced, true): [0, -2, 2]
      case (.quality, true): [0, -2, 2, 0, 2]
      case (.balanced, false): [0, 0, 0, 0]
      case (.quality, false): [Double](repeating: 0, count: 8)
      }
    var biases = settings.fusionExposureBiases ?? standard
    guard (1...16).contains(biases.count), biases.allSatisfy({ abs($0) <= 8 }) else {
      throw RawPhotoError(
        .invalidBracket, "one to sixteen exposures of at most 8 stops each way can be merged")
    }
    // The exposure closest to 0 EV is the reference, because photographers choose that one.
    if let index = biases.indices.min(by: { abs(biases[$0]) < abs(biases[$1]) }) {
      biases.insert(biases.remove(at: index), at: 0)
    }
    return biases.map {
      SensorExposure(duration: reference.duration * .exp2($0), gain: reference.gain)
    }
  }

  private static func check(
    _ exposures: [SensorExposure], _ settings: CapturePhotoSettings, isChanged: Bool,
    _ limits: ExposureLimits?, _ output: CapturePhotoOutput
  ) throws(RawPhotoError) {
    if !settings.bracketedSettings.isEmpty {
      let most = output.maxBracketedCapturePhotoCount
      guard exposures.count <= most else {
        throw RawPhotoError(
          .invalidBracket, "a bracket has at most \(most) exposures here, not \(exposures.count)")
      }
    }
    guard isChanged else { return }
    guard let limits else {
      throw RawPhotoError(
        .invalidBracket,
        "the device cannot set its exposure, so it cannot take brackets; set exposure at the camera"
      )
    }
    for exposure in exposures {
      guard limits.contains(exposure) else {
        throw RawPhotoError(
          .invalidBracket,
          "an exposure of \(exposure.duration.text(significantDigits: 3)) s at a gain of "
            + "\(exposure.gain.text(significantDigits: 3)) is beyond the device's limits: "
            + "\(limits.duration.text) s, gains of \(limits.gain.text)")
      }
    }
  }

  /// The size of the preview in the RAW file: the requested size, limited to the photo's size and fitted to its
  /// shape.
  private static func thumbnail(
    _ settings: CapturePhotoSettings, _ photo: VideoDimensions
  ) -> VideoDimensions {
    guard let wanted = settings.rawEmbeddedThumbnailPhotoFormat?.dimensions,
      settings.rawPhotoPixelFormatType != nil
    else { return VideoDimensions(width: 0, height: 0) }
    // Smaller than the RAW image, because readers that choose by size, such as dcraw, would mistake an equally
    // large preview for it.
    return photo.fitted(
      width: min(wanted.width, max(photo.width - 2, 1)),
      height: min(wanted.height, max(photo.height - 2, 1)))
  }
}
