import Foundation
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct ChangeTests {
  private func one(_ test: TestLibrary, seed: Int = 0) async throws -> Asset {
    let file = try test.folder.write(TestMedia.png(seed: seed), "p\(seed).png")
    let id = try await test.add(file).createdAssets
    return try #require(try test.library.fetchAssets(withLocalIdentifiers: id).first)
  }

  private func again(_ asset: Asset) throws -> Asset? {
    try asset.library.fetchAssets(withLocalIdentifiers: [asset.localIdentifier]).first
  }

  @Test func favorite_date_and_location_can_be_changed() async throws {
    let test = try TestLibrary()
    let asset = try await one(test)
    let place = GeographicLocation(latitude: 48.1, longitude: 11.5)
    try await test.library.performChanges {
      let request = try AssetChangeRequest(for: asset)
      request.isFavorite = true
      request.location = place
      request.creationDate = Date(timeIntervalSince1970: 1000)
      #expect(request.isFavorite)
    }
    let changed = try #require(try again(asset))
    #expect(changed.isFavorite)
    #expect(changed.location == place)
    #expect(changed.creationDate == Date(timeIntervalSince1970: 1000))
    #expect(changed.resources == asset.resources, "the file stays where it is")
    #expect(try test.library.assetCount(in: .favorites) == 1)
    try await test.library.performChanges { try AssetChangeRequest(for: changed).location = nil }
    #expect(try again(asset)?.location == nil)
  }

  @Test func a_deleted_asset_can_be_restored_until_it_expires() async throws {
    let test = try TestLibrary()
    let asset = try await one(test)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    #expect(try test.library.fetchAssets().isEmpty)
    #expect(try test.library.assetCount(in: .recentlyDeleted) == 1)
    #expect(test.originals.count == 1)
    try await test.library.performChanges { try AssetChangeRequest.restoreAssets([asset]) }
    #expect(try test.library.fetchAssets().count == 1)

    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    test.time.advance(days: 29)
    let early = try await test.library.expungeExpired()
    #expect(early.removedAssets.isEmpty && early.warnings.isEmpty)
    let other = try await one(test, seed: 1)
    test.time.advance(days: 2)
    #expect(try await test.library.expungeExpired().removedAssets == [asset.localIdentifier])
    #expect(test.originals == other.resources.map(\.relativePath))
    #expect(try again(asset) == nil)
    try test.expectSound()
  }

  @Test func a_clock_jump_expunges_nothing_until_a_later_change_confirms_it() async throws {
    let test = try TestLibrary()
    let (first, second) = (try await one(test), try await one(test, seed: 1))
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([first]) }
    test.time.advance(days: 14 * 365)
    // Neither the change that first sees the advanced clock nor those shortly after it confirm the date.
    for isDeleted in [true, false] {
      try await test.library.performChanges {
        if isDeleted {
          try AssetChangeRequest.deleteAssets([second])
        } else {
          try AssetChangeRequest.restoreAssets([second])
        }
      }
      let report = try await test.library.expungeExpired()
      #expect(report.removedAssets.isEmpty)
      let reported = try #require(report.warnings.first)
      #expect(
        reported.hasPrefix("1 deleted asset has expired but is kept: the clock says 2037-"),
        "\(reported)")
      test.time.advance(days: 0.4)
    }
    #expect(test.originals.count == 2)
    // A day later the clock still shows that date, so the change of the first day confirms it.
    test.time.advance(days: 0.7)
    let report = try await test.library.expungeExpired()
    #expect(report.removedAssets == [first.localIdentifier] && report.warnings.isEmpty)
    try test.expectSound()
  }

  @Test func items_with_no_retention_are_deleted_immediately() async throws {
    let test = try TestLibrary()
    let asset = try await one(test)
    var settings = try test.library.settings
    settings.retentionDays = 0
    try test.library.setSettings(settings)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    test.time.advance(days: 0.001)
    #expect(try await test.library.expungeExpired().removedAssets == [asset.localIdentifier])
  }

  @Test func only_deleted_assets_can_be_expunged() async throws {
    let test = try TestLibrary()
    let asset = try await one(test)
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    }
    #expect(error?.code == .invalidArgument)
    try test.expectSound()
  }

  @Test func a_block_with_one_bad_request_changes_nothing() async throws {
    let test = try TestLibrary()
    let asset = try await one(test)
    let file = try test.folder.write([UInt8]("no picture".utf8), "text.png")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges {
        try AssetChangeRequest(for: asset).isFavorite = true
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: file)
      }
    }
    #expect(error?.code == .invalidResource)
    #expect(try again(asset)?.isFavorite == false)
    try test.expectSound()
  }

  @Test(.timeLimit(.minutes(20)))
  func changes_by_this_and_other_processes_are_observed() async throws {
    let test = try TestLibrary()
    let first = try await one(test)
    var changes = test.library.changes().makeAsyncIterator()
    let second = try await one(test, seed: 2)
    var seen = try #require(try await changes.next())
    #expect(seen.inserted == [second.localIdentifier])
    try await test.library.performChanges {
      try AssetChangeRequest(for: first).isFavorite = true
    }
    seen = try #require(try await changes.next())
    #expect(seen.changed == [first.localIdentifier])
    // Another object has its own connection and its own lock, like another process.
    let other = try test.another()
    let third = try await one(other, seed: 3)
    seen = try #require(try await changes.next())
    #expect(seen.inserted == [third.localIdentifier])
  }

  @Test func access_settings_forbid_reading_or_writing() async throws {
    let test = try TestLibrary()
    let asset = try await one(test)
    var settings = try test.library.settings
    settings.access = .addOnly
    try test.library.setSettings(settings)
    #expect(test.library.authorizationStatus(for: .addOnly) == .authorized)
    #expect(test.library.authorizationStatus(for: .readWrite) == .restricted)
    #expect(throws: MediaLibraryError.self) { try test.library.fetchAssets() }
    await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    }
    try await test.add(try test.folder.write(TestMedia.png(seed: 5), "x.png"))
    settings.access = .readOnly
    try test.library.setSettings(settings)
    #expect(test.library.authorizationStatus(for: .addOnly) == .restricted)
    #expect(try test.library.fetchAssets().count == 2)
    let more = try test.folder.write(TestMedia.png(seed: 6), "y.png")
    let error = await #expect(throws: MediaLibraryError.self) { try await test.add(more) }
    #expect(error?.code == .accessDenied)
  }

  @Test func a_request_outside_a_change_block_is_refused() {
    let empty = #expect(throws: MediaLibraryError.self) { _ = try AssetCreationRequest.forAsset() }
    #expect(empty?.code == .invalidState)
    let video = #expect(throws: MediaLibraryError.self) {
      try AssetCreationRequest.creationRequestForAssetFromVideo(atFileURL: URL(filePath: "/a"))
    }
    #expect(video?.code == .invalidState)
  }

  @Test func a_change_block_that_throws_changes_nothing() async throws {
    struct Regret: Error {}
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(seed: 1), "p.png")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges {
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: file)
        throw Regret()
      }
    }
    #expect(error?.code == .interrupted && error?.message.contains("Regret") == true)
    #expect(try test.library.fetchAssets().count == 0)
  }
}
