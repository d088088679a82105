import ASCMHL
import FoundationEssentials
import Glibc
import MediaCore

/// Copies assets into a folder, reads each copy back, and writes a manifest of them.
struct AssetExporter {
  let core: LibraryCore
  let folder: String
  let options: ExportOptions
  /// Stops the export, even within a file.
  var cancellation: Cancellation?
  /// Called with the number of files and bytes done.
  var progress: (@Sendable (Int, Int64) -> Void)?

  /// Copies all files of the assets, until cancelled.
  func run(_ assets: [AssetRecord]) throws(MediaLibraryError) -> ExportReport {
    // Resolve links as well: files in the library's folder are not copies.
    let root = core.files.resolved(core.layout.root)
    guard !core.files.resolved(folder).isPath(in: root) else {
      throw MediaLibraryError(
        .invalidPath, "\(folder): is inside the library; name a folder outside of it")
    }
    try CopyDestination(folder).prepare(creates: options.createsFolder, core.files)
    try checkHistory()
    let disk = try core.files.open(folder, O_RDONLY | O_DIRECTORY)
    let isAsGood = WholeSynchronization.isAsGood(onType: core.files.calls.fileSystemType(folder))
    let device = isAsGood ? try disk.status().device : nil
    var ledger = ExportLedger()
    copy(items(of: assets), waitingOn: device, &ledger, settlingOn: disk)
    settle(&ledger, on: disk)
    var report = finish(ledger)
    report.wasInterrupted = cancellation?.isCancelled == true
    return report
  }

  /// The files to copy. An asset listed twice is copied once, with one line in the manifest.
  private func items(of assets: [AssetRecord]) -> [ExportLedger.Item] {
    var items: [ExportLedger.Item] = []
    var taken: Set<String> = []
    var seen: Set<String> = []
    for asset in assets where seen.insert(asset.id).inserted {
      for (resource, path) in zip(asset.resources, places(asset, &taken)) {
        items.append(
          ExportLedger.Item(
            number: items.count, asset: asset.id, resource: resource, path: path))
      }
    }
    return items
  }

  private func copy(
    _ items: [ExportLedger.Item], waitingOn device: UInt64?, _ ledger: inout ExportLedger,
    settlingOn disk: borrowing OpenFile
  ) {
    var done: Int64 = 0
    for item in items {
      do throws(MediaLibraryError) {
        try cancellation?.check()
        if let failure = ledger.diskFailure {
          ledger.fail(item, failure)
        } else {
          if options.writesManifest { try checkName(item.path) }
          try copy(item, waitingOn: device, &ledger)
        }
      } catch {
        if error.code == .interrupted { return }
        fail(item, error, &ledger)
      }
      if ledger.isDue { settle(&ledger, on: disk) }
      done = done.addingSaturating(item.resource.size)
      progress?(item.number + 1, done)
    }
  }

  /// A folder whose history is broken accepts no further manifest; fail before hours of copying.
  private func checkHistory() throws(MediaLibraryError) {
    guard options.writesManifest else { return }
    do throws(ASCMHLError) {
      var history = try MHLHistory(CopyFolder(folder))
      try history.prepareToAdd()
    } catch { throw MediaLibraryError(error) }
  }

  private func finish(_ ledger: ExportLedger) -> ExportReport {
    var report = ExportReport(destination: folder, disk: Disk(holding: folder))
    let (files, listed) = ledger.result()
    (report.files, report.failures) = (files, ledger.failures)
    guard options.writesManifest, !listed.isEmpty else { return report }
    do throws(ASCMHLError) {
      let (path, contradicted) = try MHLHistory.add(
        listed, to: CopyFolder(folder), date: core.now(), toolVersion: AssetExporter.toolVersion)
      report.manifest = path.map { folder + "/" + $0 }
      for file in contradicted { report.giveUp(file) }
    } catch {
      report.failures.append(
        .init(
          asset: "", path: MHLManifest.folderName, code: error.code.name, message: error.message))
    }
    return report
  }

