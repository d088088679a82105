import Foundation
import GRDB
import Glibc
import MediaLibrary
import TestSupport
import Testing

/// A library whose own files are damaged.
@Suite(.timeLimit(.minutes(5))) struct DamageTests {
  /// A library in its original state, which is damaged again and again.
  private struct Specimen {
    let test: TestLibrary
    let assets: [AssetSummary]
    let catalogue: URL
    let journal: URL
    private let catalogueBytes: [UInt8]
    private let journalBytes: [UInt8]

    init() async throws {
      let test = try TestLibrary()
      for seed in 0..<40 {
        let file = try test.folder.write(TestMedia.png(seed: seed), "Card/p\(seed).png")
        try await test.add(file)
      }
      let movie = test.folder.url.appending(path: "take.mov")
      try TestMedia.movie(movie)
      try await test.library.save(movies: [movie])
      let all = try test.library.fetchAssets().allObjects()
      try await test.library.performChanges {
        try AssetChangeRequest(for: all[3]).isFavorite = true
        try AssetChangeRequest(for: all[7]).location = GeographicLocation(latitude: 1, longitude: 2)
        try AssetChangeRequest.deleteAssets([all[9]])
      }
      try await test.library.performChanges { try AssetChangeRequest.deleteAssets([all[11]]) }
      try await test.library.performChanges { try AssetChangeRequest.expungeAssets([all[11]]) }
      self.test = test
      assets = try Self.assets(of: test.library)
      test.library.close()
      let hidden = test.library.url.appending(path: ".medialibrary")
      catalogue = hidden.appending(path: "catalogue.sqlite")
      journal = hidden.appending(path: "journal")
      // Everything in the one file, without a -wal file.
      try await DatabaseQueue(path: catalogue.path).writeWithoutTransaction {
        _ = try $0.checkpoint(.truncate)
      }
      catalogueBytes = try [UInt8](Data(contentsOf: catalogue))
      journalBytes = try [UInt8](Data(contentsOf: journal))
    }

    static func assets(of library: PhotoLibrary) throws -> [AssetSummary] {
      var options = FetchOptions()
      options.includesRecentlyDeleted = true
      return try library.fetchAssets(with: options).allObjects().map(AssetSummary.init)
        .sorted { $0.identifier < $1.identifier }
    }

    /// Restores both files, each modified by its closure.
    func restore(
      catalogue damageCatalogue: (inout [UInt8]) -> Void = { _ in },
      journal damageJournal: (inout [UInt8]) -> Void = { _ in }
    ) throws -> PhotoLibrary {
      let hidden = catalogue.deletingLastPathComponent().path
      for name in try FileManager.default.contentsOfDirectory(atPath: hidden)
      where name.hasPrefix("catalogue.") || name.hasPrefix("journal.") {
        unlink(hidden + "/" + name)
      }
      var (bytes, lines) = (catalogueBytes, journalBytes)
      damageCatalogue(&bytes)
      damageJournal(&lines)
      try Data(bytes).write(to: catalogue)
      try Data(lines).write(to: journal)
      return try test.another().library
    }
  }

  /// The round and the kind of damage, as shown when the test fails.
  private struct Round: CustomStringConvertible {
    let number: Int
    let damage: String
    var description: String { "\(number), \(damage)" }
  }

  /// Runs one verb, then checks what every verb promises: the right content.
  private func use(
    _ library: PhotoLibrary, _ specimen: Specimen, _ round: Int, _ damage: String = "damaged"
  ) async throws {
    let round = Round(number: round, damage: damage)
    switch round.number % 4 {
    case 0: break
    case 1: #expect(try await library.verify().isSound, "round \(round)")
    case 2: #expect(try library.rebuild().assetCount == specimen.assets.count, "round \(round)")
    default:
      let asset = try #require(specimen.assets.first { !$0.isFavorite })
      let objects = try library.fetchAssets(withLocalIdentifiers: [asset.identifier])
      try await library.performChanges { try AssetChangeRequest(for: objects[0]).isFavorite = true }
      try await library.performChanges {
        try AssetChangeRequest(for: objects[0]).isFavorite = false
      }
    }
    #expect(try Specimen.assets(of: library) == specimen.assets, "round \(round)")
    library.close()
    // Damage that no verb has read so far is found by `verify`, which reads everything.
    #expect(try await specimen.test.another().library.verify().isSound, "round \(round)")
    let again = try specimen.test.another().library
    #expect(try Specimen.assets(of: again) == specimen.assets, "round \(round), opened again")
    #expect(try await again.verify().isSound, "round \(round), opened again")
    let album = try again.fetchAssets(in: .favorites).allObjects().map(\.localIdentifier)
    #expect(album == specimen.assets.filter(\.isFavorite).map(\.identifier))
    #expect(try again.fetchAssets(with: FetchOptions(predicate: .text("take.mov"))).count == 1)
    #expect(again.repairs.isEmpty, "round \(round): \(again.repairs)")
  }

  @Test(.tags(.slow)) func any_catalogue_damage_is_repaired_and_reported() async throws {
    let specimen = try await Specimen()
    var generator = SeededGenerator(seed: 0x5EED)
    var mended = 0
    let rounds = TestRun.isThorough ? 100 : 16
    for round in 0..<rounds {
      let library = try specimen.restore(catalogue: { bytes in
        let page = 4096 * Int.random(in: 0..<(bytes.count / 4096), using: &generator)
        switch round % 5 {
        case 0: bytes[Int.random(in: bytes.indices, using: &generator)] ^= 1 << UInt8(round % 8)
        case 1: bytes[Int.random(in: 0..<100, using: &generator)] &+= UInt8(1 + round % 255)
        case 2: for place in page..<(page + 4096) { bytes[place] = 0 }
        case 3:
          for place in page..<(page + 4096) {
            bytes[place] = .random(in: 0...255, using: &generator)
          }
        // A page in place of another one.
        default:
          let other = 4096 * Int.random(in: 0..<(bytes.count / 4096), using: &generator)
          bytes.replaceSubrange(page..<(page + 4096), with: bytes[other..<(other + 4096)])
        }
      })
      try await use(library, specimen, round)
      for report in library.repairs {
        mended += 1
        #expect(report.catalogueSetAside != nil && report.wasRebuilt)
      }
    }
    #expect(mended > rounds / 5)
  }

  /// Each is found by one verb, or by each verb if all tests run.
  @Test(.tags(.slow)) func impossible_catalogue_values_are_repaired() async throws {
    let specimen = try await Specimen()
    for (index, statement) in [
      "UPDATE asset SET facts = '{\"x' WHERE id = 3",
      "UPDATE position SET sequence = 9223372036854775807",
      "UPDATE position SET sequence = 'many'", "UPDATE asset SET created = 'noon' WHERE id = 3",
      "DELETE FROM position", "UPDATE resource SET path = NULL WHERE id = 3", "DROP TABLE resource",
      "UPDATE asset SET identifier = x'00FF' WHERE id = 3", "UPDATE position SET offset = -1",
      "DELETE FROM grdb_migrations", "UPDATE resource SET size = 'many'",
    ].enumerated() {
      for round in TestRun.isThorough ? Array(0..<4) : [index] {
        let library = try specimen.restore()
        try loosely(specimen.catalogue.path) { try sqlite(specimen.catalogue.path, statement) }
        try await use(library, specimen, round, statement)
      }
    }
  }

  /// Runs `body` while the tables accept NULL in every column, then restores their schema.
  private func loosely(_ path: String, _ body: () throws -> Void) throws {
    let names = "('asset', 'resource', 'position')"
    let worded = try DatabaseQueue(path: path).read { db in
      try Row.fetchAll(db, sql: "SELECT name, sql FROM sqlite_schema WHERE name IN \(names)")
        .map { (name: $0["name"] as String, sql: $0["sql"] as String) }
    }
    func change(_ assignment: String, _ arguments: StatementArguments = []) throws {
      try DatabaseQueue(path: path).write { db in
        try db.execute(sql: "PRAGMA writable_schema = 1")
        try db.execute(sql: "UPDATE sqlite_schema SET \(assignment)", arguments: arguments)
      }
    }
    try change("sql = replace(sql, 'NOT NULL', '') WHERE name IN \(names)")
    try body()
    for table in worded { try change("sql = ? WHERE name = ?", [table.sql, table.name]) }
  }

  @Test func a_catalogue_without_checksums_is_rebuilt() async throws {
    let specimen = try await Specimen()
    let library = try specimen.restore(catalogue: { $0[20] = 0 })
    try await use(library, specimen, 0)
    #expect(library.repairs.first?.catalogueSetAside != nil)
  }

  @Test(.tags(.slow)) func a_truncated_catalogue_is_rebuilt() async throws {
    let specimen = try await Specimen()
    for size in [0, 1, 100, 511] {
      for round in 0..<(TestRun.isThorough ? 4 : 1) {
        let library = try specimen.restore(catalogue: { $0 = Array($0.prefix(size)) })
        try await use(library, specimen, round, "cut to \(size) bytes")
        if round != 2 { #expect(library.repairs.first?.wasRebuilt == true, "\(size) bytes") }
      }
    }
  }

  @Test(.tags(.slow)) func a_damaged_journal_is_recovered_from_the_catalogue() async throws {
    let specimen = try await Specimen()
    var generator = SeededGenerator(seed: 7)
    for round in 0..<(TestRun.isThorough ? 20 : 8) {
      let library = try specimen.restore(journal: { bytes in
        bytes[Int.random(in: bytes.indices, using: &generator)] ^= 0x20
      })
      #expect(try Specimen.assets(of: library) == specimen.assets)
      #expect(try await library.verify().journal?.contains("damaged") == true, "round \(round)")
      let report = try library.rebuild()
      #expect(report.damagedJournalLines > 0 && report.journalSetAside != nil)
      try await use(library, specimen, round)
    }
    // Truncated or empty: the catalogue is ahead of the journal.
    for size in [0, 1, 3000] {
      let library = try specimen.restore(journal: { $0 = Array($0.prefix(size)) })
      #expect(try Specimen.assets(of: library) == specimen.assets)
      #expect(library.repairs.contains { $0.journalSetAside != nil }, "\(size) bytes")
      try await use(library, specimen, 0)
    }
  }

  @Test(.tags(.slow)) func damage_to_catalogue_and_journal_keeps_every_file_listed() async throws {
    let specimen = try await Specimen()
    var generator = SeededGenerator(seed: 11)
    for round in 0..<(TestRun.isThorough ? 20 : 8) {
      let library = try specimen.restore(
        catalogue: { bytes in
          let page = 4096 * Int.random(in: 0..<(bytes.count / 4096), using: &generator)
          for place in page..<(page + 4096) { bytes[place] ^= 0x55 }
        },
        journal: { bytes in bytes[Int.random(in: bytes.indices, using: &generator)] ^= 0x20 })
      let report = round % 2 == 0 ? try library.rebuild() : nil
      let found = try Specimen.assets(of: library)
      // Every file has its entry, under any identifier.
      #expect(
        Set(found.flatMap(\.files).map(\.path))
          == Set(specimen.assets.flatMap(\.files).map(\.path)),
        "round \(round)")
      let known = Set(specimen.assets.map(\.identifier))
      #expect(found.count { known.contains($0.identifier) } >= specimen.assets.count - 2)
      let reported = library.repairs + [report].compactMap { $0 }
      #expect(reported.contains { $0.damagedJournalLines > 0 } || found == specimen.assets)
      try specimen.test.expectSound()
    }
  }
}
