import MediaCore

/// A complete change block: what it does to files and to the catalogue.
///
/// Once an entry is in the journal and on the disk, the change is committed: the next process that opens the
/// library completes whatever is left to do.
struct JournalEntry: Decodable, Sendable, Hashable {
  /// A file to be moved to its place.
  struct Move: Decodable, Sendable, Hashable {
    /// Where it is: in the staging folder, relative to the library's folder, or outside the
    /// library, as an absolute path.
    var from: String
    /// Its place in the library.
    var to: String
    var status: FileStatus
  }

  /// A file to be removed.
  struct Unlink: Decodable, Sendable, Hashable {
    /// A path in the library, or an absolute path.
    var path: String
    /// The status of the intended file: another one of the same name stays.
    var status: FileStatus
  }

  /// A change of an asset.
  struct Update: Decodable, Sendable, Hashable {
    var id: String
    var favorite: Bool?
    var created: Double?
    /// The new location; an inner nil removes it.
    var location: Place?
    /// When it was deleted; an inner nil restores it.
    var trashed: Moment?
    /// All files of the asset, if an edit was added or removed.
    var resources: [ResourceRecord]?

    struct Place: Decodable, Sendable, Hashable { var value: GeographicLocation? }
    struct Moment: Decodable, Sendable, Hashable { var value: Double? }
  }

  /// The version of the format.
  static let version = 1

  var version = JournalEntry.version
  /// Counts entries from 1.
  var sequence: Int64
  var date: Double
  /// True if the library starts over with this entry; earlier ones are ignored.
  var begins: Bool?
  /// The folder in `staging` that contains the entry's files.
  var staging: String?
  var moves: [Move] = []
  var created: [AssetRecord] = []
  var updates: [Update] = []
  /// The permanently removed assets.
  var removed: [String] = []
  var unlinks: [Unlink] = []
  /// Changes of user albums, in order; nil for none.
  var albums: [AlbumChange]?
  /// The note in which the user making the change recorded which files outside the library it takes
  /// (``OutsideNotes``); nil if it takes none.
  var note: String?

  init(sequence: Int64, date: Double) {
    self.sequence = sequence
    self.date = date
  }
}

extension JournalEntry {
  /// Files outside the library that are moved into it.
  var outsideMoves: [Move] { moves.filter { $0.from.isAbsolutePath } }
  /// Files outside the library that are removed.
  var outsideUnlinks: [Unlink] { unlinks.filter { $0.path.isAbsolutePath } }

  /// The upper limit of entry numbers, exclusive.
  static let lastSequence = Int64(1) << 53

  /// What is wrong with the entry's names and numbers; nil if this program could have written it. A
  /// journal may come from a stranger.
  var flaw: String? {
    guard sequence > 0, sequence < Self.lastSequence else { return "number \(sequence)" }
    let staging = LibraryLayout.hiddenName + "/staging/"
    for move in moves {
      let isStaged =
        move.from.hasPrefix(staging)
        && LibraryLayout.isPlace(String(move.from.dropFirst(LibraryLayout.hiddenName.count + 1)))
      guard LibraryLayout.isPlace(move.to) else { return Self.leadsOut(move.to) }
      guard isStaged || Self.isAbsolute(move.from) else {
        return "'\(move.from)' is to be moved, but is not in the staging folder"
      }
    }
    for unlink in unlinks
    where !LibraryLayout.isPlace(unlink.path) && !Self.isAbsolute(unlink.path) {
      return Self.leadsOut(unlink.path)
    }
    for record in created {
      if let flaw = record.flaw { return flaw }
    }
    for album in albums ?? [] where !AssetIdentifier.isValid(album.id) {
      return "the album's identifier '\(album.id)'"
    }
    return updates.lazy.flatMap { $0.resources ?? [] }.compactMap(\.flaw).first
  }

  fileprivate static func leadsOut(_ path: String) -> String {
    "'\(path)' leads out of the library"
  }

  private static func isAbsolute(_ path: String) -> Bool {
    path.isAbsolutePath && !path.utf8.contains(0)
  }
}

extension AssetRecord {
  /// What is wrong with the record's names and numbers; nil if this program could have written it.
  var flaw: String? {
    guard AssetIdentifier.isValid(id) else { return "the identifier '\(id)'" }
    return resources.lazy.compactMap(\.flaw).first
  }
}

extension ResourceRecord {
  fileprivate var flaw: String? {
    guard LibraryLayout.isPlace(path) else { return JournalEntry.leadsOut(path) }
    return size < 0 ? "'\(path)' has \(size) bytes" : nil
  }
}
