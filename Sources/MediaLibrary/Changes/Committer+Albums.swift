import MediaCore
import Synchronization

/// What change blocks do to albums of users.
extension Committer {
  /// Adds what requests for albums come to.
  ///
  /// - Parameter twins: For each asset that was left out as a duplicate, the one that the library had.
  /// - Throws: ``MediaLibraryError/Code/assetNotFound`` for an album or an asset that is not there.
  func addAlbums(
    _ requests: [ChangeBlock.Request], twins: [String: String], to entry: inout JournalEntry
  ) throws(MediaLibraryError) {
    let isNeeded = requests.contains { request in
      switch request {
      case .album, .deleteAlbum: true
      case .create, .update, .edit, .revert, .trash, .restore, .expunge: false
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
          switch step {
          case .add(let assets):
            let assets = assets.map { twins[$0] ?? $0 }
            try check(assets.filter { !created.contains($0) })
            changes.append(.init(id: id, added: assets))
          case .remove(let assets): changes.append(.init(id: id, removed: assets))
          }
        }
      case .deleteAlbum(let id):
        try Self.check(id, among: known)
        known.remove(id)
        changes.append(.init(id: id, isDeleted: true))
      case .create, .update, .edit, .revert, .trash, .restore, .expunge: continue
      }
    }
    entry.albums = changes
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
