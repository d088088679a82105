import Foundation
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

/// Libraries that someone else owns or can write, and the content of their catalogues.
@Suite struct StrangersLibraryTests {
  private func libraryWithAnAsset() async throws -> TestLibrary {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    test.library.close()
    return test
  }

  /// Everything in the library, with modification times.
  private func state(_ test: TestLibrary) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: test.root).sorted().map { name in
      var facts = stat()
      lstat(test.root + "/" + name, &facts)
      return "\(name) \(facts.st_size) \(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
    }
  }

  private func expectOnlyReading(
    _ test: TestLibrary, _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try state(test)
    let photos = try test.another().library
    let report = try photos.open(for: .reading)
    #expect(report.restriction?.kind == .untrusted, sourceLocation: location)
    let assets = try photos.fetchAssets().allObjects()
    #expect(assets.count == 1, sourceLocation: location)
    #expect(try await photos.verify().isSound, sourceLocation: location)
    #expect(photos.authorizationStatus(for: .readWrite) == .denied, sourceLocation: location)
    let file = try test.folder.write(TestMedia.png(seed: 5), "b.png")
    let error = await #expect(throws: MediaLibraryError.self, sourceLocation: location) {
      try await photos.performChanges {
        try AssetCreationRequest.creationRequestForAssetFromImage(atFileURL: file)
      }
    }
    #expect(error?.code == .untrusted, sourceLocation: location)
    #expect(throws: MediaLibraryError.self, sourceLocation: location) { try photos.checkAdding() }
    #expect(throws: MediaLibraryError.self, sourceLocation: location) { try photos.rebuild() }
    #expect(try state(test) == before, "nothing was written", sourceLocation: location)
  }

  @Test(arguments: [
    "", "/.medialibrary", "/.medialibrary/journal", "/.medialibrary/settings.json",
    "/.medialibrary/catalogue.sqlite", "/.medialibrary/staging",
  ])
  func world_writable_libraries_are_read_only_until_trusted(part: String) async throws {
    let test = try await libraryWithAnAsset()
    var facts = stat()
    try #require(lstat(test.root + part, &facts) == 0)
    try #require(chmod(test.root + part, facts.st_mode & 0o777 | 0o002) == 0)
    try await expectOnlyReading(test)
    let trust = LibraryTrust(user: test.folder.user)
    try trust.add(test.library.url)
    #expect(try test.another().library.open().restriction == nil)
    #expect(try trust.remove(test.library.url))
    try await expectOnlyReading(test)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files to other users"))
  func libraries_owned_by_another_user_are_read_only() async throws {
    let test = try await libraryWithAnAsset()
    try #require(chown(test.root + "/.medialibrary/journal", 65_534, 65_534) == 0)
    try await expectOnlyReading(test)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files to other groups"))
  func group_writable_libraries_are_read_only() async throws {
    let test = try await libraryWithAnAsset()
    try #require(chown(test.root, 0, 65_534) == 0 && chmod(test.root, 0o775) == 0)
    try await expectOnlyReading(test)
  }

  @Test func a_world_writable_trust_list_is_refused() async throws {
    let test = try await libraryWithAnAsset()
    let trust = LibraryTrust(user: test.folder.user)
    try trust.add(test.library.url)
    try #require(chmod(test.folder.user.configuration + "/trusted-libraries", 0o666) == 0)
    let error = #expect(throws: MediaLibraryError.self) { try trust.libraries() }
    #expect(error?.code == .untrusted)
  }

  @Test func the_trust_list_is_locked_while_it_is_replaced() async throws {
    let test = try await libraryWithAnAsset()
    let calls = FaultyFileCalls()
    let witness = LockWitness()
    let lock = test.folder.user.configuration + "/trusted-libraries.lock"
    calls.beforeReplacement { witness.look(at: lock) }
    let trust = LibraryTrust(user: test.folder.user, calls: calls)
    #expect(try !trust.remove(test.library.url))
    try trust.add(test.library.url)
    #expect(try trust.remove(test.library.url))
    #expect(witness.looks == [true, true])
    #expect(try trust.libraries().isEmpty)
  }

  // MARK: Catalogues

  @Test(arguments: [
    "CREATE TRIGGER more AFTER UPDATE ON position BEGIN DELETE FROM asset; END",
    "CREATE VIEW more AS SELECT * FROM asset",
    "DROP TABLE pendingUnlink; CREATE VIEW pendingUnlink AS SELECT 1 AS id, '/a' AS path, '' AS status",
    "CREATE TABLE more (a)",
  ])
  func a_catalogue_with_a_foreign_schema_is_rebuilt(statement: String) async throws {
    let test = try await libraryWithAnAsset()
    try sqlite(test.root + "/.medialibrary/catalogue.sqlite", statement)
    let reading = try test.another().library
    #expect(try reading.open(for: .reading).catalogueSetAside != nil)
    #expect(try reading.fetchAssets().count == 1, "it is rebuilt from the journal")
    #expect(try test.another().library.open().isClean)
    try test.expectSound()
  }

  @Test func nothing_is_salvaged_from_a_catalogue_with_a_foreign_schema() async throws {
    let test = try await libraryWithAnAsset()
    try sqlite(
      test.root + "/.medialibrary/catalogue.sqlite",
      "CREATE TABLE other AS SELECT * FROM asset; DROP TABLE asset; "
        + "CREATE VIEW asset AS SELECT * FROM other")
    // The journal has no valid entry either.
    try Data("0123456789abcdef {}\n".utf8).write(
      to: URL(filePath: test.root + "/.medialibrary/journal"))
    let reading = try test.another().library
    let report = try reading.open(for: .reading)
    #expect(report.catalogueSetAside != nil && report.adoptedFiles.count == 1)
    try test.expectSound()
  }

  @Test(arguments: [true, false])
  func a_reader_keeps_a_damaged_catalogue_while_a_change_is_pending(isNoted: Bool) async throws {
    let test = try await libraryWithAnAsset()
    let hidden = test.root + "/.medialibrary"
    try sqlite(hidden + "/catalogue.sqlite", "CREATE VIEW more AS SELECT * FROM asset")
    let file =
      isNoted
      ? try note(of: test) : URL(filePath: hidden + "/staging/kept/a.png")
    if !isNoted { try Data("on its way".utf8).write(to: file) }
    let reading = try test.another().library
    let report = try reading.open(for: .reading)
    #expect(report.catalogueSetAside == nil && report.problems.count == 1)
    #expect(try reading.fetchAssets().count == 1, "the journal is read instead")
    #expect(FileManager.default.fileExists(atPath: file.path))
    #expect(try test.another().library.open().catalogueSetAside != nil)
    try test.expectSound()
  }

  /// Writes the user's own note of a change that moves a file from outside.
  private func note(of test: TestLibrary) throws -> URL {
    let moves = test.folder.user.state + "/moves"
    try FileManager.default.createDirectory(
      atPath: moves, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = URL(filePath: moves + "/\(UUID().uuidString).json")
    let root = try #require(realpath(test.root, nil))
    defer { free(root) }
    try Data(#"{"library":"\#(String(cString: root))","moves":[],"unlinks":[]}"#.utf8).write(
      to: file)
    try #require(chmod(file.path, 0o600) == 0)
    return file
  }

  @Test(arguments: ["9223372036854775807", "-5", "'x'"])
  func an_invalid_position_sets_the_catalogue_aside(number: String) async throws {
    let test = try await libraryWithAnAsset()
    try sqlite(
      test.root + "/.medialibrary/catalogue.sqlite", "UPDATE position SET sequence = \(number)")
    let reading = try test.another().library
    #expect(try reading.open(for: .reading).catalogueSetAside != nil)
    #expect(try reading.fetchAssets().count == 1)
    try test.expectSound()
  }
}
