import FoundationEssentials
import GRDB
import MediaCore

/// A catalogue query: SQL with its arguments.
struct AssetQuery {
  private var conditions: [String] = []
  private var arguments: [(any DatabaseValueConvertible)?] = []
  private var order = ""
  private var orderArguments: [(any DatabaseValueConvertible)?] = []
  private var limit = ""

  private let broadness: Int

  /// Selects an album's assets that match the options.
  ///
  /// - Parameter broadness: The number of hits in the word index above which a search scans all
  ///   texts instead.
  init(
    _ options: FetchOptions, in album: AssetCollection.SmartAlbum = .userLibrary,
    userAlbum: String? = nil, broadness: Int = 0, _ db: Database
  ) throws {
    self.broadness = broadness
    if album == .recentlyDeleted {
      conditions.append("trashed IS NOT NULL")
    } else if !options.includesRecentlyDeleted {
      conditions.append("trashed IS NULL")
    }
    if let condition = Self.condition(of: album) { conditions.append(condition) }
    if let userAlbum {
      conditions.append(Self.isInUserAlbum)
      arguments.append(userAlbum)
    }
    if let predicate = options.predicate { conditions.append(try add(predicate, db)) }
    if let userAlbum, options.sortDescriptors.isEmpty {
      order = Self.userAlbumOrder
      orderArguments = [userAlbum]
      if options.fetchLimit > 0 { limit = " LIMIT \(options.fetchLimit)" }
      return
    }
    var keys = options.sortDescriptors
    if keys.isEmpty { keys = [Self.usualOrder(of: album)] }
    let last = keys.last?.ascending == false ? "id DESC" : "id"
    order =
      " ORDER BY "
      + (keys.map { Self.column($0.key) + ($0.ascending ? "" : " DESC") } + [last])
      .joined(separator: ", ")
    let most = album == .recentlyAdded ? AssetCollection.recentlyAddedLimit : Int.max
    let wanted = options.fetchLimit > 0 ? min(options.fetchLimit, most) : most
    if wanted < Int.max { limit = " LIMIT \(wanted)" }
  }

  private static let isInUserAlbum = """
    id IN (SELECT assetID FROM albumAsset
      WHERE albumID = (SELECT id FROM album WHERE identifier = ?))
    """
  private static let userAlbumOrder = """
     ORDER BY (SELECT position FROM albumAsset WHERE assetID = asset.id
      AND albumID = (SELECT id FROM album WHERE identifier = ?))
    """

  /// The matching rows, in order.
  func ids(_ db: Database) throws -> [Int64] {
    let statement = try db.cachedStatement(
      sql: "SELECT id FROM asset" + restriction + order + limit)
    return try Int64.fetchAll(
      statement, arguments: StatementArguments(arguments + orderArguments))
  }

  /// The number of matching assets, at most the limit.
  func count(_ db: Database) throws -> Int {
    let counted =
      limit.isEmpty
      ? "SELECT COUNT(*) FROM asset" + restriction
      : "SELECT COUNT(*) FROM (SELECT 1 FROM asset" + restriction + limit + ")"
    let statement = try db.cachedStatement(sql: counted)
    return try Int.fetchOne(statement, arguments: StatementArguments(arguments)) ?? 0
  }

  private var restriction: String {
    conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
  }

  /// Must match the conditions of the partial indexes word for word.
  private static func condition(of album: AssetCollection.SmartAlbum) -> String? {
    switch album {
    case .userLibrary, .recentlyAdded, .recentlyDeleted: nil
    case .videos: "mediaType = \(AssetMediaType.video.rawValue)"
    case .photos: "mediaType = \(AssetMediaType.image.rawValue)"
    case .proRes: "isProRes"
    case .raw: "isRAW"
    case .favorites: "favorite"
    }
  }

  private static func usualOrder(of album: AssetCollection.SmartAlbum) -> AssetSortDescriptor {
    album == .recentlyAdded
      ? AssetSortDescriptor(key: .additionDate, ascending: false)
      : AssetSortDescriptor(key: .creationDate, ascending: true)
  }

