public import AssetReader
import CaptureDevices
import Foundation
import MediaCore
import Takes

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// The sources of a batch of exports, and the movies that they become.
public struct ExportSources: Sendable {
  /// A source and its movie.
  public struct Item: Sendable, Hashable {
    /// The source as it was given or found in a folder.
    public var input: String
    /// The source's location.
    public var location: AssetLocation
    /// The movie's path.
    public var outputPath: String
  }

  /// The sources and movies, in order.
  public private(set) var items: [Item] = []
  /// Notes on what was left out of the folders.
  public private(set) var notes: [ExportNote]

  /// The extensions by which files in folders are taken for movies.
  public static let movieExtensions: Set<String> = [
    "3g2", "3gp", "asf", "avi", "dif", "divx", "dv", "f4v", "flv", "gxf", "ivf", "m1v", "m2p",
    "m2t", "m2ts", "m2v", "m4v", "mj2", "mkv", "mov", "mp4", "mpe", "mpeg", "mpg", "mpv", "mqv",
    "mts", "mxf", "nut", "ogm", "ogv", "qt", "rm", "rmvb", "tod", "trp", "ts", "vob", "vro", "webm",
    "wmv", "wtv", "y4m",
  ]

  /// Finds the sources and names their movies.
  ///
  /// Folders are searched recursively for movies, by file name. Hidden files are skipped with a
  /// note, and so are the results of exports: the output folder if it is inside, and the parts and
  /// movies of exports in parts. A movie goes to the same subfolder of the output folder as its
  /// source has in the searched folder. If existing movies are reused, a movie found in a folder at
  /// another source's output path is not a source.
  ///
  /// - Parameters:
  ///   - inputs: Files, folders, sequences and raw video, as users write them.
  ///   - folder: The output folder; it and its subfolders are created if missing.
  ///   - name: The pattern of the movies' names, with `MovieName.exportWildcards`.
  ///   - codec: The codec's short name, for the pattern.
  ///   - reusesNames: True if movies that exist are reused, so that the pattern must not contain a
  ///     counter.
  /// - Throws: `CaptureError` if a folder holds no movie, holds one whose name is not UTF-8, or
  ///   cannot be read; if two sources would become the same movie; if a movie would replace a
  ///   source; or if the pattern is invalid. `AssetReaderError` for an invalid source.
  public init(
    _ inputs: [String], folder: String, name: String, codec: String, reusesNames: Bool
  ) throws {
    var takenBy: [String: String] = [:]
    var search = SourceSearch(outputFolder: folder)
    let found = try inputs.flatMap { try search.sources(of: $0) }
    notes = search.notes
    for source in found {
      let input = source.input
      let location = try AssetLocation(input)
      let pattern = try MovieName(exportName: name, folder: Self.joined(folder, source.below))
      guard !reusesNames || !pattern.hasCounter else {
        throw CaptureError(
          .invalidArgument, "\(name): {counter} makes a new name each time; leave it out")
      }
      let file = URL(filePath: location.path)
      var values = MovieName.Values()
      values.name = Self.stem(file)
      values.pathExtension = file.pathExtension
      values.codec = codec
      values.unixTime = Date().timeIntervalSince1970
      let path = try pattern.path(values) {
        takenBy[$0] != nil || FileManager.default.fileExists(atPath: $0)
      }
      if let other = takenBy[path] {
        throw CaptureError(
          .invalidArgument,
          "\(input) and \(other) would both become \(path); distinguish them by {ext} or {counter} in "
            + "the movies' name")
      }
      guard !location.isSameFile(asPath: path) else {
        throw CaptureError(
          .invalidArgument, "\(path) is the input itself; choose another folder or name")
      }
      takenBy[path] = input
      items.append(Item(input: input, location: location, outputPath: path))
    }
    let named = Set(found.filter { !$0.isOfFolder }.map(\.input))
    try removeMovies(keeping: reusesNames ? named : Set(items.map(\.input)))
  }

  /// Removes sources that lie at another source's output path.
  ///
  /// - Parameter kept: Sources that must not be removed.
  /// - Throws: `CaptureError` if one of those would have to be removed.
  private mutating func removeMovies(keeping kept: Set<String>) throws(CaptureError) {
    var makers: [FileIdentity: String] = [:]
    for item in items {
      if let file = FileIdentity(path: item.outputPath) { makers[file] = item.input }
    }
    var left: [Item] = []
    for item in items {
      guard !item.location.isStandardInput, let file = FileIdentity(path: item.location.path),
        let maker = makers[file]
      else {
        left.append(item)
        continue
      }
      guard !kept.contains(item.input) else {
        throw CaptureError(
          .invalidArgument,
          "the movie of \(maker) would be written to \(item.input); leave one of the two out, or choose "
            + "another folder or name")
      }
      notes.append(
        ExportNote(
          .dropped, "folder",
          "the movie of \(maker) is written to \(item.input), so that is not used as a source"))
    }
    items = left
  }

  /// The identity of a file, regardless of its path.
  private struct FileIdentity: Hashable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil if nothing of that name exists.
    init?(path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      (device, inode) = (facts.st_dev, facts.st_ino)
    }
  }

  /// A file name without its extension and without a sequence's number pattern. The name of an
  /// existing file may contain a percent sign.
  private static func stem(_ file: URL) -> String {
    let stem = file.deletingPathExtension().lastPathComponent
    guard let mark = stem.firstIndex(of: "%"),
      !FileManager.default.fileExists(atPath: file.path(percentEncoded: false))
    else { return stem }
    let plain = stem[..<mark].reversed().drop { "_-. ".contains($0) }.reversed()
    return plain.isEmpty ? "sequence" : String(plain)
  }

  private static func joined(_ folder: String, _ below: String) -> String {
    below.isEmpty ? folder : (folder.hasSuffix("/") ? folder : folder + "/") + below
  }
}
