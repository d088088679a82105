import ASCMHL
import Dispatch
import Foundation
import GRDB
import Glibc
import MediaCore
import Synchronization

/// A file that is ready to go to its place.
struct StagedResource: Sendable {
  /// What the catalogue will say; without a path yet.
  var record: ResourceRecord
  var facts: MediaFacts
  /// Where it is: in the library, or from the root on.
  var from: String
  var status: FileStatus
  /// The file that is to go once its copy is in.
  var unlink: JournalEntry.Unlink?
  /// What messages call it.
  var source: String
}

/// An asset whose files are ready.
struct StagedAsset: Sendable {
  var draft: AssetCreationRequest.Draft
  var resources: [StagedResource]
}

/// What a change block brings, on its way to the disk.
struct StagedFiles: Sendable {
  var assets: [StagedAsset] = []
  /// Brings the files to the disk: to be waited for before the change is decided. Nil where they are
  /// there.
  var synchronization: BackgroundJob<Void, MediaLibraryError>?
}

extension AssetCreationRequest.Resource {
  /// What messages call it.
  fileprivate var sourceName: String {
    switch source {
    case .data: "data for \(type.name)"
    case .file(let path, _): path
    }
  }
}

extension AssetCreationRequest.Draft {
  /// True where a file is to be moved into the library.
  var movesFiles: Bool {
    resources.contains { if case .file(_, moves: true) = $0.source { true } else { false } }
  }
}

/// Brings files into the library's hidden folder, hashed and inspected, or checks that they can be
/// moved from where they are. Nothing outside the hidden folder changes.
struct Stager: Sendable {
  let core: LibraryCore
  /// Told the bytes that were read; nil for nobody.
  let meter: ProgressMeter?
  /// True where files that are to be moved are copied first, also on the library's own file system.
  var copiesAll = false

  /// From this many files on, the whole file system is synchronized once, and not each file.
  private static let fewFiles = 8

  /// From this many files on, the disk begins before all are there.
  private static let manyFiles = 256

  /// Many files lie in so many folders, as two threads cannot add names to one at the same time.
  private static let folderCount = 4

  /// So many files, one after the other, are one thread's, and in one folder.
  private static let run = 32

  /// What one file needs.
  private struct Job: Sendable {
    var resource: AssetCreationRequest.Resource
    /// The name of the file.
    var place: String
    /// Its folder in the staging folder, with a slash; empty for that one itself.
    var folder = ""
  }

  private struct Place: Sendable {
    var path: String
    /// Where it is from the library's folder on.
    var relative: String
    /// Its file system.
    var device: UInt64?
  }

  /// Makes the files of assets ready.
  func stage(
    _ drafts: [AssetCreationRequest.Draft], in folder: borrowing StagingFolder
  ) throws(MediaLibraryError) -> StagedFiles {
    for draft in drafts { try check(draft) }
    var jobs = drafts.flatMap(\.resources).enumerated().map { index, resource in
      Job(resource: resource, place: folder.prefix + "\(index)")
    }
    let synchronizesEach = jobs.count <= Self.fewFiles || !isSynchronizedAsWhole(folder.path)
    let hasFolders = jobs.count > Self.run
    if hasFolders {
      for index in jobs.indices {
        jobs[index].folder = "/f\(index / Self.run % Self.folderCount)"
      }
      for number in 0..<Self.folderCount {
        try core.files.makeFolder(Self.subfolder(number, of: folder.path))
      }
    }
    let place = Place(
      path: folder.path, relative: folder.relativePath,
      device: try core.files.status(core.layout.staging)?.device)
    let work = jobs
    let disk = synchronizesEach ? nil : try DiskSynchronization(folder.path, core.files)
    // The disk has time until the last file is there, and the processors have work.
    let early = work.count > Self.manyFiles ? work.count / 8 * 5 : nil
    let results = ConcurrentMap.results(
      work.count, run: hasFolders ? Self.run : 1, stopsAtFailure: true
    ) { index throws(MediaLibraryError) in
      if index == early { disk?.beginEarly() }
      do throws(MediaLibraryError) {
        return try stage(work[index], in: place, synchronizesEach)
      } catch {
        throw error.naming(work[index].resource.sourceName, library: core.layout.root)
      }
    }
    var staged: [StagedResource] = []
    for result in results { staged.append(try result.get()) }
    var files = StagedFiles(assets: Self.assets(of: drafts, staged))
    if let disk {
      // One sync of the file system covers files that are moved as well: they are on it already.
      files.synchronization = disk.complete()
    } else if staged.contains(where: { !$0.from.isAbsolutePath }) {
      if hasFolders {
        for number in 0..<Self.folderCount {
          try core.files.open(Self.subfolder(number, of: folder.path), O_RDONLY | O_DIRECTORY)
            .synchronize()
        }
      }
      try folder.synchronize()
    }
    return files
  }

  /// Puts the files of all drafts, in their order, back to the drafts.
  private static func assets(
    of drafts: [AssetCreationRequest.Draft], _ staged: [StagedResource]
  ) -> [StagedAsset] {
    var rest = staged[...]
    return drafts.map { draft in
      defer { rest = rest.dropFirst(draft.resources.count) }
      return StagedAsset(draft: draft, resources: Array(rest.prefix(draft.resources.count)))
    }
  }

  private static func subfolder(_ number: Int, of folder: String) -> String {
    folder + "/f\(number)"
  }

  private func isSynchronizedAsWhole(_ folder: String) -> Bool {
    WholeSynchronization.isAsGood(onType: core.files.calls.fileSystemType(folder))
  }

