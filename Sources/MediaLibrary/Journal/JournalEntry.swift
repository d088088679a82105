/// A change block, complete: what is to become of files and catalogue.
///
/// Once an entry is in the journal and on the disk, the change is decided: whoever opens the library
/// next finishes what was left to do.
struct JournalEntry: Decodable, Sendable, Hashable {
  /// A file that goes to its place.
  struct Move: Decodable, Sendable, Hashable {
    /// Where it is: in the library, or from the root on where it begins with a slash.
    var from: String
    /// Where it belongs in the library.
    var to: String
    /// The file.
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

    struct Place: Decodable, Sendable, Hashable { var value: GeographicLocation? }
    struct Moment: Decodable, Sendable, Hashable { var value: Double? }
  }

  /// The version of the format.
  static let version = 1

  var version = JournalEntry.version
  /// From 1, one more with each entry.
  var sequence: Int64
  var date: Double
  /// True where the library begins anew with this entry: what came before does not count.
  var begins: Bool?
  /// The folder in `staging` that the entry's files come from.
  var staging: String?
  var moves: [Move] = []
  var created: [AssetRecord] = []
  var updates: [Update] = []
  /// Assets that are gone for good.
  var removed: [String] = []
  var unlinks: [Unlink] = []

  init(sequence: Int64, date: Double) {
    self.sequence = sequence
    self.date = date
  }
}
