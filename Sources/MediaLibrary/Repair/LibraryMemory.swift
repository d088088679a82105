import MediaCore

/// The assets of a library according to its journal, and what else is known about them.
struct LibraryMemory {
  /// The assets by identifier.
  private var records: [String: AssetRecord] = [:]
  /// Identifiers in order of creation, including removed ones.
  private var order: [String] = []
  /// Identifiers of assets that were removed permanently.
  private var removed: Set<String> = []
  /// The number of the last entry applied; 0 for none.
  private(set) var lastSequence: Int64 = 0

  /// Files that a catalogue lists as waiting to be removed.
  private(set) var waiting: [PendingRemoval] = []
  /// Files that the journal says to remove; most are already gone.
  private var removals: [PendingRemoval] = []

  /// User albums by identifier.
  private var albumRecords: [String: AlbumRecord] = [:]
  /// Identifiers of albums in order of creation, including deleted ones.
  private var albumOrder: [String] = []

  /// The user albums in order of creation, with their existing assets.
  var albums: [AlbumRecord] {
    albumOrder.compactMap { id in
      guard var album = albumRecords[id] else { return nil }
      album.assets.removeAll { records[$0] == nil }
      return album
    }
  }

  /// The assets in order of creation.
  var assets: [AssetRecord] { order.compactMap { records[$0] } }

  /// Adds or updates an asset.
  mutating func add(_ record: AssetRecord) {
    if records.updateValue(record, forKey: record.id) == nil { order.append(record.id) }
  }

  /// Adds an asset from a damaged catalogue; the journal takes precedence.
  mutating func add(salvaged record: AssetRecord) {
    if records[record.id] == nil, !removed.contains(record.id) { add(record) }
  }

  /// Starts from the contents of an intact catalogue.
  mutating func begin(with old: SalvagedCatalogue, at sequence: Int64) {
    for record in old.records { add(record) }
    for album in old.albums { add(album) }
    waiting = old.removals
    lastSequence = max(lastSequence, sequence)
  }

  mutating func apply(_ entry: JournalEntry) {
    lastSequence = max(lastSequence, entry.sequence)
    if entry.begins == true {
      (records, order) = ([:], [])
      (albumRecords, albumOrder) = ([:], [])
      (waiting, removals) = ([], [])
    }
    for record in entry.created { add(record) }
    for update in entry.updates { apply(update, entry.date) }
    for id in entry.removed {
      records[id] = nil
      removed.insert(id)
    }
    for change in entry.albums ?? [] { apply(change, entry.date) }
    removals += entry.unlinks.map { PendingRemoval(unlink: $0, note: entry.note) }
  }

  /// The files in the library that were to be removed, but still exist and belong to no asset,
  /// because the disk did not allow it.
  func pendingRemovals(
    except assets: [AssetRecord], _ layout: LibraryLayout, _ files: LibraryFiles
  ) throws(MediaLibraryError) -> [PendingRemoval] {
    let claimed = Set(assets.flatMap(\.resources).map { PathBytes($0.path) })
    func path(_ removal: PendingRemoval) -> String? {
      let place = removal.unlink.path
      guard LibraryLayout.isPlace(place), !claimed.contains(PathBytes(place)) else { return nil }
      return try? layout.path(of: place, files: files)
    }
    var pending: [PendingRemoval] = []
    for removal in waiting {
      guard let path = path(removal),
        try files.holds(removal.unlink.status, at: path, afterRestart: true)
      else { continue }
      pending.append(removal)
    }
    for removal in removals {
      // The journal does not say which are already gone. A restored file may have the same inode,
      // but was changed later.
      let meant = removal.unlink.status
      guard let path = path(removal), let present = try files.status(path),
        present.isUnchanged(beforeRestart: meant), present.changed == meant.changed
      else { continue }
      pending.append(PendingRemoval(unlink: removal.unlink))
    }
    return pending
  }

  /// Adds an album unless it is known already.
  mutating func add(_ album: AlbumRecord) {
    guard albumRecords[album.id] == nil else { return }
    albumRecords[album.id] = album
    albumOrder.append(album.id)
  }

  private mutating func apply(_ change: JournalEntry.AlbumChange, _ date: Double) {
    if change.isDeleted == true {
      albumRecords[change.id] = nil
      albumOrder.removeAll { $0 == change.id }
      return
    }
    if let created = change.created {
      add(AlbumRecord(id: change.id, title: change.title ?? "", created: created, modified: date))
    }
    albumRecords[change.id]?.apply(change, date: date)
  }

  private mutating func apply(_ update: JournalEntry.Update, _ date: Double) {
    guard var record = records[update.id] else { return }
    if let favorite = update.favorite { record.favorite = favorite }
    if let created = update.created { record.created = created }
    if let place = update.location { record.location = place.value }
    if let moment = update.trashed { record.trashed = moment.value }
    if let resources = update.resources { record.resources = resources }
    record.modified = date
    records[update.id] = record
  }
}
