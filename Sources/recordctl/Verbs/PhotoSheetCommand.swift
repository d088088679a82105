import ArgumentParser
import Foundation
import MediaCore
import MediaLibrary
import PhotoDevelopment
import RawDevelop

/// `recordctl photo sheet FILE…`
struct PhotoSheetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Makes a contact sheet of DNG files: a picture, or a page for browsers.",
    discussion: """
      Each FILE is a DNG file of any camera, or a folder of them; --asset and --album take photos of \
      the library. The ending of --output decides: .html is a page that needs no server and no \
      network, .jpg, .png, .tif, .heic, .avif and .jxl are pictures. Edits in XMP sidecars are heeded.
      """)

  @Argument(help: "DNG files and folders.", completion: .file(extensions: ["dng", "DNG"]))
  var files: [String] = []

  @OptionGroup(title: "Library") var chosen: LibraryPhotoArguments

  @Option(
    name: .shortAndLong, help: "The page, such as sheet.html or sheet.jpg.", completion: .file(),
    transform: GivenPath.argument)
  var output: String

  @Option(help: "Photos in a row; 5 if omitted.", transform: Int.argument(in: 1...100))
  var columns = 5

  @Option(
    help: "The longest side of a thumbnail in pixels; 256 if omitted.",
    transform: Int.argument(in: 32...2048))
  var thumbnail = 256

  @Option(help: "What stands above the page; the folder's or album's name if omitted.")
  var title: String?

  @Option(
    help: "A preset for development: web, hdr, edit, one of your own, or a TOML file.",
    completion: .developPresets)
  var preset: String?

  @Flag(help: "Ignore XMP sidecars, and XMP in the photos.")
  var noSidecar = false

  @Flag(help: "Overwrite an existing page.")
  var overwrite = false

  @Flag(help: "Print JSON.")
  var json = false

  func validate() throws {
    guard !files.isEmpty || chosen.isWanted else {
      throw ValidationError("name DNG files or folders, or photos with --asset or --album")
    }
  }

  func run() async throws {
    let form = try ContactSheet.Form(path: output)
    guard overwrite || !FileManager.default.fileExists(atPath: output) else {
      throw PhotoDevelopmentError(
        .fileFailed, "\(output) is there already; choose another name, or --overwrite it")
    }
    let preset = try preset.map { try DevelopPresetLibrary().preset(named: $0) }
    let (found, remark) = try chosen.photos()
    let sources = try PhotoSources.files(files) + found.map(\.path)
    try ContactSheet.checkPlace(output, of: sources)
    try ContactSheet.checkSize(
      output, count: sources.count, columns: columns, side: thumbnail, title: usedTitle)
    let cancellation = Cancellation()
    let interruption = Interruption { cancellation.cancel() }
    defer { withExtendedLifetime(interruption) {} }
    let sheet: ContactSheet
    let notes: [DevelopNote]
    let byteCount: Int
    do throws(PhotoDevelopmentError) {
      sheet = try await made(of: sources, preset, found.sidecars, cancellation)
      notes =
        [remark.map { DevelopNote(.pictureLeftOut, $0) }].compactMap(\.self) + sheet.notes
        + sheet.notes(in: form)
      Self.tell(notes, sheet)
      byteCount = try sheet.write(
        to: output, columns: columns, replacing: overwrite,
        isCanceled: { cancellation.isCancelled })
    } catch {
      guard error.code == .canceled else { throw error }
      Console.note(error.message)
      throw ExitStatus.endedEarly.exit
    }
    if json {
      try Console.print(
        .contactSheet,
        ContactSheetListing(
          sheet, path: output, columns: columns, byteCount: byteCount, notes: notes))
    } else {
      Console.print(output)
    }
    if sheet.tiles.contains(where: { $0.error != nil }) { throw ExitStatus.failure.exit }
  }

  /// Develops the photos with a progress line.
  private func made(
    of sources: [String], _ preset: DevelopPreset?, _ sidecars: [String: SidecarPlace],
    _ cancellation: Cancellation
  ) async throws(PhotoDevelopmentError) -> ContactSheet {
    var options = ContactSheet.Options()
    options.side = thumbnail
    options.preset = preset
    options.readsSidecars = !noSidecar
    options.sidecars = sidecars
    let progress = ProgressLine()
    defer { progress.clear() }
    let result = await withCheckedContinuation { [options] continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: Result { () throws(PhotoDevelopmentError) in
            try ContactSheet(
              title: usedTitle, sources: sources, options: options,
              isCanceled: { cancellation.isCancelled }
            ) { done in progress.show { "\(done) of \(sources.count) photos" } }
          })
      }
    }
    return try result.get()
  }

  /// Tells what the page does not show, and which photos failed.
  private static func tell(_ notes: [DevelopNote], _ sheet: ContactSheet) {
    for note in notes { Console.note(note.message) }
    for tile in sheet.tiles {
      for message in tile.notes.map(\.message) + [tile.error?.message].compactMap(\.self) {
        Console.note(DevelopText.named(message, of: tile.source))
      }
    }
  }

  private var usedTitle: String {
    if let title { return title }
    if let album = chosen.album, files.isEmpty { return album.title }
    return files.count == 1 ? URL(filePath: files[0]).lastPathComponent : ""
  }
}

/// What a contact sheet came to.
struct ContactSheetListing: Encodable {
  /// A photo on the page.
  struct Photo: Encodable {
    let source: String
    let name: String
    let captions: [String]
    /// Pixels of the thumbnail; nil where there is none.
    let width: Int?
    let height: Int?
    /// Settings that the thumbnail does not show, and faults of the photo's file.
    let notes: [DevelopNote]
    /// Why there is no thumbnail.
    let error: ErrorSummary?
  }

  let path: String
  let title: String
  let columns: Int
  let byteCount: Int
  /// What was asked for and the page does not have.
  let notes: [DevelopNote]
  let photos: [Photo]

  init(
    _ sheet: ContactSheet, path: String, columns: Int, byteCount: Int, notes: [DevelopNote]
  ) {
    (self.path, title, self.columns, self.byteCount) = (path, sheet.title, columns, byteCount)
    self.notes = notes
    photos = sheet.tiles.map { tile in
      Photo(
        source: tile.source, name: tile.name, captions: tile.captions,
        width: tile.thumbnail?.width, height: tile.thumbnail?.height, notes: tile.notes,
        error: tile.error)
    }
  }
}
