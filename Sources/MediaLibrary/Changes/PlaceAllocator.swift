import FoundationEssentials
import MediaCore

/// Chooses names for new files: a folder for year and month, and the original name, numbered if it
/// is taken.
struct PlaceAllocator {
  private let core: LibraryCore
  private var places: CheckedPlaces
  /// The keys of the places used by this change block.
  private var taken: Set<String> = []
  /// The last free number of each name, so that a thousand files of one name do not take quadratic
  /// time.
  private var numbers: [String: Int] = [:]

  init(core: LibraryCore) {
    self.core = core
    places = CheckedPlaces(layout: core.layout, files: core.files)
  }

  /// Adds an asset to an entry: its record, the moves of its files, and the source files to remove.
  mutating func place(
    _ asset: StagedAsset, in entry: inout JournalEntry
  ) throws(MediaLibraryError) -> AssetRecord {
    // The main file comes first, whatever the order of the requests.
    var ordered = asset.resources
    if ordered.first?.record.type.isPrimary != true {
      ordered.sort { $0.record.type.isPrimary && !$1.record.type.isPrimary }
    }
    guard let main = ordered.first else {
      throw MediaLibraryError(.unsupportedResourceTypes, "an asset without files")
    }
    let now = core.now()
    var facts = main.facts
    for other in ordered {
      switch other.record.type {
      case .alternatePhoto: facts.complete(with: other.facts)
      case .segment: facts.append(segment: other.facts)
      default: break
      }
    }
    let created = Self.creationTime(asset.draft, facts, main.status, now: now)
    let paths = try paths(for: ordered, in: LibraryLayout.folder(for: created))
    var resources: [ResourceRecord] = []
    for (resource, path) in zip(ordered, paths) {
      var record = resource.record
      record.path = path
      resources.append(record)
      entry.moves.append(.init(from: resource.from, to: record.path, status: resource.status))
      if let unlink = resource.unlink { entry.unlinks.append(unlink) }
    }
    let record = AssetRecord(
      id: asset.draft.id, mediaType: AssetMediaType(primary: main.record.type), created: created,
      added: now, modified: now, trashed: nil, favorite: asset.draft.isFavorite,
      location: asset.draft.location ?? facts.location, facts: facts,
      resources: resources)
    entry.created.append(record)
    return record
  }

  /// Adds an edit of an asset to an entry, beside the asset's main file.
  ///
  /// - Throws: ``MediaLibraryError/Code/invalidArgument`` if the asset is not a photo, or the entry
  ///   already changes its files.
  mutating func place(
    _ edit: StagedAsset, asEditOf record: AssetRecord, in entry: inout JournalEntry
  ) throws(MediaLibraryError) {
    guard let main = record.resources.first, main.type == .photo else {
      throw MediaLibraryError(
        .invalidArgument, "\(record.resources.first?.name ?? record.id): only photos can be edited")
    }
    guard !entry.updates.contains(where: { $0.id == record.id && $0.resources != nil }) else {
      throw MediaLibraryError(
        .invalidArgument, "\(main.name): edited or reverted twice in one change; use two changes")
    }
    let paths = try paths(for: edit.resources, in: LibraryFiles.parent(main.path))
    var resources = record.resources.filter { !$0.type.isEdit }
    for (resource, path) in zip(edit.resources, paths) {
      var file = resource.record
      file.path = path
      resources.append(file)
      entry.moves.append(.init(from: resource.from, to: path, status: resource.status))
      if let unlink = resource.unlink { entry.unlinks.append(unlink) }
    }
    entry.updates.append(.init(id: record.id, resources: resources))
  }

  /// When an asset was created: from the request, else the file's metadata, else the file's date.
  private static func creationTime(
    _ draft: AssetCreationRequest.Draft, _ facts: MediaFacts, _ status: FileStatus, now: Double
  ) -> Double {
    if let date = draft.creationDate { return date.timeIntervalSince1970 }
    return facts.likelyCreationDate(now: now) ?? status.modifiedSeconds
  }

  /// Places for the files of an asset, all with the same number if any of their names is taken.
  private mutating func paths(
    for resources: [StagedResource], in folder: String
  ) throws(MediaLibraryError) -> [String] {
    if resources.count == 1, let name = resources.first?.record.name {
      let path = folder + "/" + name
      let key = core.key(ofPlace: path)
      if !taken.contains(key), try core.files.status(places.path(of: path)) == nil {
        taken.insert(key)
        return [path]
      }
    }
    let wanted = distinct(resources)
    let key = folder + "/" + (wanted.first?.text ?? "")
    var number = numbers[key] ?? 1
    while true {
      let paths = wanted.map { folder + "/" + $0.numbered(number, beside: wanted[0]).text }
      let keys = paths.map(core.key(ofPlace:))
      var isFree = taken.isDisjoint(with: keys)
      for path in paths where isFree {
        isFree = try core.files.status(places.path(of: path)) == nil
      }
      if isFree {
        taken.formUnion(keys)
        if number > 1 { numbers[key] = number }
        return paths
      }
      number += 1
    }
  }

  /// The files' original names. If two files of an asset have the same name, the later one gets its
  /// type appended. Unnamed data is named after the main file.
  private func distinct(_ resources: [StagedResource]) -> [FileName] {
    var names: [FileName] = []
    func isTaken(_ name: FileName) -> Bool {
      names.contains { core.key(ofPlace: $0.text) == core.key(ofPlace: name.text) }
    }
    for resource in resources {
      var name = FileName(resource.record.name)
      if resource.source.hasPrefix("data for "), name.stem == "data", let main = names.first {
        name = FileName(main.stem + "." + name.pathExtension)
      }
      if isTaken(name) { name = name.adding("-" + resource.record.type.name) }
      var number = 2
      let base = name
      while isTaken(name) {
        name = base.adding("-\(number)")
        number += 1
      }
      names.append(name)
    }
    return names
  }
}
