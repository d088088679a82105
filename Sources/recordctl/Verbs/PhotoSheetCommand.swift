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
    abstract: "Makes a contact sheet of DNG files, as an image or a web page.",
    discussion: """
      Each FILE is a DNG file from any camera, or a folder of them; --asset and --album choose \
      photos from the library. The extension of --output chooses the form: .html is a web page \
      that needs no server or network; .jpg, .png, .tif, .heic, .avif and .jxl are images. Edits in \
      XMP sidecars are applied.
      """)

  @Argument(help: "DNG files and folders.", completion: .file(extensions: ["dng", "DNG"]))
  var files: [String] = []

  @OptionGroup(title: "Library") var chosen: LibraryPhotoArguments

  @Option(
    name: .shortAndLong, help: "File to write, such as sheet.html or sheet.jpg.",
    completion: .file(),
    transform: GivenPath.argument)
  var output: String

  @Option(help: "Photos per row (default: 5).", transform: Int.argument(in: 1...100))
  var columns = 5

  @Option(
    help: "Longest side of a thumbnail in pixels (default: 256).",
    transform: Int.argument(in: 32...2048))
  var thumbnail = 256

  @Option(help: "Title above the page (default: the name of the folder or album).")
  var title: String?

  @Option(
    help: "Development preset: web, hdr, edit, one of your own, or a TOML file.",
    completion: .developPresets)
  var preset: String?

  @Flag(help: "Ignore XMP sidecars and XMP inside the photos.")
  var noSidecar = false

  @Flag(help: "Overwrite an existing file.")
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
        .fileFailed, "\(output) exists; choose another name or give --overwrite")
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
        [remark.map { DevelopNote(.pictureOmitted, $0) }].compactMap(\.self) + sheet.notes
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