  private func checkName(_ path: String) throws(MediaLibraryError) {
    do throws(ASCMHLError) { try MHLManifest.check(path) } catch { throw MediaLibraryError(error) }
  }

  /// The version that manifests name.
  static let toolVersion = "0.1.0"

  /// Where the files of an asset go: the library's paths, or one flat folder. All get the same
  /// number if any of their names is taken.
  func places(_ asset: AssetRecord, _ taken: inout Set<String>) -> [String] {
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

  /// True for the name of the manifest folder, which readers of manifests ignore in every folder.
  /// File systems for exchange often ignore case.
  private static func isReserved(_ path: String) -> Bool {
    LibraryFiles.name(path).lowercased() == MHLManifest.folderName
  }

  /// True if the library has other files with these paths. The paths are reserved for them in every
  /// copy, even if they are not copied now.
  private func areOthers(_ paths: [String]) -> Bool {
    paths.contains { (try? core.files.status(core.layout.root + "/" + $0)) ?? nil != nil }
  }

  // MARK: One file

  /// - Parameter device: The file system that is synchronized as a whole; nil to synchronize each
  ///   file.
  private func copy(
    _ item: ExportLedger.Item, waitingOn device: UInt64?, _ ledger: inout ExportLedger
  ) throws(MediaLibraryError) {
    let resource = item.resource
    let source = try core.files.open(
      core.layout.path(of: resource.path, files: core.files), O_RDONLY | O_NOFOLLOW)
    let target = folder + "/" + item.path
    if try core.files.status(target) != nil {
      try checkIsOther(target, than: source)
      if try waits(LibraryFiles.parent(target), resource, on: device) {
        return ledger.wait(.init(item: item, state: .present))
      }
      let content = try compare(target, resource, synchronizes: true, unless: cancellation)
      try settleFolders(of: item.path, &ledger)
      ledger.enter(item, content, wasPresent: true, hashed: core.now())
    } else {
      try copyNew(source, item, to: target, waitingOn: device, &ledger)
    }
  }

  /// True for a file that is flushed to the disk together with others.
  private func waits(
    _ parent: String, _ resource: ResourceRecord, on device: UInt64?
  ) throws(MediaLibraryError) -> Bool {
    // Another file system may be mounted inside the folder.
    guard let device, try core.files.status(parent)?.device == device else { return false }
    return resource.size <= WholeSynchronization.fileLimit
  }

  private func checkIsOther(
    _ target: String, than source: borrowing OpenFile
  ) throws(MediaLibraryError) {
    let present = try core.files.open(target, O_RDONLY | O_NOFOLLOW)
    let (copy, original) = (try present.status(), try source.status())
    guard (copy.device, copy.inode) != (original.device, original.inode) else {
      throw MediaLibraryError(
        .invalidPath,
        "\(target): is the library's own file, through a link or a mount, not a copy; name "
          + "another folder")
    }
  }

  /// Reads an existing file and compares it.
  ///
  /// - Parameter synchronizes: True to flush it to the disk first: its writer may not have, and
  ///   bytes only in the page cache are not a copy.
  private func compare(
    _ target: String, _ resource: ResourceRecord, synchronizes: Bool,
    unless cancellation: Cancellation? = nil
  ) throws(MediaLibraryError) -> FileCopy.Outcome {
    let present = try core.files.open(target, O_RDONLY | O_NOFOLLOW)
    if synchronizes { try present.synchronize() }
    present.dropCache()
    let content = try FileCopy.read(present, takesC4: true, unless: cancellation)
    guard "\(content.hash)" == resource.hash, content.size == resource.size else {
      throw MediaLibraryError(
        .verificationFailed,
        "\(target): already exists with different content; name another folder, or move it away")
    }
    return content
  }

  /// Flushes the folders on the path to a file that existed before, each once.
  private func settleFolders(
    of path: String, _ ledger: inout ExportLedger
  ) throws(MediaLibraryError) {
    var path = folder + "/" + path
    while path != folder, path.utf8.count > folder.utf8.count {
      path = LibraryFiles.parent(path)
      if ledger.settles(path) { try core.files.synchronizeFolder(path) }
    }
  }

  private func copyNew(
    _ source: borrowing OpenFile, _ item: ExportLedger.Item, to target: String,
    waitingOn device: UInt64?, _ ledger: inout ExportLedger
  ) throws(MediaLibraryError) {
    let parent = LibraryFiles.parent(target)
    try core.files.makeFolders(parent)
    let part = try PartFile(of: target, files: core.files)
    do throws(MediaLibraryError) {
      let resource = item.resource
      let mayWait = try waits(parent, resource, on: device)
      let content = try FileCopy.copy(
        source, into: part.file, takesC4: true, assurance: mayWait ? .none : .verified,
        unless: cancellation)
      guard "\(content.hash)" == resource.hash, content.size == resource.size else {
        throw MediaLibraryError(
          .verificationFailed,
          "\(resource.path): is damaged in the library: its xxHash64 is \(content.hash), and was "
            + "\(resource.hash) when it was added; restore it from a copy")
      }
      if mayWait {
        return ledger.wait(.init(item: item, state: .written(part, content)))
      }
      try part.giveName()
      try core.files.synchronizeFolder(parent)
      ledger.enter(item, content, wasPresent: false, hashed: core.now())
    } catch {
      part.remove()
      throw error
    }
  }

  private func fail(
    _ item: ExportLedger.Item, _ error: MediaLibraryError, _ ledger: inout ExportLedger
  ) {
    // Only the copy's disk is written to, so it is the full one.
    ledger.fail(item, error.naming(folder: folder))
  }

  // MARK: Many small files

  /// Does the same steps as for a single file, in the same order: flush the bytes, read them back,
  /// name the files, flush the names, and only then report.
  private func settle(_ ledger: inout ExportLedger, on disk: borrowing OpenFile) {
    let copies = ledger.takeWaiting()
    guard !copies.isEmpty else { return }
    var settled: [(copy: ExportLedger.Waiting, content: FileCopy.Outcome)] = []
    do throws(MediaLibraryError) {
      try disk.synchronizeFileSystem()
      var isNew = false
      for copy in copies {
        do throws(MediaLibraryError) {
          settled.append((copy, try settle(copy)))
          if case .written = copy.state { isNew = true }
        } catch {
          giveUp(copy, error, &ledger)
        }
      }
      // The names of files that existed before were flushed with their bytes.
      if isNew { try disk.synchronizeFileSystem() }
      for (copy, content) in settled {
        var wasPresent = false
        if case .present = copy.state { wasPresent = true }
        ledger.enter(copy.item, content, wasPresent: wasPresent, hashed: core.now())
      }
    } catch {
      for copy in settled.isEmpty ? copies : settled.map(\.copy) { giveUp(copy, error, &ledger) }
    }
  }

  /// Reads back a flushed copy, and gives it its final name.
  private func settle(
    _ copy: ExportLedger.Waiting
  ) throws(MediaLibraryError) -> FileCopy.Outcome {
    switch copy.state {
    case .present:
      return try compare(
        folder + "/" + copy.item.path, copy.item.resource, synchronizes: false)
    case .written(let part, let content):
      try FileCopy.verify(part.file, against: content)
      try part.giveName()
      return content
    }
  }

  private func giveUp(
    _ copy: ExportLedger.Waiting, _ error: MediaLibraryError, _ ledger: inout ExportLedger
  ) {
    fail(copy.item, error, &ledger)
    if case .written(let part, _) = copy.state { part.remove() }
  }
}

extension ExportReport {
  /// Moves a file to the failures, because an earlier manifest of the copy lists it with different
  /// content.
  mutating func giveUp(_ file: MHLManifest.File) {
    let path = Array(file.path.utf8)
    guard let index = files.firstIndex(where: { Array($0.path.utf8) == path }) else { return }
    let error = MHLHistory.contradiction(file)
    failures.append(
      .init(
        asset: files[index].asset, path: file.path, code: error.code.name, message: error.message))
    files.remove(at: index)
  }
}
