import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
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

/// What matters more.
enum PriorityKind: String, NamedValue {
  case speed
  case balanced
  case quality

  static let noun = "priority"

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

  @Option(
    name: .shortAndLong, help: "The device's identifier.", completion: Completion.devices)
  var device = "pattern:raw"

  @Option(
    help: "The RAW photo: bayer or proraw.", completion: RawKind.completions,
    transform: RawKind.argument)
  var raw: RawKind?

  @Option(
    help: "A processed photo of the same exposure: jpeg or heic.",
    completion: ProcessedKind.completions, transform: ProcessedKind.argument)
  var processed: ProcessedKind?

  @Option(
    help: "The size, as 4032x3024; the largest unless given.",
    transform: VideoDimensions.stillArgument)
  var size: VideoDimensions?

  @Option(help: "The layout of the sensor's samples, as `recordctl formats` lists it.")
  var format: String?

  @Option(
    parsing: .unconditional, help: "Stops from the present exposure, as -2,0,2.",
    transform: ExposureBracket.argument)
  var bracket: ExposureBracket?

  @Option(help: "Photos, one after the other.", transform: Int.argument(in: 1...10_000))
  var count = 1

  @Option(
    help: "What matters more; for ProRAW, how many exposures: speed, balanced or quality.",
    completion: PriorityKind.completions, transform: PriorityKind.argument)
  var priority: PriorityKind?

  @Option(
    help: "Seconds of exposure, as 1/125 or 0.5.", transform: ExposureTime.argument)
  var exposure: ExposureTime?

  @Option(
    help: "Amplification, 1 for none.", transform: Double.argument(in: 0.001...1_000_000))
  var gain: Double?

  @Option(
    help: "The picture within the RAW file: full, none, or a size as 1024x768.",
    completion: .list(["full", "none"]), transform: ThumbnailSize.argument)
  var thumbnail = ThumbnailSize.full

  @Option(
    help: "Bits of a ProRAW photo without loss, 8 to 12.",
    transform: Int.argument(in: 8...AppleProRAWCompressionSettings.maximumBitDepth))
  var bitDepth = AppleProRAWCompressionSettings.maximumBitDepth

  @Option(
    help: "Below 1: a ProRAW photo of 8 bits with loss; and the quality of processed photos.",
    transform: Double.argument(in: 0...1))
  var quality = 1.0

  @Flag(help: "Compress a ProRAW photo as JPEG XL, which wants readers of DNG 1.7.")
  var jpegXL = false

  @Option(
    help: "The sensor's calibration, a TOML file.", completion: .file(extensions: ["toml"]))
  var calibration: String?

  @Option(
    name: .shortAndLong, help: "The file, or its beginning where there are several.",
    completion: .file(extensions: ["dng", "jpg", "heic"]))
  var output: String?

  @OptionGroup var saving: SavingArguments

