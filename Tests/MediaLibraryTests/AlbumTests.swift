import Foundation
import GRDB
import MediaCore
import TestSupport
import Testing

@testable import MediaLibrary

/// Albums that users create.
@Suite struct AlbumTests {
  private let test: TestLibrary

  init() throws { test = try TestLibrary() }

  private func asset(_ seed: Int) async throws -> Asset {
    let file = try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png")
    let id = try await test.add(file).createdAssets
    return try #require(try test.library.fetchAssets(withLocalIdentifiers: id).first)
  }

  /// Creates an album with these assets.
  private func album(_ title: String, _ assets: [Asset] = []) async throws -> UserAlbum {
    let ids = assets.map(\.localIdentifier)
    try await test.library.performChanges {
      try AlbumChangeRequest(creating: title).addAssets(ids)
    }
    return try #require(try test.library.userAlbums().last)
  }

  private func names(_ album: UserAlbum, _ library: PhotoLibrary? = nil) throws -> [String] {
    try (library ?? test.library).fetchAssets(in: album).allObjects().map(\.originalFilename)
  }

  @Test func an_album_keeps_its_assets_in_insertion_order() async throws {
    let first = try await asset(1)
    let second = try await asset(2)
    let album = try await album("Dailies", [second, first])
    #expect(album.title == "Dailies" && album.creationDate == album.modificationDate)
    #expect(try names(album) == ["p2.png", "p1.png"])
    // An asset that is already in the album keeps its place.
    let third = try await asset(3)
    try await test.library.performChanges {
      let request = try AlbumChangeRequest(for: album)
      request.addAssets([third.localIdentifier, second.localIdentifier])
      request.removeAssets([first.localIdentifier])
      request.title = "Day 1"
    }
    let changed = try #require(try test.library.userAlbums(withLocalIdentifiers: [album.id]).first)
    #expect(changed.title == "Day 1" && changed != album)
    #expect(try names(changed) == ["p2.png", "p3.png"])
    #expect(try test.library.fetchAssets().count == 3, "an asset removed from an album stays")
    var options = FetchOptions()
    options.sortDescriptors = [AssetSortDescriptor(key: .additionDate, ascending: false)]
    options.fetchLimit = 1
    #expect(try test.library.fetchAssets(in: changed, options: options).count == 1)
    #expect(try test.library.userAlbums(containing: third) == [changed])
    #expect(try test.library.userAlbums(containing: first).isEmpty)
    try test.expectSound()
  }

