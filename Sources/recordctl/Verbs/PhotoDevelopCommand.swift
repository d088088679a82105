import ArgumentParser
import Foundation
import ImageFiles
import MediaCore
import MediaLibrary
import PhotoDevelopment
import RawDevelop

/// `recordctl photo develop FILE…`
struct PhotoDevelopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Develops DNG files into finished images.",
    discussion: """
      Each FILE is a DNG file from any camera, or a folder of them; --asset and --album choose \
      photos from the library. The images are written beside the photos, or to --output: a \
      folder, or a name with {name}, {number}, {date}, {time} and {camera}. Options override the \
      photo's XMP sidecar, which overrides the preset. A photo that fails is reported, and the \
      others are still developed.
      """)

  @Argument(help: "DNG files and folders.", completion: .file(extensions: ["dng", "DNG"]))
  var files: [String] = []

  @OptionGroup(title: "Library") var chosen: LibraryPhotoArguments

  @OptionGroup(title: "Development") var development: DevelopArguments

  @Option(
    name: .shortAndLong, help: "Folder, or a name with wildcards such as out/{date}-{name}.",
    completion: .file())
  var output: String?

  @Option(
    help: "Number of photos to develop at the same time (default: 1); each may use all processors.",
    transform: Int.argument(in: 1...64))
  var jobs = 1

  @Flag(
    help: "Save the image and its settings in the library, beside the untouched original."
  )
  var keep = false

  @Flag(help: "Skip photos whose image already exists.")
  var skipExisting = false

  @Flag(help: "Overwrite existing images.")
  var overwrite = false

  @Flag(help: "Print histograms of the photo and of the image.")
  var histogram = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !skipExisting || !overwrite else {
      throw ValidationError("--skip-existing and --overwrite exclude each other; give only one")
    }
    guard !chosen.isWanted || keep || output != nil else {
      throw ValidationError(
        "\(chosen.assets.isEmpty ? "--album" : "--asset") needs --output, a place for the images, or --keep"
      )
    }
    guard !keep || (chosen.isWanted && files.isEmpty && output == nil) else {
      throw ValidationError("--keep is for photos of --asset and --album, without --output")
    }
    for (option, isGiven) in [("--skip-existing", skipExisting), ("--overwrite", overwrite)]
    where isGiven && keep {
      throw ValidationError(
        "\(option) applies to files, but --keep replaces the asset's edit; leave \(option) out"
      )
    }
    if keep, let format = development.to { try LibraryFormats.checkEdit(format) }
    guard !chosen.isWanted || !development.writeSidecar else {
      throw ValidationError(
        "the library's folder holds only its own sidecars; leave --write-sidecar out")
    }
    guard !files.isEmpty || chosen.isWanted else {
      throw ValidationError("name DNG files or folders, or photos with --asset or --album")
    }
  }

  func run() async throws {
    let recipe = try development.recipe()
    // The preset's format counts where no option has one.
    if keep { try LibraryFormats.checkEdit(recipe.file.format) }
    let (found, remark) = try chosen.photos(for: keep ? .changing : .reading)
    if let remark { Console.note(remark) }
    // Images that the library is to take lie in a folder of their own until it has them: no signal ends the program
    // before that folder is removed.
    let interruption = Interruption()
    let folder = keep ? try Self.temporaryFolder() : nil
    defer {
      if let folder { try? FileManager.default.removeItem(at: folder) }
      withExtendedLifetime(interruption) {}
    }
    var photos = try await DevelopRun.develop(
      try batch(found, recipe, into: folder.map { $0.path + "/{number}-{name}" } ?? output),
      under: interruption
    ) { [keep] photo in
      // The folder is gone when somebody reads this.
      if keep { photo.path = nil }
    }
    var listing = DevelopListing(photos: photos, warnings: remark.map { [$0] })
    if let folder {
      interruption.renew { Console.note("interrupted: saving the edits in the library first") }
      let warnings = try await Self.keep(&photos, of: found, from: folder)
      for warning in warnings { Console.note(warning) }
      listing = DevelopListing(photos: photos, warnings: (listing.warnings ?? []) + warnings)
    }
    if json {
      try Console.print(.development, listing)
    } else {
      for photo in photos where photo.status == .developed {
        Console.print(DevelopText.lines(photo))
      }
    }
    if let status = DevelopRun.status(of: photos) { throw status.exit }
  }

  private func batch(
    _ found: [LibraryPhotoArguments.Photo], _ recipe: DevelopRecipe, into output: String?
  ) throws -> DevelopBatch {
    let name = try ImageName(output, isOfFolder: files.contains { PhotoSources.isFolder($0) })
    let sources = try PhotoSources.files(files) + found.map(\.path)
    var batch = try DevelopBatch(
      sources: sources, recipe: recipe, name: name, skipsExisting: skipExisting)
    batch.sidecars = found.sidecars
    batch.jobs = jobs
    batch.replacesFiles = overwrite
    batch.makesHistograms = histogram
    batch.makesPackets = keep
    return batch
  }

  private static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "recordctl-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    return folder
  }

  /// Gives an image its photo's name, in a folder of its own: the library keeps it under that name.
  private static func plainlyNamed(
    _ path: String, of source: String, _ folder: URL
  ) throws -> String {
    let image = URL(filePath: path)
    let own = folder.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
    let stem = URL(filePath: source).deletingPathExtension().lastPathComponent
    let named = own.appending(path: "\(stem).\(image.pathExtension)")
    try FileManager.default.moveItem(at: image, to: named)
    return named.path
  }

  /// Moves images into the library, each with its settings beside its photo, and with everything else that the
  /// photo's XMP says.
  ///
  /// - Returns: What went wrong after the change was complete.
  private static func keep(
    _ photos: inout [DevelopedPhoto], of found: [LibraryPhotoArguments.Photo], from folder: URL
  ) async throws -> [String] {
    let assets = Dictionary(
      found.map { ($0.path, $0.asset) }, uniquingKeysWith: { first, _ in first })
    for index in photos.indices {
      photos[index].path =
        photos[index].status == .developed
        ? try photos[index].path.map { try plainlyNamed($0, of: photos[index].source, folder) }
        : nil
    }
    let made = photos.filter { $0.status == .developed }
    guard let library = found.first?.asset.library, !made.isEmpty else { return [] }
    let changes = try await library.performChanges {
      for photo in made {
        guard let asset = assets[photo.source], let path = photo.path else { continue }
        let stem = URL(filePath: photo.source).deletingPathExtension().lastPathComponent
        try AssetChangeRequest.setContent(
          of: asset,
          to: ContentEditingOutput(
            adjustmentData: Data((photo.packet ?? PhotoAdjustment().xmp).utf8),
            adjustmentName: stem + ".xmp", renderedContentURL: URL(filePath: path)))
      }
    }
    for index in photos.indices where photos[index].status == .developed {
      let asset = try assets[photos[index].source].flatMap {
        try library.fetchAssets(withLocalIdentifiers: [$0.localIdentifier]).first
      }
      photos[index].path =
        asset?.resources.first { $0.type == .fullSizePhoto }?.fileURL.path ?? photos[index].path
    }
    return changes.warnings
  }
}

