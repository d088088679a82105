import ArgumentParser
import Foundation
import ImageFiles
import MediaCore
import MediaLibrary
import PhotoDevelopment
import RawPhoto
import Synchronization
import VideoRecorder

/// `recordctl photo take`, which is what `recordctl photo` does.
struct PhotoTakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "take",
    abstract: "Takes photos.",
    discussion: """
      A Bayer photo is one exposure with the sensor's samples unchanged. A ProRAW photo combines \
      several exposures, aligned, merged and converted to color. --bracket chooses the exposures, \
      in stops relative to the current one. With --raw bayer, each exposure of a bracket is a \
      separate photo.
      """)

  @Option(
    name: .shortAndLong,
    help: "Device identifier (default: the synthetic sensor pattern:raw).",
    completion: Completion.devices)
  var device: String?

  @Option(
    help: "Kind of RAW photo: bayer or proraw.", completion: PhotoSession.RAWKind.completions,
    transform: PhotoSession.RAWKind.argument)
  var raw: PhotoSession.RAWKind?

  @Option(
    help: "Also write a processed photo of the same exposure: jpeg or heic.",
    completion: PhotoSession.ProcessedKind.completions,
    transform: PhotoSession.ProcessedKind.argument)
  var processed: PhotoSession.ProcessedKind?

  @Option(
    help: "Photo size in pixels, such as 4032x3024 (default: the largest).",
    transform: VideoDimensions.stillArgument)
  var size: VideoDimensions?

  @Option(help: "Pixel format, as listed by `recordctl formats`.")
  var format: String?

  @Option(
    parsing: .unconditional, help: "Exposure offsets in stops, such as -2,0,2.",
    transform: ExposureBracket.argument)
  var bracket: ExposureBracket?

  @Option(help: "Number of captures (default: 1).", transform: Int.argument(in: 1...10_000))
  var count = 1

  @Option(
    help: "Priority: speed, balanced or quality. For ProRAW it sets the number of exposures.",
    completion: PhotoQualityPrioritization.completions,
    transform: PhotoQualityPrioritization.argument)
  var priority: PhotoQualityPrioritization?

  @Option(
    help: "Exposure time in seconds, such as 1/125 or 0.5.", transform: ExposureTime.argument)
  var exposure: ExposureTime?

  @Option(
    help: "Sensor gain as a factor; 1 is unity.", transform: Double.argument(in: 0.001...1_000_000))
  var gain: Double?

  @Option(
    help: "Preview in the RAW file: full, none, or a size such as 1024x768.",
    completion: .list(["full", "none"]), transform: PhotoSession.Thumbnail.argument)
  var thumbnail: PhotoSession.Thumbnail?

  @Option(
    help: "Bit depth: 8 to 12 for a lossless ProRAW photo, 8 or 10 for a HEIC photo.",
    transform: Int.argument(in: 8...AppleProRAWCompressionSettings.maximumBitDepth))
  var bitDepth: Int?

  @Option(
    help: "Quality from 0 to 1, also for processed photos; below 1, ProRAW is lossy with 8 bits.",
    transform: Double.argument(in: 0...1))
  var quality: Double?

  @Flag(help: "Compress a ProRAW photo as JPEG XL; reading it requires DNG 1.7 support.")
  var jpegXL = false

  @Option(
    help: "TOML file with the sensor's calibration.", completion: .file(extensions: ["toml"]))
  var calibration: String?

  @Option(
    name: .shortAndLong, help: "File to write, or the prefix of several files.",
    completion: .file(extensions: ["dng", "jpg", "heic"]), transform: GivenPath.argument)
  var output: String?

  @OptionGroup var saving: SavingArguments

  @Option(
    help: """
      Develop the RAW photo immediately to this format: jpeg, jpeg-hdr, heic, avif, jxl, tiff, png \
      or exr.
      """,
    completion: ImageFileFormat.completions, transform: ImageFileFormat.argument)
  var develop: ImageFileFormat?

  @Option(
    help: "Development preset: web, hdr, edit, one of your own, or a TOML file.",
    completion: .developPresets)
  var developPreset: String?

  @Flag(help: "Overwrite existing files.")
  var overwrite = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    if raw == nil, processed == nil {
      throw ValidationError("choose what to take: --raw bayer, --raw proraw, --processed jpeg")
    }
    guard thumbnail == nil || raw != nil else {
      throw ValidationError(
        "--thumbnail is the preview in a RAW photo; add --raw, or leave --thumbnail out")
    }
    guard bracket == nil || priority == nil || decidesEffort else {
      throw ValidationError(
        "--bracket chooses the exposures, so --priority has no effect; give only one of them"
      )
    }
    if raw != .proraw, processed == .heic, let bitDepth, bitDepth != 8, bitDepth != 10 {
      throw ValidationError("a HEIC photo has 8 or 10 bits, not \(bitDepth)")
    }
    let develops = develop != nil || developPreset != nil
    guard !develops || raw != nil else {
      throw ValidationError("--develop needs a RAW photo; add --raw bayer or --raw proraw")
    }
    guard !develops || processed == nil else {
      throw ValidationError("--develop and --processed exclude each other; give only one")
    }
    if saving.isWanted, let develop { try LibraryFormats.checkCompanion(develop) }
  }

  func run() async throws {
    let recipe = try recipe()
    if let recipe { try checkImages(recipe) }
    let session = try PhotoSession(request)
    if saving.isWanted { try saving.destination().checkAdding() }
    let result = await Self.take(session, count)
    var photos = session.files
    var isEndedEarly = false
    if case .failure(let error) = result {
      guard let canceled = error as? RawPhotoError, canceled.code == .canceled else {
        for file in photos.flatMap(\.self) { Console.note("\(file.path) is complete and kept") }
        throw error
      }
      isEndedEarly = true
      Console.note(
        photos.isEmpty
          ? "interrupted: no photo was taken"
          : "interrupted: the listed files are complete, and no others were left"
            + (recipe == nil ? "" : "; it is not developed"))
      if canceled != .canceled { Console.note(canceled.message) }
    }
    let told = count > 1 && photos.count > 1 ? photos[0].first?.warnings : nil
    PhotoLine.warn(photos, after: told ?? [])
    for message in ignored {
      Console.note(message)
      for place in photos.indices where !photos[place].isEmpty {
        photos[place][0].warnings.append(message)
      }
    }
    var developed: [DevelopedPhoto]?
    if let recipe, !isEndedEarly {
      developed = try await DevelopRun.develop(try batch(recipe, photos))
    }
    let saved = saving.isWanted && !photos.isEmpty ? try await save(&photos, &developed) : nil
    let files = photos.flatMap(\.self)
    if json {
      try Console.print(
        .photos,
        PhotoListings(
          photos: files, developed: developed, endedEarly: isEndedEarly ? true : nil,
          library: saved))
    } else {
      for file in files { Console.print(file.path) }
      for photo in developed ?? [] where photo.status == .developed {
        Console.print(DevelopText.lines(photo))
      }
    }
    if let error = saved?.error {
      Console.note("the photos are not in the library: \(error.message)")
      throw ExitStatus.failure.exit
    }
    let isHookEnded = saved?.hooks.contains(where: \.wasInterrupted) == true
    if isEndedEarly || isHookEnded { throw ExitStatus.endedEarly.exit }
    if let status = developed.flatMap(DevelopRun.status) { throw status.exit }
  }

  /// True where the priority decides more than the exposures: HEIC is compressed with more effort then.
  private var decidesEffort: Bool {
    processed == .heic && priority == .quality && raw != .bayer
  }

  /// Takes the photos with a progress line, until they are there or a signal ends it.
  private static func take(
    _ session: PhotoSession, _ count: Int
  ) async -> Result<Void, any Error> {
    let (progress, began) = (ProgressLine(), ContinuousClock.now)
    let result = await Interruption.cancelling {
      let capture = Mutex(1)
      _ = try await session.takeAll { number, taken in
        if number == 2 { PhotoLine.warn(taken) }
        capture.withLock { $0 = number }
      } onStep: { step in
        let taken = session.files.flatMap(\.self)
        progress.show(immediately: true) {
          PhotoLine.text(step, capture.withLock { $0 }, of: count, taken, since: began)
        }
      }
    }
    progress.clear()
    return result
  }

  /// How RAW photos are developed; nil where they are not.
  private func recipe() throws -> DevelopRecipe? {
    guard develop != nil || developPreset != nil else { return nil }
    var options = DevelopOptions()
    options.format = develop
    return try DevelopRecipe(
      options, preset: developPreset.map { try DevelopPresetLibrary().preset(named: $0) })
  }

  /// Refuses what the development would end with, before a photo is taken.
  private func checkImages(_ recipe: DevelopRecipe) throws {
    // The preset's format counts where no option has one.
    if saving.isWanted { try LibraryFormats.checkCompanion(recipe.file.format) }
    guard let photoOutput else { return }
    let exposures = count * (raw == .bayer ? bracket?.biases.count ?? 1 : 1)
    let sources = PhotoNames.paths(output: photoOutput, ending: ".dng", exposureCount: exposures)
    let batch = try DevelopBatch(sources: sources, recipe: recipe, name: imageName())
    guard !overwrite, let taken = batch.presentPath else { return }
    throw PhotoDevelopmentError(
      .fileFailed, "\(taken) exists; choose another name or give --overwrite")
  }

  private func batch(
    _ recipe: DevelopRecipe, _ photos: [[PhotoFileSummary]]
  ) throws -> DevelopBatch {
    let files = photos.flatMap(\.self).filter(\.isRAW).map(\.path)
    var batch = try DevelopBatch(sources: files, recipe: recipe, name: imageName())
    batch.replacesFiles = overwrite
    // Nothing is skipped here.
    batch.remedyForExisting = "or allow overwriting"
    return batch
  }

  /// The ending of a finished image that the output has as it was typed, with its point, if the RAW photo is
  /// developed; nil for any other.
  private var imageEnding: String? {
    guard let output, develop != nil || developPreset != nil,
      let point = output.lastIndex(of: "."), !output[point...].contains("/"),
      let before = output[..<point].last, before != "/"
    else { return nil }
    let ending = output[point...]
    let isImage = ImageFileFormat.allCases.contains {
      $0.fileExtensions.contains(ending.dropFirst().lowercased())
    }
    return isImage ? String(ending) : nil
  }

  /// The output by the name of the RAW photo.
  private var photoOutput: String? {
    guard let output, let imageEnding else { return output }
    return output.dropLast(imageEnding.count) + ".dng"
  }

  /// The name of what is developed: beside its photo, and with the ending that was typed.
  private func imageName() throws(PhotoDevelopmentError) -> ImageName {
    guard let output, let imageEnding else { return try ImageName(nil) }
    let folder = output.lastIndex(of: "/").map { output[...$0] } ?? ""
    return try ImageName(folder + "{name}" + imageEnding)
  }

  /// What was asked for and has no effect on these photos, or on some of them.
  private var ignored: [String] {
    if raw == .proraw { return [ignoredBesideProRAW, ignoredQuality].compactMap(\.self) }
    let depth = bitDepth.map { _ in "--bit-depth" }
    let reason =
      raw == .bayer ? "a Bayer photo has the sensor's samples unchanged" : "there is no RAW photo"
    func ignored(_ option: String) -> String {
      "\(option) is ignored: \(reason); it is for --raw proraw"
    }
    func partly(_ option: String) -> String? {
      raw == .bayer ? "\(option) applies only to the \(processedName): \(reason)" : nil
    }
    return [
      depth.flatMap { processed == .heic ? partly($0) : ignored($0) },
      quality.flatMap { quality in
        guard processed != nil else { return ignored("--quality") }
        return quality < 1 ? partly("--quality") : nil
      },
      jpegXL ? ignored("--jpeg-xl") : nil, ignoredQuality,
    ].compactMap(\.self)
  }

  /// What a quality that is no loss for ProRAW leaves as it is.
  private var ignoredQuality: String? {
    guard quality == 1, processed != nil else { return nil }
    return
      "--quality 1 makes ProRAW lossless; the \(processedName) has its usual "
      + "quality, which a number below 1 would change"
  }

  /// What of a depth has no effect on a ProRAW photo, or on the one beside it.
  private var ignoredBesideProRAW: String? {
    guard let bitDepth else { return nil }
    if let quality, quality < 1, !jpegXL, bitDepth != 8 {
      let reason = "below --quality 1 a ProRAW photo has 8 bits unless it is JPEG XL"
      return processed == .heic
        ? "--bit-depth applies only to the \(processedName), which has \(processedBitDepth): \(reason)"
        : "--bit-depth is ignored: \(reason)"
    }
    guard processed != nil, processedBitDepth != bitDepth else { return nil }
    return
      "--bit-depth applies to the ProRAW photo; the \(processedName) has \(processedBitDepth) bits"
  }

  private var processedName: String { processed == .heic ? "HEIC photo" : "JPEG photo" }

  /// JPEG has 8 bits; HEIC has 10 where the ProRAW photo beside it has as many or more.
  private var processedBitDepth: Int { processed == .heic && bitDepth ?? 8 >= 10 ? 10 : 8 }

  private var request: PhotoSession.Request {
    if device == nil {
      Console.note("no --device given: using the synthetic sensor pattern:raw")
    }
    var request = PhotoSession.Request(deviceID: device ?? "pattern:raw")
    request.raw = raw
    request.processed = processed
    request.dimensions = size
    request.format = format
    request.bracket = bracket?.biases
    request.priority = priority
    request.exposureTime = exposure?.seconds
    request.gain = gain
    if let thumbnail { request.thumbnail = thumbnail }
    if let bitDepth { request.compression.bitDepth = bitDepth }
    if let quality { request.compression.quality = quality }
    request.compression.usesJPEGXL = jpegXL
    request.processedBitDepth = processedBitDepth
    request.calibration = calibration
    request.output = photoOutput
    request.count = count
    request.replacesFiles = overwrite
    return request
  }

  /// Moves the files into the library, those of an exposure as one asset. Where that fails they stay
  /// where they are.
  private func save(
    _ photos: inout [[PhotoFileSummary]], _ developed: inout [DevelopedPhoto]?
  ) async throws -> SavedRecording.Saving {
    let library = try saving.destination()
    do throws(MediaLibraryError) {
      let images = photos.map { group in
        (developed ?? []).indices.filter { index in
          developed?[index].path != nil && developed?[index].status == .developed
            && group.contains { $0.path == developed?[index].source }
        }
      }
      let files = zip(photos, images).map { group, images in
        (group.map(\.path) + images.compactMap { developed?[$0].path }).map {
          URL(filePath: $0)
        }
      }
      let changes = try await SavingArguments.save { () async throws(MediaLibraryError) in
        try await library.save(photos: files)
      }
      for (place, saved) in try library.savedFiles(files, in: changes).enumerated() {
        for (index, file) in saved.enumerated() {
          if index < photos[place].count {
            photos[place][index].asset = file.asset
            photos[place][index].path = file.path
          } else {
            developed?[images[place][index - photos[place].count]].path = file.path
          }
        }
      }
      SavingArguments.tell(changes, library)
      return SavedRecording.Saving(changes, in: library)
    } catch { return SavedRecording.Saving(path: library.url.path, error: error) }
  }
}
