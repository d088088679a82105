import ASCMHL
import FoundationEssentials
import Glibc

/// Copies assets into a folder, reads each copy again, and writes a manifest of them.
struct AssetExporter {
  let core: LibraryCore
  let folder: String
  let options: ExportOptions
  /// Told the bytes that are done.
  var progress: (@Sendable (Int64) -> Void)?

  /// Copies all files of the assets.
  func run(_ assets: [AssetRecord]) throws(MediaLibraryError) -> ExportReport {
    // Also by way of a link: what a folder of the library itself holds is no copy.
    let root = core.files.resolved(core.layout.root)
    guard !(core.files.resolved(folder) + "/").hasPrefix(root + "/") else {
      throw MediaLibraryError(
        .invalidPath, "\(folder): is in the library itself; name a folder outside of it")
    }
    try CopyDestination(folder).prepare(creates: options.createsFolder, core.files)
    let isNew = try core.files.names(in: folder).isEmpty
    let history = try readHistory()
    var report = ExportReport(destination: folder, disk: Disk(holding: folder))
    var listed: [MHLManifest.File] = []
    var done: Int64 = 0
    var taken: Set<String> = []
    var seen: Set<String> = []
    // What is named twice is copied once, and has one line in the manifest.
    for asset in assets where seen.insert(asset.id).inserted {
      for (resource, path) in zip(asset.resources, places(asset, &taken)) {
        do throws(MediaLibraryError) {
          if options.writesManifest { try checkName(path) }
          let file = try copy(resource, to: path, known: history.entry(path) != nil)
          report.files.append(
            .init(
              asset: asset.id, path: path, size: file.manifest.size,
              xxh64: "\(file.manifest.xxh64)", c4: file.manifest.c4.map { "\($0)" },
              wasPresent: file.wasPresent))
          listed.append(file.manifest)
        } catch {
          report.failures.append(
            .init(asset: asset.id, path: resource.path, message: error.message))
          // What the disk does not take now it does not take a moment later either.
          if error.code == .diskFull { return try finish(report, listed, history, isNew: false) }
        }
        done += resource.size
        progress?(done)
      }
    }
    return try finish(report, listed, history, isNew: isNew)
  }

  /// The manifests so far; a folder whose history is broken takes no further one.
  private func readHistory() throws(MediaLibraryError) -> MHLHistory {
    do throws(ASCMHLError) {
      var history = try MHLHistory(CopyFolder(folder))
      if options.writesManifest { try history.prepareToAdd() }
      return history
    } catch { throw MediaLibraryError(error) }
  }

  private func finish(
    _ report: ExportReport, _ listed: [MHLManifest.File], _ history: MHLHistory, isNew: Bool
  ) throws(MediaLibraryError) -> ExportReport {
    var report = report
    guard options.writesManifest, !listed.isEmpty else { return report }
    let manifest = MHLManifest(
      date: core.now(), toolVersion: AssetExporter.toolVersion, files: listed, isWhole: isNew)
    var history = history
    do throws(ASCMHLError) { report.manifest = folder + "/" + (try history.add(manifest)) } catch {
      report.failures.append(
        .init(asset: "", path: MHLManifest.folderName, message: error.message))
    }
    return report
  }

  private func checkName(_ path: String) throws(MediaLibraryError) {
    do throws(ASCMHLError) { try MHLManifest.check(path) } catch { throw MediaLibraryError(error) }
  }

  /// The version that manifests name.
  static let toolVersion = "0.1.0"

  /// Where the files of an asset go: as in the library, or in one folder; all with the same number
  /// where one of their names is taken.
  private func places(_ asset: AssetRecord, _ taken: inout Set<String>) -> [String] {
    guard let main = asset.resources.first else { return [] }
    let mainName = FileName(LibraryFiles.name(main.path))
    var number = 1
    while true {
      let paths = asset.resources.map { resource in
        if !options.isFlat, number == 1 { return resource.path }
        let name = FileName(LibraryFiles.name(resource.path)).numbered(number, beside: mainName)
        return options.isFlat ? name.text : LibraryFiles.parent(resource.path) + "/" + name.text
      }
      let areFree =
        options.isFlat ? taken.isDisjoint(with: paths) : number == 1 || !areOthers(paths)
      if areFree, !paths.contains(where: Self.isReserved) {
        taken.formUnion(paths)
        return paths
      }
      number += 1
    }
  }

  /// True for a name that is the manifests' own: whoever reads manifests leaves it out, in every
  /// folder. Disks for exchange often take upper and lower case for the same.
  private static func isReserved(_ path: String) -> Bool {
    LibraryFiles.name(path).lowercased() == MHLManifest.folderName
  }

  /// True where the library has other files by these paths: they are theirs in every copy, also
  /// where they are not copied now.
  private func areOthers(_ paths: [String]) -> Bool {
    paths.contains { (try? core.files.status(core.layout.root + "/" + $0)) ?? nil != nil }
  }

  private func copy(
    _ resource: ResourceRecord, to path: String, known: Bool
  ) throws(MediaLibraryError) -> (manifest: MHLManifest.File, wasPresent: Bool) {
    let source = try core.files.open(
      core.layout.path(of: resource.path, files: core.files), O_RDONLY | O_NOFOLLOW)
    let target = folder + "/" + path
    let wasPresent = try core.files.status(target) != nil
    let content: FileCopy.Outcome
    if wasPresent {
      let present = try core.files.open(target, O_RDONLY | O_NOFOLLOW)
      let (copy, original) = (try present.status(), try source.status())
      guard (copy.device, copy.inode) != (original.device, original.inode) else {
        throw MediaLibraryError(
          .invalidPath,
          "\(target): is the library's own file, by a link or a mount, and no copy; name another "
            + "folder")
      }
      present.dropCache()
      content = try FileCopy.run(present, takesC4: true)
      guard "\(content.hash)" == resource.hash, content.size == resource.size else {
        throw MediaLibraryError(
          .verificationFailed,
          "\(target): is there already with other bytes; name another folder, or move it away")
      }
    } else {
      content = try copyNew(source, resource, to: target)
    }
    let modified = Double(resource.modified) / 1e9
    return (
      MHLManifest.File(
        path: path, size: content.size, modified: modified, xxh64: content.hash, c4: content.c4,
        isVerified: known, hashed: core.now()), wasPresent
    )
  }

  private func copyNew(
    _ source: borrowing OpenFile, _ resource: ResourceRecord, to target: String
  ) throws(MediaLibraryError) -> FileCopy.Outcome {
    let parent = LibraryFiles.parent(target)
    try core.files.makeFolders(parent)
    let part = parent + "/." + LibraryFiles.name(target) + ".part"
    try core.files.remove(part)
    do throws(MediaLibraryError) {
      let content = try FileCopy.run(
        source, to: part, files: core.files, takesC4: true, synchronizes: true, verifies: true)
      guard "\(content.hash)" == resource.hash, content.size == resource.size else {
        throw MediaLibraryError(
          .verificationFailed,
          "\(resource.path): is damaged in the library: its xxHash64 is \(content.hash), and was "
            + "\(resource.hash) when it was added; restore it from a copy")
      }
      guard try core.files.rename(part, to: target) else {
        throw MediaLibraryError(.ioFailed, "\(target): somebody put a file there; try again")
      }
      try core.files.synchronizeFolder(parent)
      return content
    } catch {
      try? core.files.remove(part)
      throw error
    }
  }
}