  private func check(_ draft: AssetCreationRequest.Draft) throws(MediaLibraryError) {
    let types = draft.resources.map(\.type)
    guard draft.isEdit ? types.allSatisfy(\.isEdit) : AssetResourceType.makeAsset(types) else {
      throw MediaLibraryError(
        .unsupportedResourceTypes,
        "\(types.isEmpty ? "nothing" : types.map(\.name).joined(separator: " and ")) makes no "
          + "asset; it takes one photo, video or audio, and what belongs to it")
    }
    for resource in draft.resources {
      if let name = resource.name { try core.check(name) }
    }
  }

  private func stage(
    _ job: Job, in folder: Place, _ synchronizes: Bool
  ) throws(MediaLibraryError) -> StagedResource {
    let name = job.folder + "/" + job.place
    let target = folder.path + name
    let relative = folder.relative + name
    switch job.resource.source {
    case .data(let data):
      let bytes = [UInt8](data)
      try core.files.write(bytes, to: target, synchronizes: synchronizes)
      let kind = ContentKind(Array(bytes.prefix(16)))
      let suffix =
        job.resource.uti.flatMap(UniformTypes.pathExtension)
        ?? UniformTypes.pathExtension(for: kind, type: job.resource.type)
      return try finish(
        job, at: target, from: relative, hash: ContentHash(of: bytes),
        name: job.resource.name ?? "data." + suffix,
        source: job.resource.sourceName)
    case .file(let path, let moves):
      if moves { try checkForeign(path) }
      if !moves, let staged = try stageRead(job, path, at: target, from: relative, synchronizes) {
        return staged
      }
      let source = try SourceFile(path, isMoved: moves, files: core.files)
      let name = job.resource.name ?? LibraryFiles.name(path)
      try core.check(name, of: path)
      guard moves, !copiesAll, source.status.device == folder.device else {
        let copy = try FileCopy.copy(
          source.file, status: source.status, to: target, files: core.files,
          assurance: moves ? .verified : synchronizes ? .synchronized : .none, meter: meter)
        try source.checkUnchanged(files: core.files)
        var staged = try finish(
          job, at: target, from: relative, hash: copy.hash, name: name, source: path,
          status: copy.target, facts: knownFacts(job, source.status))
        if moves { staged.unlink = .init(path: absolute(path), status: source.status) }
        return staged
      }
      let content = try FileCopy.read(source.file, status: source.status) {
        bytes throws(MediaLibraryError) in try meter?.advance(bytes.count)
      }
      if synchronizes { try source.file.synchronize() }
      let staged = try finish(
        job, at: path, from: absolute(path), hash: content.hash, name: name, source: path,
        status: source.status, facts: knownFacts(job, source.status))
      try source.checkUnchanged(files: core.files)
      return staged
    }
  }

  /// Copies a file that was read whole when it was looked at, where it is the same file still: it need
  /// not be opened again. Nil where it is to be read.
  private func stageRead(
    _ job: Job, _ path: String, at target: String, from relative: String, _ synchronizes: Bool
  ) throws(MediaLibraryError) -> StagedResource? {
    guard let inspected = job.resource.inspected, let bytes = inspected.content,
      try core.files.status(path) == inspected.status
    else { return nil }
    let name = job.resource.name ?? LibraryFiles.name(path)
    try core.check(name, of: path)
    let copy = try FileCopy.write(
      bytes, status: inspected.status, to: target, files: core.files, synchronizes: synchronizes)
    try meter?.advance(bytes.count)
    return try finish(
      job, at: target, from: relative, hash: copy.hash, name: name, source: path,
      status: copy.target, facts: inspected.facts)
  }

  /// Makes sure that a file that is to be moved is not one of the library's own: it would go from under
  /// its asset.
  private func checkForeign(_ path: String) throws(MediaLibraryError) {
    let root = core.files.resolved(core.layout.root)
    let place = core.files.resolved(path)
    guard place.utf8.starts(with: (root + "/").utf8) else { return }
    let relative = String(decoding: place.utf8.dropFirst(root.utf8.count + 1), as: UTF8.self)
    let isTaken = try core.catalogue.read { db in
      try Bool.fetchOne(
        db, sql: "SELECT 1 FROM resource WHERE path = ?", arguments: [relative]) ?? false
    }
    guard isTaken || relative.isPath(in: LibraryLayout.hiddenName) else { return }
    throw MediaLibraryError(
      .fileInUse, "\(path): is a file of the library itself and cannot be moved into it; copy it")
  }

  private func finish(
    _ job: Job, at path: String, from: String, hash: ContentHash, name: String, source: String,
    status: FileStatus? = nil, facts known: MediaFacts? = nil
  ) throws(MediaLibraryError) -> StagedResource {
    var status = status
    if status == nil { status = try core.files.status(path) }
    guard let status else {
      throw MediaLibraryError(.fileNotFound, "\(path): is gone; try again")
    }
    var facts = known
    if facts == nil {
      facts = try MediaInspector(files: core.files).facts(
        path, as: job.resource.type, name: source)
    }
    let record = ResourceRecord(
      type: job.resource.type, path: "", name: name,
      uti: job.resource.uti ?? UniformTypes.identifier(forName: name), size: status.size,
      hash: "\(hash)", modified: status.modified)
    return StagedResource(
      record: record, facts: facts ?? MediaFacts(), from: from, status: status, source: source)
  }

  /// What the file was found to be before, where it is the same file still.
  private func knownFacts(_ job: Job, _ status: FileStatus) -> MediaFacts? {
    job.resource.inspected.flatMap { $0.status == status ? $0.facts : nil }
  }

  private func absolute(_ path: String) -> String {
    guard !path.isAbsolutePath else { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }
}
