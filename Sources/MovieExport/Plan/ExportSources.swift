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

/// The files that a batch of exports is made of, and the movies that they become.
public struct ExportSources: Sendable {
  /// A source and its movie.
  public struct Item: Sendable, Hashable {
    /// The source as it was named, or found in a folder.
    public var input: String
    /// Where it is.
    public var location: AssetLocation
    /// The movie's path.
    public var outputPath: String
  }

  /// What is made of what, in order.
  public private(set) var items: [Item] = []
  /// What of the folders was left out.
  public private(set) var notes: [ExportNote]

  /// The files of folders that are taken for movies.
  public static let movieExtensions: Set<String> = [
    "3g2", "3gp", "asf", "avi", "dif", "divx", "dv", "f4v", "flv", "gxf", "ivf", "m1v", "m2p",
    "m2t", "m2ts", "m2v", "m4v", "mj2", "mkv", "mov", "mp4", "mpe", "mpeg", "mpg", "mpv", "mqv",
    "mts", "mxf", "nut", "ogm", "ogv", "qt", "rm", "rmvb", "tod", "trp", "ts", "vob", "vro", "webm",
    "wmv", "wtv", "y4m",
  ]

  /// Finds the sources and names their movies.
  ///
  /// Of a folder all movies are taken, those of its folders too, by name; hidden files are not, which is told, nor what
  /// conversions made: the output folder where it lies within, and the parts and movies of conversions in
  /// parts. A movie is made in the output folder, in the same folder below it as its source. Where movies
  /// that exist are looked at, those found in folders are none of the sources that they are made of others in.
  ///
  /// - Parameters:
  ///   - inputs: Files, folders, sequences and raw video, as users name them.
  ///   - folder: Where movies are made; it and those below it are made where they are not there.
  ///   - name: The movies' name, with `MovieName.exportWildcards`.
  ///   - codec: The codec in short, for the name.
  ///   - reusesNames: True where a name that exists already is the one to be looked at, so that no
  ///     name may count.
  /// - Throws: `CaptureError` where a folder holds no movie, one whose name is not UTF-8, or cannot be read, two sources have the same name,
  ///   a movie would replace its source or another one, or the name makes no sense; `AssetReaderError` for a
  ///   source's name.
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
          .invalidArgument, "\(name): a name with {counter} is a new one each time; leave it out")
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
          "\(input) and \(other) would both become \(path); tell them apart by {ext} or {counter} in "
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

  /// Removes sources that are where the movie of another one is to be made.
  ///
  /// - Parameter kept: Sources that are meant, whatever they are.
  /// - Throws: `CaptureError` where one of those is.
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
          "\(item.input) is where the movie of \(maker) would be made; leave one of the two out, or choose "
            + "another folder or name")
      }
      notes.append(
        ExportNote(
          .dropped, "folder",
          "\(item.input) is where the movie of \(maker) is made, and is left out as a source"))
    }
    items = left
  }

  /// A file by whatever name.
  private struct FileIdentity: Hashable {
    private let device: dev_t
    private let inode: ino_t

    /// Nil where there is nothing of the name.
    init?(path: String) {
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      (device, inode) = (facts.st_dev, facts.st_ino)
    }
  }

  /// A name without extension, and without a sequence's number. A file may have a percent sign in its name, too.
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
