import Dispatch
import Foundation
import Glibc
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

/// Brings files into the library's hidden folder, hashed and inspected, or checks that they can be
/// moved from where they are. Nothing outside the hidden folder changes.
struct Stager: Sendable {
  let core: LibraryCore

  /// From this many files on, the whole file system is synchronised once, and not each file.
  private static let fewFiles = 8

  /// What one file needs.
  private struct Job: Sendable {
    var resource: AssetCreationRequest.Resource
    /// The name of the file in the staging folder.
    var place: String
  }

  /// Makes the files of assets ready.
  func stage(
    _ drafts: [AssetCreationRequest.Draft], in folder: borrowing StagingFolder
  ) throws(MediaLibraryError) -> [StagedAsset] {
    for draft in drafts { try check(draft) }
    var jobs: [Job] = []
    for draft in drafts {
      for resource in draft.resources {
        jobs.append(Job(resource: resource, place: "\(jobs.count)"))
      }
    }
    let synchronizesEach = jobs.count <= Self.fewFiles
    let results = run(jobs, folder: folder.path, name: folder.name, synchronizesEach)
    var staged: [StagedResource] = []
    for result in results { staged.append(try result.get()) }
    if staged.contains(where: { !$0.from.hasPrefix("/") }) {
      try folder.synchronize(withFiles: !synchronizesEach)
    }
    var assets: [StagedAsset] = []
    var next = 0
    for draft in drafts {
      assets.append(
        StagedAsset(draft: draft, resources: Array(staged[next..<(next + draft.resources.count)])))
      next += draft.resources.count
    }
    return assets
  }

  private func check(_ draft: AssetCreationRequest.Draft) throws(MediaLibraryError) {
    let types = draft.resources.map(\.type)
    guard AssetResourceType.makeAsset(types) else {
      throw MediaLibraryError(
        .unsupportedResourceTypes,
        "\(types.isEmpty ? "nothing" : types.map(\.rawValue).joined(separator: " and ")) makes no "
          + "asset; it takes one photo, video or audio, and what belongs to it")
    }
    for resource in draft.resources {
      if let name = resource.name { try FileName(name).check() }
    }
  }

  /// Two files at a time where there are several.
  private func run(
    _ jobs: [Job], folder: String, name: String, _ synchronizesEach: Bool
  ) -> [Result<StagedResource, MediaLibraryError>] {
    let results = Mutex([Int: Result<StagedResource, MediaLibraryError>]())
    let next = Atomic(0)
    let lanes = min(jobs.count, max(ProcessInfo.processInfo.activeProcessorCount, 2))
    DispatchQueue.concurrentPerform(iterations: lanes) { _ in
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < jobs.count else { return }
        let job = jobs[index]
        let result = Result { () throws(MediaLibraryError) -> StagedResource in
          try stage(job, folder: folder, name: name, synchronizesEach)
        }
        results.withLock { $0[index] = result }
        if case .failure = result { next.store(jobs.count, ordering: .relaxed) }
      }
    }
    let all = results.withLock { $0 }
    // The first failure in the order of the files; those after it may not have been tried.
    return jobs.indices.compactMap { all[$0] }
  }

  private func stage(
    _ job: Job, folder: String, name: String, _ synchronizes: Bool
  ) throws(MediaLibraryError) -> StagedResource {
    let target = folder + "/" + job.place
    let relative = LibraryLayout.hiddenName + "/staging/" + name + "/" + job.place
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
        source: "data for \(job.resource.type.rawValue)")
    case .file(let path, let moves):
      let source = try SourceFile(path, isMoved: moves, files: core.files)
      let name = job.resource.name ?? LibraryFiles.name(path)
      try FileName(name).check()
      guard moves, try isOnSameFileSystem(source.status) else {
        let copy = try FileCopy.run(
          source.file, to: target, files: core.files, synchronizes: synchronizes, verifies: moves)
        try source.checkUnchanged(files: core.files)
        var staged = try finish(
          job, at: target, from: relative, hash: copy.hash, name: name, source: path)
        if moves { staged.unlink = .init(path: absolute(path), status: source.status) }
        return staged
      }
      let content = try FileCopy.run(source.file)
      try source.file.synchronize()
      let staged = try finish(
        job, at: path, from: absolute(path), hash: content.hash, name: name, source: path)
      try source.checkUnchanged(files: core.files)
      return staged
    }
  }

  private func finish(
    _ job: Job, at path: String, from: String, hash: ContentHash, name: String, source: String
  ) throws(MediaLibraryError) -> StagedResource {
    guard let status = try core.files.status(path) else {
      throw MediaLibraryError(.fileNotFound, "\(path): is gone; try again")
    }
    let facts = try MediaInspector(files: core.files).facts(
      path, as: job.resource.type, name: source)
    let record = ResourceRecord(
      type: job.resource.type, path: "", name: name,
      uti: job.resource.uti ?? UniformTypes.identifier(forName: name), size: status.size,
      hash: "\(hash)", modified: status.modified)
    return StagedResource(record: record, facts: facts, from: from, status: status, source: source)
  }

  private func isOnSameFileSystem(_ status: FileStatus) throws(MediaLibraryError) -> Bool {
    try core.files.status(core.layout.staging)?.device == status.device
  }

  private func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }
}
