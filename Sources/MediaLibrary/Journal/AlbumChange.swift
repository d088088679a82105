extension JournalEntry {
  /// What becomes of an album that users made.
  struct AlbumChange: Decodable, Sendable, Hashable {
    var id: String
    /// The new title; an album that is new has one.
    var title: String?
    /// When it was made; nil for an album that there is.
    var created: Double?
    /// When it changed last, where that was before the entry: the journal was written again.
    var modified: Double?
    /// Assets that it gets, after those that it has. What it has already stays where it is.
    var added: [String]?
    /// Assets that leave it.
    var removed: [String]?
    /// All that the album has then, in this order.
    var arranged: [String]?
    /// True for an album that goes. Its assets stay in the library.
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

/// An album that users made, with all that is known of it.
struct AlbumRecord: Sendable, Hashable {
  var id: String
  var title: String
  var created: Double
  var modified: Double
  /// Identifiers of its assets, in order.
  var assets: [String] = []

  /// What makes the album anew.
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
