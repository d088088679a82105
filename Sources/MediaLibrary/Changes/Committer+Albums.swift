import MediaCore
import Synchronization

/// Changes to user albums.
extension Committer {
  /// Adds the album requests to an entry.
  ///
  /// - Parameter twins: For each asset left out as a duplicate, the library's asset.
  /// - Throws: ``MediaLibraryError/Code/assetNotFound`` if an album or an asset does not exist.
  func addAlbums(
    _ requests: [ChangeBlock.Request], twins: [String: String], to entry: inout JournalEntry
  ) throws(MediaLibraryError) {
    let isNeeded = requests.contains { request in
      switch request {
      case .album, .deleteAlbum: true
      case .create, .update, .edit, .revert, .trash, .trashCopied, .restore, .expunge: false
      }
    }
    guard isNeeded else { return }
    var known = Set(try core.catalogue.read { try Catalogue.albums($0).map(\.id) })
    let created = Set(entry.created.map(\.id))
    var changes: [JournalEntry.AlbumChange] = []
    for request in requests {
      switch request {
      case .album(let request):
        let state = request.state.withLock { $0 }
        let id = request.localIdentifier
        if state.isNew { known.insert(id) }
        try Self.check(id, among: known)
        changes.append(
          .init(
            id: id, title: state.title, created: state.isNew ? entry.date : nil))
        for step in state.steps {
          changes.append(try change(id, step, twins, created: created, after: changes))
        }
      case .deleteAlbum(let id):
        try Self.check(id, among: known)
        known.remove(id)
        changes.append(.init(id: id, isDeleted: true))
      case .create, .update, .edit, .revert, .trash, .trashCopied, .restore, .expunge: continue
      }
    }
    entry.albums = changes
  }

  /// The change that a step makes.
  ///
  /// - Parameters:
  ///   - created: Assets that the block creates.
  ///   - changes: The block's earlier album changes.
  private func change(
    _ album: String, _ step: AlbumChangeRequest.Step, _ twins: [String: String],
    created: Set<String>, after changes: [JournalEntry.AlbumChange]
  ) throws(MediaLibraryError) -> JournalEntry.AlbumChange {
    func checked(_ assets: [String]) throws(MediaLibraryError) -> [String] {
      let assets = assets.map { twins[$0] ?? $0 }
      try check(assets.filter { !created.contains($0) })
      return assets
    }
    var step = step
    switch step {
    case .add(let assets): return .init(id: album, added: try checked(assets))
    case .remove(let assets): return .init(id: album, removed: assets)
    case .insert(let assets, let places): step = .insert(try checked(assets), at: places)
    case .replace(let places, let assets): step = .replace(places, with: try checked(assets))
    case .removeAt, .move: break
    }
    let (stored, deleted) = try core.catalogue.read {
      (
        try Catalogue.assetIdentifiers(ofAlbum: album, $0),
        try Catalogue.deletedIdentifiers(inAlbum: album, $0)
      )
    }
    var record = AlbumRecord(id: album, title: "", created: 0, modified: 0, assets: stored)
    for change in changes where change.id == album { record.apply(change, date: 0) }
    // Positions count visible assets only; deleted assets that can be restored go to the end.
    let unseen = Set(deleted)
    var arrangement = AlbumArrangement(assets: record.assets.filter { !unseen.contains($0) })
    try arrangement.apply(step)
    return .init(
      id: album, arranged: arrangement.assets + record.assets.filter { unseen.contains($0) })
  }

  private static func check(
    _ album: String, among known: Set<String>
  ) throws(MediaLibraryError) {
    guard known.contains(album) else {
      throw MediaLibraryError(.assetNotFound, "no album has the identifier \(album)")
    }
  }

  private func check(_ assets: [String]) throws(MediaLibraryError) {
    let found = try core.catalogue.read { db in
      Set(try Catalogue.records(identifiers: assets, db).map(\.id))
    }
    guard let missing = assets.first(where: { !found.contains($0) }) else { return }
    throw MediaLibraryError(.assetNotFound, "no asset has the identifier \(missing)")
  }
}
