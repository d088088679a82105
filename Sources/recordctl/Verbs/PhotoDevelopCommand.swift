import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import PhotoDevelopment
import RawDevelop

/// `recordctl photo develop FILE…`
struct PhotoDevelopCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Develops DNG files into finished pictures.",
    discussion: """
      Each FILE is a DNG file of any camera, or a folder of them; --asset and --album take photos of \
      the library. The pictures go beside the photos, or where --output says: a folder, or a name with \
      {name}, {number}, {date}, {time} and {camera}. Settings come from the preset, then from the \
      photo's XMP sidecar, then from the options. A photo that fails is named, and the others are made \
      all the same.
      """)

  @Argument(help: "DNG files and folders.", completion: .file(extensions: ["dng", "DNG"]))
  var files: [String] = []

  @OptionGroup(title: "Library") var chosen: LibraryPhotoArguments

  @OptionGroup(title: "Development") var development: DevelopArguments

  @Option(
    name: .shortAndLong, help: "A folder, or a name with wildcards such as out/{date}-{name}.",
    completion: .file())
  var output: String?

  @Option(
    help: "How many photos at the same time; each one uses all processors where it can.",
    transform: Int.argument(in: 1...64))
  var jobs = 1

  @Flag(help: "Leave out photos whose picture is there already.")
  var skipExisting = false

  @Flag(help: "Overwrite existing pictures.")
  var overwrite = false

  @Flag(help: "Print how light is distributed in the photo and in the picture.")
  var histogram = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !skipExisting || !overwrite else {
      throw ValidationError("--skip-existing and --overwrite exclude each other; give one of them")
    }
    guard !chosen.isWanted || output != nil else {
      throw ValidationError("say with --output where the pictures of the library's photos go")
    }
    guard !chosen.isWanted || !development.writeSidecar else {
      throw ValidationError(
        "the library's folder holds no sidecars of others; leave --write-sidecar out")
    }
    guard !files.isEmpty || chosen.isWanted else {
      throw ValidationError("name DNG files or folders, or photos with --asset or --album")
    }
  }

  func run() async throws {
    let photos = try await DevelopRun.develop(try batch())
    if json {
      try Console.print(.development, DevelopListing(photos: photos))
    } else {
      for photo in photos { Console.print(DevelopText.lines(photo)) }
    }
    if let status = DevelopRun.status(of: photos) { throw status.exit }
  }

  private func batch() throws -> DevelopBatch {
    let recipe = try development.recipe()
    let name = try PictureName(output)
    let sources = try PhotoSources.files(files) + chosen.files()
    var batch = try DevelopBatch(sources: sources, recipe: recipe, name: name)
    batch.jobs = jobs
    batch.skipsExisting = skipExisting
    batch.replacesFiles = overwrite
    batch.makesHistograms = histogram
    return batch
  }
}

/// A batch that runs with a progress line until it is done or a signal ends it.
enum DevelopRun {
  /// Develops, and tells failures and remarks on standard error as they come.
  static func develop(_ batch: DevelopBatch) async throws -> [DevelopedPhoto] {
    let (progress, cancellation) = (ProgressLine(), Cancellation())
    let interruption = Interruption { cancellation.cancel() }
    let photos = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let photos = batch.run(isCanceled: { cancellation.isCancelled }) { now in
          for line in now.last.map(DevelopText.remarks) ?? [] { Console.complain(line) }
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
  let photos: [DevelopedPhoto]
}