  @Test func an_asset_and_its_album_are_created_in_one_block() async throws {
    let file = try test.folder.write(TestMedia.png(seed: 4), "p4.png")
    try await test.library.performChanges {
      let request = try AssetCreationRequest.forAsset()
      request.addResource(with: .photo, fileURL: file)
      let album = try AlbumChangeRequest(creating: "New")
      album.addAssets([try #require(request.placeholderForCreatedAsset).localIdentifier])
    }
    let album = try #require(try test.library.userAlbums().first)
    #expect(try names(album) == ["p4.png"])
    // Instead of a skipped duplicate, the album gets the asset that the library already has.
    try await test.library.performChanges {
      let request = try AssetCreationRequest.forAsset()
      request.duplicates = .skip
      request.addResource(with: .photo, fileURL: file)
      let album = try AlbumChangeRequest(creating: "Twins")
      album.addAssets([try #require(request.placeholderForCreatedAsset).localIdentifier])
    }
    let twins = try #require(try test.library.userAlbums().last)
    #expect(try twins.title == "Twins" && names(twins) == ["p4.png"])
    #expect(try test.library.fetchAssets().count == 1)
  }

  @Test func a_restored_asset_returns_to_its_album() async throws {
    let asset = try await asset(1)
    let album = try await album("A", [asset, try await self.asset(2)])
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    #expect(try names(album) == ["p2.png"])
    try await test.library.performChanges { try AssetChangeRequest.restoreAssets([asset]) }
    #expect(try names(album) == ["p1.png", "p2.png"])
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    #expect(try names(album) == ["p2.png"])
  }

  @Test func a_missing_album_or_asset_fails_the_whole_block() async throws {
    let asset = try await asset(1)
    let album = try await album("A", [asset])
    try await test.library.performChanges { try AlbumChangeRequest.deleteAlbums([album]) }
    #expect(try test.library.userAlbums().isEmpty && test.library.fetchAssets().count == 1)
    for attempt in 0..<3 {
      let error = await #expect(throws: MediaLibraryError.self) {
        try await test.library.performChanges {
          try AlbumChangeRequest(creating: "B")
          switch attempt {
          case 0: try AlbumChangeRequest.deleteAlbums([album])
          case 1: try AlbumChangeRequest(for: album).title = "C"
          default: try AlbumChangeRequest(creating: "D").addAssets(["nobody"])
          }
        }
      }
      #expect(error?.code == .assetNotFound)
    }
    #expect(try test.library.userAlbums().isEmpty)
    #expect(throws: MediaLibraryError.self) { try AlbumChangeRequest(creating: "outside") }
  }

  @Test func albums_survive_catalogue_loss_and_rebuild() async throws {
    let first = try await asset(1)
    let second = try await asset(2)
    let album = try await album("Kept", [second, first])
    try await test.library.performChanges { try AlbumChangeRequest(creating: "Gone") }
    let gone = try #require(try test.library.userAlbums().last)
    try await test.library.performChanges { try AlbumChangeRequest.deleteAlbums([gone]) }
    // Restored from the journal alone.
    for name in try FileManager.default.contentsOfDirectory(atPath: test.root + "/.medialibrary")
    where name.hasPrefix("catalogue") {
      try FileManager.default.removeItem(atPath: test.root + "/.medialibrary/" + name)
    }
    let another = try test.another()
    another.time.advance(days: 5)
    #expect(try another.library.userAlbums().map(\.title) == ["Kept"])
    #expect(try another.library.userAlbums().map(\.modificationDate) == [album.modificationDate])
    #expect(try names(album, another.library) == ["p2.png", "p1.png"])
    // A rebuild writes a new journal; an asset whose file is missing leaves its album.
    try FileManager.default.removeItem(at: try #require(first.fileURL))
    _ = try another.library.rebuild()
    let third = try test.another()
    #expect(try third.library.userAlbums().map(\.title) == ["Kept"])
    #expect(try third.library.userAlbums().map(\.modificationDate) == [album.modificationDate])
    #expect(try names(album, third.library) == ["p2.png"])
  }

  @Test func the_order_of_an_arranged_album_survives_catalogue_loss() async throws {
    let first = try await asset(1)
    let second = try await asset(2)
    let third = try await asset(3)
    let album = try await album("Arranged", [first, second])
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([first]) }
    // Positions count visible assets only; a restored asset comes back after them.
    try await test.library.performChanges {
      let request = try AlbumChangeRequest(for: album)
      request.insertAssets([third.localIdentifier], at: [0])
      request.moveAssets(at: [1], to: 0)
    }
    #expect(try names(album) == ["p2.png", "p3.png"])
    try await test.library.performChanges { try AssetChangeRequest.restoreAssets([first]) }
    #expect(try names(album) == ["p2.png", "p3.png", "p1.png"])
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges {
        try AlbumChangeRequest(for: album).removeAssets(at: [3])
      }
    }
    #expect(error?.code == .invalidArgument)
    for name in try FileManager.default.contentsOfDirectory(atPath: test.root + "/.medialibrary")
    where name.hasPrefix("catalogue") {
      try FileManager.default.removeItem(atPath: test.root + "/.medialibrary/" + name)
    }
    let another = try test.another()
    #expect(try names(album, another.library) == ["p2.png", "p3.png", "p1.png"])
  }

  @Test func a_catalogue_without_album_tables_is_migrated() async throws {
    let asset = try await asset(1)
    test.library.close()
    let catalogue = try DatabaseQueue(path: test.root + "/.medialibrary/catalogue.sqlite")
    try await catalogue.write { db in
      try db.execute(
        sql: """
          DROP TABLE albumAsset;
          DROP TABLE album;
          DELETE FROM grdb_migrations WHERE identifier LIKE '5:%';
          """)
    }
    try catalogue.close()
    let again = try test.another()
    let id = asset.localIdentifier
    try await again.library.performChanges {
      try AlbumChangeRequest(creating: "Late").addAssets([id])
    }
    let album = try #require(try again.library.userAlbums().first)
    #expect(try again.library.fetchAssets(in: album).count == 1)
  }

  @Test func album_changes_are_reported_to_observers() async throws {
    var changes = test.library.changes().makeAsyncIterator()
    let album = try await album("Watched")
    let change = try #require(try await changes.next())
    #expect(change.albums == [album.localIdentifier] && change.inserted.isEmpty)
  }

  @Test func an_add_only_library_refuses_albums() async throws {
    var settings = LibrarySettings()
    settings.access = .addOnly
    try test.library.setSettings(settings)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges { try AlbumChangeRequest(creating: "B") }
    }
    #expect(error?.code == .accessDenied)
  }
}
