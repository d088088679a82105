import AssetReader
import CaptureDevices
import Foundation
import MediaCore
import QuickTime

#if canImport(Glibc)
import Glibc
#else
import Musl
#endif

/// Finds the movies in folders, except those that exports have made there.
struct SourceSearch {
  /// A source that was given, or found in a folder.
  struct Source {
    var input: String
    /// Its subfolder of the given folder; empty in the folder itself and for a given file.
    var below = ""
    var isOfFolder = false
  }

  /// Notes on what was left out.
  private(set) var notes: [ExportNote] = []
  /// The output folder.
  private let outputFolder: String

  init(outputFolder: String) { self.outputFolder = outputFolder }

  /// A file itself, or the movies in a folder with their subfolders.
  ///
  /// - Throws: `CaptureError` if a folder holds no movie or cannot be read.
  mutating func sources(of input: String) throws(CaptureError) -> [Source] {
    guard Self.isFolder(input) else { return [Source(input: input)] }
    let base = input.hasSuffix("/") ? input : input + "/"
    var found: [String] = []
    var others: [String: Int] = [:]
    var hidden: [String] = []
    var jobs: Set<String> = []
    let noteCount = notes.count
    try Self.checkAccess(input)
    if isJob(input) { jobs.insert("") }
    // The trailing dot makes the enumerator search a link to a folder like the folder.
    let walker = FileManager.default.enumerator(atPath: base + ".")
    while let name = walker?.nextObject() as? String {
      let isHidden = name.pathParts().contains { $0.utf8.first == UInt8(ascii: ".") }
      guard !Self.isFolder(base + name) else {
        if isHidden || isSkipped(name, of: base, &jobs) {
          walker?.skipDescendants()
        } else {
          try Self.checkAccess(base + name)
        }
        continue
      }
      let suffix = URL(filePath: name).pathExtension.lowercased()
      let isMovie = ExportSources.movieExtensions.contains(suffix)
      if isHidden {
        if isMovie { hidden.append(name) }
      } else if isMovie {
        try Self.checkName(base + name)
        // Broken links are listed too: each fails by name rather than going missing.
        found.append(name)
      } else {
        others[suffix, default: 0] += 1
      }
    }
    tell(others, in: input)
    tell(hidden: hidden.sorted(), in: input)
    guard !found.isEmpty else {
      let skipped = notes[noteCount...].map { "; \($0.message)" }.joined()
      throw CaptureError(
        .invalidArgument, "\(input) holds no movie that could be encoded\(skipped)")
    }
    return found.sorted().map {
      Source(input: base + $0, below: Self.folder(of: $0), isOfFolder: true)
    }
  }

  /// Notes how many files do not have movie names.
  private mutating func tell(_ others: [String: Int], in folder: String) {
    guard !others.isEmpty else { return }
    let kinds = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { suffix, count in
      "\(count) \(suffix.isEmpty ? "without an extension" : ".\(suffix)")"
    }
    let shown = kinds.prefix(8).joined(separator: ", ") + (kinds.count > 8 ? ", …" : "")
    let count = others.values.reduce(0, +)
    note(
      "\(folder): \(count) \(count == 1 ? "file" : "files") without a movie's name skipped: "
        + "\(shown); if one is a movie, name it")
  }

  /// Notes hidden files with movie names; macOS creates one for each file on a foreign file system.
  private mutating func tell(hidden names: [String], in folder: String) {
    guard !names.isEmpty else { return }
    let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")
    note(
      "\(folder): \(names.count) hidden \(names.count == 1 ? "file" : "files") with a movie's name skipped: "
        + "\(shown); if one is a movie, name it")
  }

  /// Rejects a name that is not UTF-8: its invalid bytes were replaced, so it no longer names the
  /// file.
  private static func checkName(_ path: String) throws(CaptureError) {
    var facts = stat()
    guard path.unicodeScalars.contains("\u{FFFD}"), lstat(path, &facts) != 0 else { return }
    throw CaptureError(
      .invalidArgument,
      "\(path): its name is not UTF-8, so the file cannot be found; rename it")
  }

  /// Rejects an unreadable folder, whose movies would be missed.
  private static func checkAccess(_ folder: String) throws(CaptureError) {
    guard access(folder, R_OK | X_OK) != 0 else { return }
    throw CaptureError(
      .invalidArgument,
      "\(folder) cannot be read (\(String(cString: strerror(errno)))); give access to it, or name the other "
        + "inputs")
  }

  /// True if this export or another one makes its movies in a folder.
  ///
  /// - Parameter jobs: The folders of exports in parts found so far.
  private mutating func isSkipped(
    _ name: String, of base: String, _ jobs: inout Set<String>
  ) -> Bool {
    let made = [EncodeJobLayout.parts, EncodeJobLayout.movies]
    let last = name.pathName
    if jobs.contains(Self.folder(of: name)), made.contains(last) { return true }
    if AssetLocation(path: base + name).isSameFile(asPath: outputFolder) {
      note("\(base + name) is the output folder; the movies in it are skipped")
      return true
    }
    if isJob(base + name) { jobs.insert(name) }
    if Self.isLink(base + name) {
      note("\(base + name) is a link to a folder and is not followed; name it to search it")
    }
    return false
  }

  /// True if a folder is that of an export in parts, which is noted.
  private mutating func isJob(_ folder: String) -> Bool {
    let plan = SmallFile(path: folder + "/" + EncodeJobLayout.plan)
    guard let bytes = try? plan.read(limit: 1 << 30),
      // Of any version, damaged or not.
      Data(bytes).range(of: Data(DocumentKind.encodePlan.schema.utf8)) != nil
    else { return false }
    note("\(folder) is a conversion in parts; its parts and movies are skipped")
    return true
  }

  private mutating func note(_ message: String) {
    let note = ExportNote(.dropped, "folder", message)
    if !notes.contains(note) { notes.append(note) }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  private static func isLink(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFLNK
  }

  private static func folder(of name: String) -> String {
    name.pathParts().dropLast().joined(separator: "/")
  }
}
