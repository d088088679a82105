extension JournalEntry {
  /// A change of a user album.
  struct AlbumChange: Decodable, Sendable, Hashable {
    var id: String
    /// The new title; always set for a new album.
    var title: String?
    /// When it was created; nil for an existing album.
    var created: Double?
    /// When it last changed, if that was before the entry, as in a rewritten journal.
    var modified: Double?
    /// Assets to append. Those that it already contains stay where they are.
    var added: [String]?
    /// Assets to remove.
    var removed: [String]?
    /// The complete new list of assets, in order.
    var arranged: [String]?
    /// True to delete the album. Its assets stay in the library.
    var isDeleted: Bool?
  }
}

extension JournalEntry.AlbumChange: JSONObject {
  func write(to json: inout JSONText) {
    json.add("id", id)
    json.add("title", title)
    json.add("created", created)
    json.add("modified", modified)
    if let added { json.add("added", added) }
    if let removed { json.add("removed", removed) }
    if let arranged { json.add("arranged", arranged) }
    json.add("isDeleted", isDeleted)
  }
}

/// Everything known about a user album.
struct AlbumRecord: Sendable, Hashable {
  var id: String
  var title: String
  var created: Double
  var modified: Double
  /// Identifiers of its assets, in order.
  var assets: [String] = []

  /// A change that recreates the album.
  var change: JournalEntry.AlbumChange {
    .init(id: id, title: title, created: created, modified: modified, added: assets)
  }

  mutating func apply(_ change: JournalEntry.AlbumChange, date: Double) {
    if let title = change.title { self.title = title }
    if let removed = change.removed.map(Set.init) { assets.removeAll { removed.contains($0) } }
    if let added = change.added {
      var present = Set(assets)
      assets += added.filter { present.insert($0).inserted }
    }
    if let arranged = change.arranged { assets = arranged }
    modified = change.modified ?? date
  }
}
