import AssetReader
import CaptureDevices
import Foundation
import MediaCore
import QuickTime

/// Finds the movies of folders, but for those that conversions have made there.
struct SourceSearch {
  /// What was left out.
  private(set) var notes: [ExportNote] = []
  /// Where movies are made of what is found.
  private let outputFolder: String

  init(outputFolder: String) { self.outputFolder = outputFolder }

  /// A file as it is, or the movies of a folder with the folders that they are in.
  ///
  /// - Throws: `CaptureError` where a folder holds no movie.
  mutating func sources(
    of input: String
  ) throws(CaptureError) -> [(input: String, below: String)] {
    guard Self.isFolder(input) else { return [(input, "")] }
    let base = input.hasSuffix("/") ? input : input + "/"
    var found: [String] = []
    var jobs: Set<String> = []
    let noteCount = notes.count
    if isJob(input) { jobs.insert("") }
    let walker = FileManager.default.enumerator(atPath: input)
    while let name = walker?.nextObject() as? String {
      guard !Self.isFolder(base + name) else {
        if isLeftOut(name, of: base, &jobs) { walker?.skipDescendants() }
        continue
      }
      let suffix = URL(filePath: name).pathExtension.lowercased()
      // Broken links are listed too: each fails by name rather than going missing.
      guard ExportSources.movieExtensions.contains(suffix),
        !name.split(separator: "/").contains(where: { $0.hasPrefix(".") })
      else { continue }
      found.append(name)
    }
    guard !found.isEmpty else {
      let leftOut = notes[noteCount...].map { "; \($0.message)" }.joined()
      throw CaptureError(
        .invalidArgument, "\(input) holds no movie that could be encoded\(leftOut)")
    }
    return found.sorted().map { name in (base + name, Self.folder(of: name)) }
  }

  /// Whether a folder is where this conversion or another one makes its movies.
  ///
  /// - Parameter jobs: The folders of conversions in parts so far.
  private mutating func isLeftOut(
    _ name: String, of base: String, _ jobs: inout Set<String>
  ) -> Bool {
    let made = [EncodeJob.partsFolder, EncodeJobPlanner.moviesFolder]
    let last = String(name.split(separator: "/").last ?? "")
    if jobs.contains(Self.folder(of: name)), made.contains(last) { return true }
    if AssetLocation(path: base + name).isSameFile(asPath: outputFolder) {
      note("\(base + name) is the output folder; the movies in it are left out")
      return true
    }
    if isJob(base + name) { jobs.insert(name) }
    return false
  }

  /// Whether a folder is that of a conversion in parts, which is told.
  private mutating func isJob(_ folder: String) -> Bool {
    let plan = SmallFile(path: folder + "/" + EncodeJob.planName)
    guard let bytes = try? plan.read(limit: 1 << 30),
      // Whatever its version, and whether or not it is damaged.
      Data(bytes).range(of: Data(DocumentKind.encodePlan.schema.utf8)) != nil
    else { return false }
    note("\(folder) is a conversion in parts; its parts and movies are left out")
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

  private static func folder(of name: String) -> String {
    name.split(separator: "/").dropLast().joined(separator: "/")
  }
}
