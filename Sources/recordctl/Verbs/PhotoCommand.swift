import ArgumentParser
import Foundation
import MediaCore
import RawPhoto
import VideoRecorder

/// `recordctl photo`
struct PhotoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "photo",
    abstract: "Takes RAW and processed stills of a Bayer sensor.",
    subcommands: [PhotoTakeCommand.self, PhotoInfoCommand.self],
    defaultSubcommand: PhotoTakeCommand.self)
}

/// Which RAW photo is taken.
enum RawKind: String, ExpressibleByArgument, CaseIterable {
  case bayer
  case proraw
}

/// Which processed photo is taken.
enum ProcessedKind: String, ExpressibleByArgument, CaseIterable {
  case jpeg
  case heic
}

/// What matters more.
enum PriorityKind: String, ExpressibleByArgument, CaseIterable {
  case speed
  case balanced
  case quality

  var priority: PhotoQualityPrioritization {
    switch self {
    case .speed: .speed
    case .balanced: .balanced
    case .quality: .quality
    }
  }
}

/// `recordctl photo take`, which is what `recordctl photo` does.
struct PhotoTakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take",
    abstract: "Takes photos.",
    discussion: """
      A Bayer photo is one exposure, sample for sample. A ProRAW photo is several, aligned, merged \
      and made into colours; --bracket says which, in stops from the present exposure. With --raw \
      bayer each exposure of a bracket is a photo of its own.
      """)

  @Option(name: .shortAndLong, help: "The device's identifier.")
  var device = "pattern:raw"

  @Option(help: "The RAW photo.")
  var raw: RawKind?

  @Option(help: "A processed photo of the same exposure.")
  var processed: ProcessedKind?

  @Option(help: "The size, as 4032x3024; the largest unless given.")
  var size: String?

  @Option(help: "The layout of the sensor's samples, as `recordctl formats` lists it.")
  var format: String?

  @Option(parsing: .unconditional, help: "Stops from the present exposure, as -2,0,2.")
  var bracket: String?

  @Option(help: "Photos, one after the other.")
  var count = 1

  @Option(help: "What matters more; for ProRAW: how many exposures.")
  var priority: PriorityKind?

  @Option(help: "Seconds of exposure, as 1/125 or 0.5.")
  var exposure: String?

  @Option(help: "Amplification, 1 for none.")
  var gain: Double?

  @Option(help: "The picture within the RAW file: full, none, or a size as 1024x768.")
  var thumbnail = "full"

  @Option(help: "Bits of a ProRAW photo without loss, 8 to 12.")
  var bitDepth = AppleProRAWCompressionSettings.maximumBitDepth

  @Option(help: "Below 1: a ProRAW photo of 8 bits with loss; and the quality of processed photos.")
  var quality = 1.0

  @Flag(help: "Compress a ProRAW photo as JPEG XL, which wants readers of DNG 1.7.")
  var jpegXL = false

  @Option(help: "The sensor's calibration, a TOML file.")
  var calibration: String?

  @Option(name: .shortAndLong, help: "The file, or its beginning where there are several.")
  var output: String?

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("--count is 1 to 10000") }
    if raw == nil, processed == nil {
      throw ValidationError("say what to take: --raw bayer, --raw proraw, --processed jpeg")
    }
  }

  func run() async throws {
    let device = try CaptureDevice.device(identifier: device)
    let output = CapturePhotoOutput()
    output.maxPhotoQualityPrioritization = .quality
    if let calibration { output.calibration = try CalibrationFile.read(path: calibration) }
    let session = CaptureSession()
    try session.configure { session throws(CaptureError) in
      session.sessionPreset = .inputPriority
      try session.add(CaptureDeviceInput(device: device))
      try session.add(output)
    }
    try choose(on: device)
    if raw == .proraw { output.isAppleProRAWEnabled = true }
    try setExposure(of: device)
    try await session.start()
    var files: [PhotoListing] = []
    do {
      for number in 1...count { files += try await take(number, output) }
    } catch {
      await session.stop()
      throw error
    }
    await session.stop()
    if json {
      try Console.print(json: files)
    } else {
      for file in files { Console.print(file.path) }
    }
  }

  /// The Bayer format: the largest, or what was asked for.
  private func choose(on device: CaptureDevice) throws {
    let wanted = try size.map { text in
      let parts = text.split(separator: "x").compactMap { Int($0) }
      guard parts.count == 2 else { throw ValidationError("'\(text)' is no size; write 640x480") }
      return VideoDimensions(width: parts[0], height: parts[1])
    }
    let bayer = device.formats.filter { $0.video?.pixelFormat?.isBayer == true }
    let fitting = bayer.filter { candidate in
      (wanted.map { candidate.dimensions == $0 } ?? true)
        && (format.map {
          candidate.nativeCode?.description == $0
            || candidate.video?.pixelFormat?.rawValue == $0
        } ?? true)
    }
    // Of equals the device's first.
    let area: (CaptureDevice.Format) -> Int = { $0.dimensions.width * $0.dimensions.height }
    guard let most = fitting.map(area).max(), let best = fitting.first(where: { area($0) == most })
    else {
      throw CaptureError(
        .formatUnavailable,
        bayer.isEmpty
          ? "\(device) has no Bayer format, which RAW photos are made of"
          : "\(device) has no such Bayer format; `recordctl formats` lists them")
    }
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(best) }
  }

  private func setExposure(of device: CaptureDevice) throws {
    guard exposure != nil || gain != nil else { return }
    guard let control = device.sensorControl else {
      throw CaptureError(.invalidArgument, "\(device) has no control of its exposure")
    }
    var wanted = try control.exposure()
    if let exposure {
      let parts = exposure.split(separator: "/").compactMap { Double($0) }
      guard let first = parts.first, (1...2).contains(parts.count), first > 0,
        parts.allSatisfy({ $0 > 0 })
      else { throw ValidationError("'\(exposure)' is no time; write 1/125 or 0.5") }
      wanted.duration = parts.count == 2 ? first / parts[1] : first
    }
    if let gain { wanted.gain = gain }
    try device.setExposureModeCustom(wanted)
  }

  private func settings(_ output: CapturePhotoOutput) throws -> CapturePhotoSettings {
    let formats = output.availableRawPhotoPixelFormatTypes
    let rawFormat = raw.flatMap { raw in
      formats.first {
        raw == .bayer
          ? CapturePhotoOutput.isBayerRAWPixelFormat($0)
          : CapturePhotoOutput.isAppleProRAWPixelFormat($0)
      }
    }
    let biases = try bracket.map { text in
      let values = text.split(separator: ",").map { Double($0) }
      guard !values.isEmpty, !values.contains(nil) else {
        throw ValidationError("'\(text)' is no bracket; write -2,0,2")
      }
      return values.compactMap(\.self)
    }
    let processedFormat = processed.map {
      CapturePhotoSettings.ProcessedFormat(
        codec: $0 == .jpeg ? .jpeg : .hevc, quality: quality < 1 ? quality : 0.92)
    }
    let isBayerBracket = raw == .bayer && biases != nil
    var settings = CapturePhotoSettings(
      rawPixelFormatType: rawFormat, processedFormat: processedFormat,
      bracketedSettings: isBayerBracket
        ? (biases ?? []).map { .autoExposure(exposureTargetBias: $0) } : [])
    if !isBayerBracket { settings.fusionExposureBiases = biases }
    if let priority { settings.photoQualityPrioritization = priority.priority }
    settings.rawEmbeddedThumbnailPhotoFormat = try thumbnailFormat(output)
    return settings
  }

  private func thumbnailFormat(
    _ output: CapturePhotoOutput
  ) throws -> CapturePhotoSettings.ThumbnailFormat? {
    switch thumbnail {
    case "none": return nil
    case "full": return .init(dimensions: output.maxPhotoDimensions)
    default:
      let parts = thumbnail.split(separator: "x").compactMap { Int($0) }
      guard parts.count == 2, parts.allSatisfy({ $0 > 0 }) else {
        throw ValidationError("'\(thumbnail)' is no size; write full, none or 1024x768")
      }
      return .init(dimensions: VideoDimensions(width: parts[0], height: parts[1]))
    }
  }

  private func take(_ number: Int, _ output: CapturePhotoOutput) async throws -> [PhotoListing] {
    let photos = try await output.capturePhoto(with: try settings(output))
    if number == 1 {
      for warning in photos.first?.resolvedSettings.warnings ?? [] { Console.note(warning) }
    }
    let total = count * photos.count
    return try photos.map { photo in
      let bytes =
        photo.isAppleProRAW
        ? try photo.fileDataRepresentation(with: self) : try photo.fileDataRepresentation()
      let path = path(of: photo, number: (number - 1) * photos.count + photo.photoCount, total)
      try PhotoFile.write(bytes, to: path)
      return PhotoListing(photo, path: path, byteCount: bytes.count)
    }
  }

  private func path(of photo: CapturePhoto, number: Int, _ total: Int) -> String {
    let stem = output ?? "photo-" + Self.stamp(Date())
    let ending = "." + photo.fileExtension
    let bare = stem.lowercased().hasSuffix(ending) ? String(stem.dropLast(ending.count)) : stem
    // A RAW photo and its processed companion share a name.
    let formats = (raw == nil ? 0 : 1) + (processed == nil ? 0 : 1)
    let exposure = (number + formats - 1) / max(formats, 1)
    return total == formats ? bare + ending : "\(bare)-\(exposure)" + ending
  }

  private static func stamp(_ date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "yyyyMMdd-HHmmss"
    return formatter.string(from: date)
  }
}

extension PhotoTakeCommand: CapturePhotoFileDataRepresentationCustomizer {
  /// What --bit-depth and --quality ask for.
  func replacementAppleProRAWCompressionSettings(
    for photo: CapturePhoto, defaultSettings: AppleProRAWCompressionSettings, maximumBitDepth: Int
  ) -> AppleProRAWCompressionSettings {
    var settings = defaultSettings
    settings.bitDepth = bitDepth
    settings.quality = quality
    settings.usesJPEGXL = jpegXL
    return settings
  }
}

/// A photo that was written.
struct PhotoListing: Encodable {
  let path: String
  let isRaw: Bool
  let byteCount: Int
  let exposureTime: Double
  let gain: Double
  let exposures: Int
  let warnings: [String]

  init(_ photo: CapturePhoto, path: String, byteCount: Int) {
    self.path = path
    self.byteCount = byteCount
    isRaw = photo.isRawPhoto
    exposureTime = photo.exposure.duration
    gain = photo.exposure.gain
    exposures = photo.isAppleProRAW ? photo.resolvedSettings.exposures.count : 1
    warnings = photo.resolvedSettings.warnings
  }
}
