import MediaCore

/// A complete change block: what it does to files and catalogue.
///
/// Once an entry is in the journal and on the disk, the change is committed: the next process that opens the
/// library completes whatever is left to do.
struct JournalEntry: Decodable, Sendable, Hashable {
  /// A file that goes to its place.
  struct Move: Decodable, Sendable, Hashable {
    /// Where it is: in the staging folder, by its path from the library's folder on; or outside of
    /// the library, from the root on.
    var from: String
    /// Where it belongs in the library.
    var to: String
    var status: FileStatus
  }

  /// A file that goes.
  struct Unlink: Decodable, Sendable, Hashable {
    /// In the library, or from the root on.
    var path: String
    /// The file that is meant: another one of the same name stays.
    var status: FileStatus
  }

  /// What becomes of an asset.
  struct Update: Decodable, Sendable, Hashable {
    var id: String
    var favorite: Bool?
    var created: Double?
    /// The new place; an inner nil takes it away.
    var location: Place?
    /// Recently deleted since; an inner nil restores.
    var trashed: Moment?
    /// All files of the asset, where they change: an edit came or went.
    var resources: [ResourceRecord]?

    struct Place: Decodable, Sendable, Hashable { var value: GeographicLocation? }
    struct Moment: Decodable, Sendable, Hashable { var value: Double? }
  }

  /// The version of the format.
  static let version = 1

  var version = JournalEntry.version
  /// From 1, one more with each entry.
  var sequence: Int64
  var date: Double
  /// True if the library starts over with this entry, and earlier ones do not count.
  var begins: Bool?
  /// The folder in `staging` that the entry's files come from.
  var staging: String?
  var moves: [Move] = []
  var created: [AssetRecord] = []
  var updates: [Update] = []
  /// Assets that were removed permanently.
  var removed: [String] = []
  var unlinks: [Unlink] = []
  /// What becomes of albums of users, in order; nil for nothing.
  var albums: [AlbumChange]?
  /// The note in which the user who made the change wrote down what it takes from outside the library
  /// (``OutsideNotes``); nil where it takes nothing from there.
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

  /// The largest number of an entry.
  static let lastSequence = Int64(1) << 53

  /// What is wrong with names and numbers in an entry; nil for one as this program writes it. A journal
  /// may come from a stranger.
  var flaw: String? {
    guard sequence > 0, sequence < Self.lastSequence else { return "number \(sequence)" }
    let staging = LibraryLayout.hiddenName + "/staging/"
    for move in moves {
      let isStaged =
        move.from.hasPrefix(staging)
        && LibraryLayout.isPlace(String(move.from.dropFirst(LibraryLayout.hiddenName.count + 1)))
      guard LibraryLayout.isPlace(move.to) else { return Self.leadsOut(move.to) }
      guard isStaged || Self.isAbsolute(move.from) else {
        return "'\(move.from)' is not in the staging folder, and is moved"
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
  /// What is wrong with its names and numbers; nil for a record as this program writes it.
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