  private static func column(_ key: AssetSortDescriptor.Key) -> String {
    switch key {
    case .creationDate: "created"
    case .additionDate: "added"
    case .modificationDate: "modified"
    case .duration: "duration"
    case .size: "size"
    }
  }

  private mutating func add(_ predicate: AssetPredicate, _ db: Database) throws -> String {
    switch predicate {
    case .mediaType(let type): return "mediaType = \(type.rawValue)"
    case .isFavorite(let wanted): return wanted ? "favorite" : "NOT favorite"
    case .isProRes(let wanted): return wanted ? "isProRes" : "NOT isProRes"
    case .isRAW(let wanted): return wanted ? "isRAW" : "NOT isRAW"
    case .codec(let codec): return compare("codec =", codec)
    case .createdSince(let date): return compare("created >=", date.timeIntervalSince1970)
    case .createdBefore(let date): return compare("created <", date.timeIntervalSince1970)
    case .addedSince(let date): return compare("added >=", date.timeIntervalSince1970)
    case .widthAtLeast(let width): return compare("width >=", width)
    case .durationAtLeast(let seconds): return compare("duration >=", seconds)
    case .durationAtMost(let seconds): return compare("duration <=", seconds)
    case .text(let text): return try search(text, db)
    case .all(let parts): return try join(parts, "AND", empty: "1", db)
    case .any(let parts): return try join(parts, "OR", empty: "0", db)
    case .not(let part): return "NOT COALESCE(\(try add(part, db)), 0)"
    }
  }

  private mutating func compare(
    _ words: String, _ value: any DatabaseValueConvertible
  ) -> String {
    arguments.append(value)
    return words + " ?"
  }

  /// - Parameter word: `AND` or `OR`.
  private mutating func join(
    _ parts: [AssetPredicate], _ word: String, empty: String, _ db: Database
  ) throws -> String {
    guard !parts.isEmpty else { return empty }
    return try Self.joined(parts.map { try add($0, db) }[...], word)
  }

  /// Joins conditions as a balanced tree: SQLite parses a flat chain as nested expressions, and
  /// limits their depth to 1000.
  private static func joined(_ parts: ArraySlice<String>, _ word: String) -> String {
    guard parts.count > 2 else { return "(" + parts.joined(separator: " \(word) ") + ")" }
    let half = parts.startIndex + parts.count / 2
    return "(" + joined(parts[..<half], word) + " \(word) " + joined(parts[half...], word) + ")"
  }

  /// The longest search text, in bytes.
  private static let longestSearch = 8192

  /// The index narrows the candidates by trigrams; the text itself decides.
  private mutating func search(_ text: String, _ db: Database) throws -> String {
    guard text.utf8.count <= Self.longestSearch else {
      throw MediaLibraryError(
        .invalidArgument,
        "the search text has \(text.utf8.count) bytes; use at most \(Self.longestSearch)")
    }
    let words = text.split(whereSeparator: \.isWhitespace).map(SearchWord.init)
    guard !words.isEmpty else { return "1" }
    var parts: [String] = []
    let runs = words.flatMap(\.runs).joined(separator: " AND ")
    let isNarrow = try !runs.isEmpty && !isBroad(runs, db)
    if isNarrow {
      arguments.append(runs)
      parts.append("id IN (SELECT rowid FROM assetText WHERE assetText MATCH ?)")
    }
    for word in words where !isNarrow || !word.isRun {
      arguments.append(word.isASCII ? word.pattern : word.folded)
      parts.append(word.isASCII ? "text LIKE ? ESCAPE '\\'" : "holdsWord(text, ?)")
    }
    return Self.joined(parts[...], "AND")
  }

  private func isBroad(_ runs: String, _ db: Database) throws -> Bool {
    let statement = try db.cachedStatement(
      sql: """
        SELECT COUNT(*) FROM
          (SELECT 1 FROM assetText WHERE assetText MATCH ? LIMIT \(broadness + 1))
        """)
    return try Int.fetchOne(statement, arguments: [runs]) ?? 0 > broadness
  }
}