/// A batch that runs with a progress line until it is done or a signal ends it.
enum DevelopRun {
  /// Develops, and tells failures and remarks on standard error as they come.
  ///
  /// - Parameters:
  ///   - interruption: Watches signals; its first one ends the development.
  ///   - adapt: Makes of what became of a photo what is told of it there.
  static func develop(
    _ batch: DevelopBatch, under interruption: Interruption = Interruption(),
    adapt: @escaping @Sendable (inout DevelopedPhoto) -> Void = { _ in }
  ) async throws -> [DevelopedPhoto] {
    let (progress, cancellation) = (ProgressLine(), Cancellation())
    // Of all photos the same: told once.
    for note in batch.recipe.notes { Console.note(note.message) }
    interruption.handle { cancellation.cancel() }
    let photos = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let photos = batch.run(isCanceled: { cancellation.isCancelled }) { now in
          if var last = now.last {
            adapt(&last)
            last.notes.removeAll { batch.recipe.notes.contains($0) }
            for line in DevelopText.remarks(last) { Console.note(line) }
          }
          progress.show { DevelopText.progress(now) }
        }
        continuation.resume(returning: photos)
      }
    }
    withExtendedLifetime(interruption) {}
    progress.clear()
    return photos
  }

  /// The status of what became of photos; nil for success.
  static func status(of photos: [DevelopedPhoto]) -> ExitStatus? {
    if photos.contains(where: { $0.status == .canceled }) { return .endedEarly }
    guard let failed = photos.first(where: { $0.status == .failed }) else { return nil }
    // Of several photos the others were done; a single one fails as its file has it.
    let isInput =
      failed.error.map { $0.code != PhotoDevelopmentError.Code.codecFailed.name } ?? false
    return photos.count == 1 && isInput ? .badInput : .failure
  }
}

/// What a development came to.
struct DevelopListing: Encodable {
  var photos: [DevelopedPhoto]
  /// What an album has that is left out, and what went wrong in the library after it had taken the images; nil if
  /// nothing is left out, and none were for it.
  var warnings: [String]?
}
