import Foundation
import MediaCore

/// The paths in a library.
///
/// ```
/// 2026/11/A001C003.mov        originals, by year and month of their creation
/// .medialibrary/              the program's data
///   catalogue.sqlite
///   journal                   all changes: the catalogue can be rebuilt from it
///   settings.json
///   lock                      held while files and catalogue change
///   staging/                  incoming files
///   previews/                 poster frames and thumbnails
/// ```
struct LibraryLayout: Sendable, Hashable {
  /// The library's folder, without a trailing slash.
  let root: String

  init(_ url: URL) {
    var path = url.absoluteURL.standardizedFileURL.path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    root = path
  }

  /// The name of the hidden folder.
  static let hiddenName = ".medialibrary"

  var hidden: String { root + "/" + Self.hiddenName }
  var catalogue: String { hidden + "/catalogue.sqlite" }
  var journal: String { hidden + "/journal" }
  var settings: String { hidden + "/settings.json" }
  var lock: String { hidden + "/lock" }
  var staging: String { hidden + "/staging" }
  var previews: String { hidden + "/previews" }

  /// The catalogue's files, including those that SQLite keeps beside it.
  var catalogueFiles: [String] { ["", "-wal", "-shm", "-journal"].map { catalogue + $0 } }

  /// The paths that only this program writes.
  var own: [String] {
    [hidden, journal, settings, lock, staging, previews] + catalogueFiles
  }

  /// The folder of originals for a creation time: `2026/11`, in local time.
  static func folder(for seconds: Double) -> String {
    // Years 1 to 9999: a photo may be older than any computer's clock.
    var time = time_t(max(min(seconds, 253_402_300_799), -62_135_596_800))
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "1970/01" }
    let year = "\(Int(parts.tm_year) + 1900)"
    let month = Int(parts.tm_mon) + 1
    return String(repeating: "0", count: max(0, 4 - year.count)) + year
      + (month < 10 ? "/0" : "/") + "\(month)"
  }

  /// True for the relative path of an original: no part of it is empty or hidden.
  static func isPlace(_ relative: String) -> Bool {
    !relative.utf8.contains(0)
      && relative.pathParts(keepsEmpty: true)
        .allSatisfy { !$0.isEmpty && $0.utf8.first != UInt8(ascii: ".") }
  }

  /// The path for a path in the journal, which is relative to the library or absolute.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func place(_ text: String, _ files: LibraryFiles) throws(MediaLibraryError) -> String {
    text.isAbsolutePath ? text : try path(of: text, files: files)
  }

  /// The path for a relative path in the catalogue or the journal. Paths in a damaged or forged
  /// library must not lead out of it, neither as text nor through links in place of folders.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidPath``.
  func path(of relative: String, files: LibraryFiles) throws(MediaLibraryError) -> String {
    let parts = relative.pathParts(keepsEmpty: true)
    guard !relative.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }),
      !relative.utf8.contains(0)
    else {
      throw MediaLibraryError(
        .invalidPath,
        "'\(relative)' leads out of the library \(root); rebuild the library")
    }
    var folder = root
    for part in parts.dropLast() {
      folder += "/" + part
      if try files.status(folder)?.isSymbolicLink == true {
        throw MediaLibraryError(
          .invalidPath, "\(folder): is a link, but must be a folder; move it away")
      }
    }
    return root + "/" + relative
  }

  /// The entries of a folder that may be originals. Hidden ones belong to other programs, or to an
  /// interrupted copy.
  ///
  /// - Throws: ``MediaLibraryError`` if the folder cannot be listed.
  func originals(
    in folder: String, _ files: LibraryFiles
  ) throws(MediaLibraryError) -> [FolderEntry] {
    try files.entries(in: root + "/" + folder).filter { !$0.name.hasPrefix(".") }
  }

  /// The existing folders of originals, such as `2026/11`.
  ///
  /// - Throws: ``MediaLibraryError`` if a folder cannot be listed.
  func originalFolders(_ files: LibraryFiles) throws(MediaLibraryError) -> [String] {
    var folders: [String] = []
    for year in try files.names(in: root) where year.count == 4 && Int(year) != nil {
      guard try files.status(root + "/" + year)?.isFolder == true else { continue }
      for month in try files.names(in: root + "/" + year)
      where month.count == 2 && Int(month) != nil {
        let folder = year + "/" + month
        if try files.status(root + "/" + folder)?.isFolder == true { folders.append(folder) }
      }
    }
    return folders
  }
}
