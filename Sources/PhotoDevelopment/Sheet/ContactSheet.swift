import DNG
import Foundation
import ImageFiles
public import MediaCore
public import RawDevelop
import Synchronization

/// Thumbnails of many photos on a page, with their names and exposure data.
public struct ContactSheet: Sendable {
  /// A photo on the page.
  public struct Tile: Sendable {
    /// The photo's file.
    public let source: String
    /// The photo's name.
    public let name: String
    /// Exposure time, aperture and ISO speed; then the time of exposure. Lines without known facts are left out.
    public var captions: [String] = []
    /// The photo in 8-bit sRGB; nil if it could not be developed.
    public var thumbnail: RenderedImage?
    /// The photo's settings that the thumbnail ignores, and faults in its file.
    public var notes: [DevelopNote] = []
    /// Why there is no thumbnail.
    public var error: ErrorSummary?
  }

  /// The title at the top of the page.
  public let title: String
  /// The photos, in order.
  public let tiles: [Tile]
  /// The longest side of a thumbnail in pixels.
  public let side: Int
  /// What was requested but no page can have.
  public let notes: [DevelopNote]

  /// Develops photos for a page. Blocks the thread.
  ///
  /// - Parameters:
  ///   - title: The page's title.
  ///   - sources: The photos' files.
  ///   - options: How they are developed.
  ///   - isCanceled: Called between and within photos; returning true cancels the work.
  ///   - progress: Called with the number of finished photos, on any thread but never concurrently.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument`` for a side out of range, and
  ///   ``PhotoDevelopmentError/Code/canceled``.
  public init(
    title: String, sources: [String], options: Options = .init(),
    isCanceled: @escaping @Sendable () -> Bool = { false },
    progress: @Sendable (Int) -> Void = { _ in }
  ) throws(PhotoDevelopmentError) {
    let developer = PhotoDeveloper(recipe: try Self.recipe(options), isCanceled: isCanceled)
    let done = Mutex(0)
    let made = ConcurrentMap.map(sources.count) { index -> Tile? in
      guard !isCanceled() else { return nil }
      let source = sources[index]
      let tile = Self.tile(source, developer, options.sidecars[source] ?? .beside)
      guard tile.error?.code != PhotoDevelopmentError.Code.canceled.name else { return nil }
      done.withLock { count in
        count += 1
        progress(count)
      }
      return tile
    }
    tiles = made.compactMap(\.self)
    guard tiles.count == sources.count else {
      throw Self.canceled
    }
    (self.title, side, notes) = (title, options.side, Self.notes(on: options.preset))
  }

  /// A recipe for small drafts in 8-bit sRGB.
  private static func recipe(_ options: Options) throws(PhotoDevelopmentError) -> DevelopRecipe {
    guard (32...2048).contains(options.side) else {
      throw PhotoDevelopmentError(
        .invalidArgument, "a thumbnail has 32 to 2048 pixels, not \(options.side)")
    }
    var development = DevelopOptions()
    development.adjustment = options.adjustment.over(
      options.preset?.options.adjustment ?? PhotoAdjustment())
    (development.format, development.colorSpace) = (.jpeg, .sRGB)
    development.size = DevelopRecipe.Size(width: options.side, height: options.side)
    var recipe = try DevelopRecipe(development)
    recipe.isDraft = true
    recipe.readsSidecars = options.readsSidecars
    return recipe
  }

  static let canceled = PhotoDevelopmentError(
    .canceled, "the contact sheet was not created: canceled")

  private static func notes(on preset: DevelopPreset?) -> [DevelopNote] {
    guard let preset, case let keys = preset.options.fileKeys, !keys.isEmpty else { return [] }
    return [
      DevelopNote(
        .settingsOmitted,
        "a page ignores what the preset \(preset.name) says about files: "
          + keys.joined(separator: ", "))
    ]
  }

  /// Throws if the page would replace one of its photos, under whatever path.
  ///
  /// - Parameters:
  ///   - path: The destination of the page.
  ///   - sources: The photos' files.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument``.
  public static func checkPlace(
    _ path: String, of sources: [String]
  ) throws(PhotoDevelopmentError) {
    guard let place = FileIdentity(path: path) else { return }
    guard !sources.contains(where: { FileIdentity(path: $0) == place }) else {
      throw PhotoDevelopmentError(
        .invalidArgument, "\(path) is one of the photos of the page; choose another name")
    }
  }

  /// Throws if the page has more pixels than its format allows, before its photos are developed.
  ///
  /// - Parameters:
  ///   - path: The destination of the page.
  ///   - count: The number of photos.
  ///   - columns: Photos per row.
  ///   - side: The longest side of a thumbnail in pixels.
  ///   - title: The page's title.
  /// - Throws: ``PhotoDevelopmentError/Code/invalidArgument``.
  public static func checkSize(
    _ path: String, count: Int, columns: Int, side: Int, title: String
  ) throws(PhotoDevelopmentError) {
    let form: Form
    do throws(ImageFileError) { form = try Form(path: path) } catch {
      throw PhotoDevelopmentError(error)
    }
    guard case .image(let format) = form, let limit = format.sideLimit else { return }
    let layout = ContactSheetLayout(
      count: count, columns: columns, side: side, hasTitle: !title.isEmpty)
    guard max(layout.width, layout.height) > limit else { return }
    throw PhotoDevelopmentError(
      .invalidArgument,
      "\(path): \(count) photos, \(layout.columns) in a row, make a page of "
        + "\(layout.width)x\(layout.height) pixels, and \(format.rawValue) has at most \(limit) in a row or a "
        + "column; choose other columns, smaller thumbnails, fewer photos or .html")
  }

  private static func tile(
    _ source: String, _ developer: PhotoDeveloper, _ place: SidecarPlace
  ) -> Tile {
    var tile = Tile(source: source, name: URL(filePath: source).lastPathComponent)
    do throws(PhotoDevelopmentError) {
      let file = try PhotoDeveloper.open(source)
      let metadata = file.photoMetadata
      tile.captions = captions(metadata)
      let sidecar =
        developer.recipe.readsSidecars ? try PhotoSidecar(of: source, file, place) : nil
      var result = DevelopedPhoto(.developed, source: source)
      if developer.recipe.readsSidecars, let remark = PhotoSidecar.remark(on: source, place) {
        result.notes.append(DevelopNote(.settingsOmitted, remark))
      }
      tile.thumbnail =
        try developer.image(of: file, metadata, sidecar, into: &result).image
      tile.notes = result.notes
    } catch { tile.error = ErrorSummary(code: error.code.name, message: error.message) }
    return tile
  }

  private static func captions(_ metadata: PhotoMetadata) -> [String] {
    var facts: [String] = []
    if let seconds = metadata.exposureTime, seconds > 0 {
      facts.append(
        seconds < 0.4 ? "1/\(Int((1 / max(seconds, 1e-6)).rounded())) s" : "\(tenths(seconds)) s")
    }
    if let number = metadata.fNumber, number > 0 { facts.append("f/\(tenths(number))") }
    if let speed = metadata.isoSpeed, speed > 0, speed < 1e9 { facts.append("ISO \(Int(speed))") }
    let date = metadata.date.map { PhotoMetadata.text($0, metadata.timeZone) }
    return [facts.joined(separator: "  "), date ?? ""].filter { !$0.isEmpty }
  }

  private static func tenths(_ number: Double) -> String {
    let whole = (min(number, 1e9) * 10).rounded() / 10
    return Int(exactly: whole).map(String.init) ?? "\(whole)"
  }
}