  @Flag(help: "Replace files of these names where they exist.")
  var overwrite = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if raw == nil, processed == nil {
      throw ValidationError("say what to take: --raw bayer, --raw proraw, --processed jpeg")
    }
  }

  func run() async throws {
    var names = try names()
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
    if saving.isWanted { try saving.destination().checkAdding() }
    try await session.start()
    var photos: [[PhotoListing]] = []
    let progress = ProgressLine()
    let began = ContinuousClock.now
    do {
      for number in 1...count {
        progress.show {
          PhotoLine.text(number, of: count, photos.flatMap(\.self), since: began)
        }
        photos += try await take(number, output, &names)
      }
    } catch {
      progress.clear()
      await session.stop()
      throw error
    }
    progress.clear()
    await session.stop()
    let failure = saving.isWanted ? try await save(&photos) : nil
    let files = photos.flatMap(\.self)
    if json {
      try Console.print(.photos, PhotoListings(photos: files))
    } else {
      for file in files { Console.print(file.path) }
    }
    if let failure {
      Console.complain("the photos are not in the library: \(failure.message)")
      throw ExitStatus.failure.exit
    }
  }

  /// Moves the files into the library, those of an exposure as one asset. Where that fails they stay
  /// where they are.
  private func save(_ photos: inout [[PhotoListing]]) async throws -> MediaLibraryError? {
    let library = try saving.destination()
    do throws(MediaLibraryError) {
      let files = photos.map { $0.map { URL(filePath: $0.path) } }
      let changes = try await SavingArguments.save { () async throws(MediaLibraryError) in
        try await library.save(photos: files)
      }
      for (place, id) in changes.createdAssets.enumerated() where place < photos.count {
        for index in photos[place].indices { photos[place][index].asset = id }
      }
      try tellPlaces(of: &photos, in: library)
      SavingArguments.tell(changes, library)
      return nil
    } catch { return error }
  }

  /// Where the files are now.
  private func tellPlaces(
    of photos: inout [[PhotoListing]], in library: PhotoLibrary
  ) throws(MediaLibraryError) {
    let ids = photos.compactMap { $0.first?.asset }
    let assets = try library.fetchAssets(withLocalIdentifiers: ids)
    let resources = Dictionary(
      assets.map { ($0.localIdentifier, $0.resources) }, uniquingKeysWith: { first, _ in first })
    for place in photos.indices {
      for index in photos[place].indices {
        let listing = photos[place][index]
        let file = listing.asset.flatMap { resources[$0] }?.first {
          $0.originalFilename == URL(filePath: listing.path).lastPathComponent
        }
        if let file { photos[place][index].path = file.fileURL.path }
      }
    }
  }

  /// The Bayer format: the largest, or what was asked for.
  private func choose(on device: CaptureDevice) throws {
    let bayer = device.formats.filter { $0.video?.pixelFormat?.isBayer == true }
    let fitting = bayer.filter { candidate in
      (size.map { candidate.dimensions == $0 } ?? true)
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
          : "\(device) has no such Bayer format; `recordctl formats \(device.uniqueID)` lists them")
    }
    try device.configure { device throws(CaptureError) in try device.setActiveFormat(best) }
  }

  private func setExposure(of device: CaptureDevice) throws {
    guard exposure != nil || gain != nil else { return }
    guard let control = device.sensorControl else {
      throw CaptureError(
        .invalidArgument, "\(device) cannot set its exposure; leave out --exposure and --gain")
    }
    var wanted = try control.exposure()
    if let exposure { wanted.duration = exposure.seconds }
    if let gain { wanted.gain = gain }
    try device.setExposureModeCustom(wanted)
  }

  private func settings(_ output: CapturePhotoOutput) -> CapturePhotoSettings {
    let formats = output.availableRawPhotoPixelFormatTypes
    let rawFormat = raw.flatMap { raw in
      formats.first {
        raw == .bayer
          ? CapturePhotoOutput.isBayerRAWPixelFormat($0)
          : CapturePhotoOutput.isAppleProRAWPixelFormat($0)
      }
    }
    let biases = bracket?.biases
    let processedFormat = processed.map {
      CapturePhotoSettings.ProcessedFormat(
        codec: $0 == .jpeg ? .jpeg : .hevc, quality: quality < 1 ? quality : 0.92)
    }
    var settings = CapturePhotoSettings(
      rawPixelFormatType: rawFormat, processedFormat: processedFormat,
      bracketedSettings: isBayerBracket
        ? (biases ?? []).map { .autoExposure(exposureTargetBias: $0) } : [])
    if !isBayerBracket { settings.fusionExposureBiases = biases }
    if let priority { settings.photoQualityPrioritization = priority.priority }
    settings.rawEmbeddedThumbnailPhotoFormat = thumbnailFormat(output)
    return settings
  }

  /// With --raw bayer each exposure of a bracket is a photo of its own.
  private var isBayerBracket: Bool { raw == .bayer && bracket != nil }

  private func thumbnailFormat(
    _ output: CapturePhotoOutput
  ) -> CapturePhotoSettings.ThumbnailFormat? {
    switch thumbnail {
    case .none: nil
    case .full: .init(dimensions: output.maxPhotoDimensions)
    case .size(let size): .init(dimensions: size)
    }
  }

  /// Photos that one capture gives of each kind.
  private func exposuresOfACapture() -> Int {
    isBayerBracket ? bracket?.biases.count ?? 1 : 1
  }

  private func names() throws -> PhotoNames {
    let endings = [raw.map { _ in ".dng" }, processed.map { $0 == .jpeg ? ".jpg" : ".heic" }]
    return try PhotoNames(
      output: output, endings: endings.compactMap(\.self),
      exposureCount: count * exposuresOfACapture(), replaces: overwrite)
  }

  /// Takes photos and writes them; the files of an exposure are together.
  private func take(
    _ number: Int, _ output: CapturePhotoOutput, _ names: inout PhotoNames
  ) async throws -> [[PhotoListing]] {
    let photos = try await output.capturePhoto(with: settings(output))
    if number == 1 {
      for warning in photos.first?.resolvedSettings.warnings ?? [] { Console.note(warning) }
    }
    let before = (number - 1) * exposuresOfACapture()
    var exposures: [Int: [PhotoListing]] = [:]
    for photo in photos {
      let bytes =
        photo.isAppleProRAW
        ? try photo.fileDataRepresentation(with: self) : try photo.fileDataRepresentation()
      let path = names.path(
        "." + photo.fileExtension, exposure: before + photo.sequenceCount,
        date: photo.metadata.date ?? Date())
      try PhotoFile.write(bytes, to: path, replacing: overwrite)
      exposures[photo.sequenceCount, default: []].append(
        PhotoListing(photo, path: path, byteCount: bytes.count))
    }
    return exposures.sorted { $0.key < $1.key }.map(\.value)
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

/// The photos of a run.
private struct PhotoListings: Encodable {
  let photos: [PhotoListing]
}

/// A photo that was written.
struct PhotoListing: Encodable {
  /// Where it is: in the library, where it was saved there.
  var path: String
  /// The asset in the library.
  var asset: String?
  let isRAW: Bool
  /// Bytes of the file.
  let fileSize: Int
  let exposureTime: Double
  let gain: Double
  /// Exposures that were merged into it.
  let exposureCount: Int
  let warnings: [String]

  init(_ photo: CapturePhoto, path: String, byteCount: Int) {
    self.path = path
    fileSize = byteCount
    isRAW = photo.isRawPhoto
    exposureTime = photo.exposure.duration
    gain = photo.exposure.gain
    exposureCount = photo.isAppleProRAW ? photo.resolvedSettings.exposures.count : 1
    warnings = photo.resolvedSettings.warnings
  }
}
