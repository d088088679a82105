import ASCMHL
import Dispatch
import Foundation
import GRDB
import Glibc
import MediaCore
import Synchronization

/// A file ready to be moved to its place.
struct StagedResource: Sendable {
  /// The catalogue's record, still without a path.
  var record: ResourceRecord
  var facts: MediaFacts
  /// Where it is: relative to the library, or absolute.
  var from: String
  var status: FileStatus
  /// The source file, to be removed once its copy is in the library.
  var unlink: JournalEntry.Unlink?
  /// Its name in messages.
  var source: String
}

/// An asset whose files are ready.
struct StagedAsset: Sendable {
  var draft: AssetCreationRequest.Draft
  var resources: [StagedResource]
}

/// The files of a change block, on their way to the disk.
struct StagedFiles: Sendable {
  var assets: [StagedAsset] = []
  /// Flushes the files to the disk; awaited before the change is journaled. Nil if they are there
  /// already.
  var synchronization: BackgroundJob<Void, MediaLibraryError>?
}

extension AssetCreationRequest.Resource {
  /// Its name in messages.
  fileprivate var sourceName: String {
    switch source {
    case .data: "data for \(type.name)"
    case .file(let path, _): path
    }
  }
}

extension AssetCreationRequest.Draft {
  /// True if a file is to be moved into the library.
  var movesFiles: Bool {
    resources.contains { if case .file(_, moves: true) = $0.source { true } else { false } }
  }
}

/// Copies files into the library's hidden folder, hashed and inspected, or checks that they can be
/// moved from where they are. Nothing outside the hidden folder changes.
struct Stager: Sendable {
  let core: LibraryCore
  /// Counts the bytes read; nil for no progress reports.
  let meter: ProgressMeter?
  /// True to copy files that are to be moved even if they are on the library's file system.
  var copiesAll = false

  /// Above this number of files, the file system is synchronized once instead of each file.
  private static let fewFiles = 8

  /// Above this number of files, flushing begins before all files are written.
  private static let manyFiles = 256

  /// The number of subfolders for many files, because two threads cannot add names to one folder at
  /// the same time.
  private static let folderCount = 4

  /// The number of consecutive files that one thread writes, into one folder.
  private static let run = 32

  /// The work for one file.
  private struct Job: Sendable {
    var resource: AssetCreationRequest.Resource
    /// The name of the file.
    var place: String
    /// Its subfolder of the staging folder, with a leading slash; empty for none.
    var folder = ""
  }

  private struct Place: Sendable {
    var path: String
    /// Its path relative to the library's folder.
    var relative: String
    var device: UInt64?
  }

  /// Stages the files of assets.
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
    // Flushing overlaps with the work on the remaining files.
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
      // One sync of the file system also covers files that are moved: they are on it already.
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

  /// Assigns the staged files, which are in the order of the drafts, to their drafts.
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
        "\(types.isEmpty ? "nothing" : types.map(\.name).joined(separator: " and ")) cannot "
          + "make an asset; use one photo, video or audio file, and files that belong to it")
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

  /// Writes a file whose content was read during inspection, without opening it again. Nil if the
  /// content is not at hand, or the file has changed.
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

  /// Checks that a file to be moved does not belong to the library: its asset would lose it.
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
      .fileInUse, "\(path): belongs to the library and cannot be moved into it; copy it instead")
  }

  private func finish(
    _ job: Job, at path: String, from: String, hash: ContentHash, name: String, source: String,
    status: FileStatus? = nil, facts known: MediaFacts? = nil
  ) throws(MediaLibraryError) -> StagedResource {
    var status = status
    if status == nil { status = try core.files.status(path) }
    guard let status else {
      throw MediaLibraryError(.fileNotFound, "\(path): has disappeared; try again")
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

  /// The facts from an earlier inspection, if the file has not changed.
  private func knownFacts(_ job: Job, _ status: FileStatus) -> MediaFacts? {
    job.resource.inspected.flatMap { $0.status == status ? $0.facts : nil }
  }

  private func absolute(_ path: String) -> String {
    guard !path.isAbsolutePath else { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }
}
