import Foundation
import GRDB
import Glibc
import MediaCore
import MediaLibrary
import TestSupport
import Testing

@Suite struct BadInputTests {
  private func refusal(
    _ test: TestLibrary, _ file: URL, as type: AssetResourceType = .photo, moves: Bool = false
  ) async throws -> MediaLibraryError? {
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.add(file, as: type, moves: moves)
    }
    try test.expectSound()
    #expect(test.originals.isEmpty)
    return error
  }

  @Test func a_missing_file_is_reported_by_name() async throws {
    let test = try TestLibrary()
    let file = test.folder.url.appending(path: "nothing.mov")
    let error = try await refusal(test, file, as: .video)
    #expect(error?.code == .fileNotFound)
    #expect(error?.message.contains("nothing.mov") == true)
  }

  @Test func text_is_refused_as_movie_photo_and_audio() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write([UInt8]("Hello, world. This is text.".utf8), "a.mov")
    for type in [AssetResourceType.video, .photo, .audio] {
      let error = try await refusal(test, file, as: type)
      #expect(error?.code == .invalidResource)
      #expect(error?.message.contains("a.mov") == true)
    }
  }

  @Test func an_image_with_absurd_dimensions_has_no_size() async throws {
    let test = try TestLibrary()
    let side = 0xFFFF_FFFF
    try await test.add(try test.folder.write(TestMedia.dng(width: side, height: side), "a.dng"))
    try await test.add(
      try test.folder.write(TestMedia.heif(sizes: [(side, side), (side, 2)]), "a.heic"))
    let assets = try test.library.fetchAssets().allObjects()
    #expect(assets.map(\.pixelWidth) == [0, 0])
  }

  @Test(arguments: ["999999999:1:1 1:1:1", "2022:99:24 10:11:12", "2022:05:24 99:99:99"])
  func invalid_exif_dates_are_ignored(date: String) async throws {
    let test = try TestLibrary()
    var bytes = TestMedia.dng()
    let place = try #require(bytes.firstRange(of: [UInt8]("2022:05:24 10:11:12".utf8)))
    bytes.replaceSubrange(place, with: [UInt8](date.utf8))
    try await test.add(try test.folder.write(bytes, "a.dng"))
    let asset = try #require(try test.library.fetchAssets().firstObject)
    #expect(asset.facts.creationDate == nil)
  }

  @Test(arguments: [
    #"{"retentionDays": -5}"#, #"{"hookTimeLimit": 0}"#,
    #"{"retentiondays": 0, "access": "add-only"}"#,
  ])
  func invalid_settings_delete_nothing(json: String) async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    let assets = try test.library.fetchAssets().allObjects()
    let settings = try test.folder.write([UInt8](json.utf8), "Library/.medialibrary/settings.json")
    test.library.close()
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges { try AssetChangeRequest.deleteAssets(assets) }
      try await test.library.expungeExpired()
    }
    #expect(error?.code == .invalidArgument)
    let key = try #require(json.split(separator: "\"").dropFirst().first)
    #expect(error?.message.contains(key) == true, "\(error?.message ?? "")")
    try FileManager.default.removeItem(at: settings)
    try test.expectSound()
    #expect(try test.library.fetchAssets().count == 1)
  }

  @Test func import_reports_names_that_are_not_utf8() async throws {
    let test = try TestLibrary()
    let folder = try test.folder.write(TestMedia.png(), "card/a.png").deletingLastPathComponent()
    // Two names that look the same in messages.
    try Self.makeFile(named: [0xFE, 0x2E, 0x6D, 0x6F, 0x76], in: folder)
    try Self.makeFile(named: [0xFF, 0x2E, 0x6D, 0x6F, 0x76], in: folder)
    let found = try await test.library.importFiles([folder])
    #expect(found.imported.count == 1 && found.failures.count == 2)
    #expect(found.failures.allSatisfy { $0.message.contains("UTF-8") })
  }

  private static func makeFile(named name: [UInt8], in folder: URL) throws {
    let path = [UInt8](folder.path.utf8) + [0x2F] + name + [0]
    let descriptor = path.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer {
      $0.baseAddress.map { creat($0, 0o600) } ?? -1
    }
    try #require(descriptor >= 0)
    close(descriptor)
  }

  @Test func verification_and_rebuild_report_originals_with_non_utf8_names() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    let folder = try test.folder.makeFolder("Library/2021/03")
    try Self.makeFile(named: [0xFF, 0x2E, 0x70, 0x6E, 0x67], in: folder)
    let found = try await test.library.verify()
    #expect(found.unlisted == ["2021/03/\u{FFFD}.png"] && !found.isSound)
    let rebuilt = try test.library.rebuild()
    #expect(rebuilt.problems.count == 1 && rebuilt.adoptedFiles.isEmpty)
    #expect(rebuilt.problems.first?.contains("UTF-8") == true)
  }

  @Test(.timeLimit(.minutes(1)))
  func import_does_not_block_on_a_pipe() async throws {
    let test = try TestLibrary()
    let folder = try test.folder.write(TestMedia.png(), "card/a.png").deletingLastPathComponent()
    let pipe = folder.appending(path: "pipe.mov")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    let found = try await test.library.importFiles([folder])
    #expect(found.imported.count == 1 && found.failures.isEmpty)
    let named = try await test.library.importFiles([pipe])
    #expect(named.failures.map(\.code) == ["invalidResource"])
  }

  @Test func a_folder_and_a_fifo_are_refused() async throws {
    let test = try TestLibrary()
    #expect(try await refusal(test, test.folder.url)?.code == .invalidResource)
    let pipe = test.folder.url.appending(path: "pipe.png")
    mkfifo(pipe.path, 0o600)
    #expect(try await refusal(test, pipe)?.code == .invalidResource)
  }

  @Test func a_file_open_for_writing_is_not_moved() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    let writer = open(file.path, O_WRONLY)
    let error = try await refusal(test, file, moves: true)
    #expect(error?.code == .fileInUse)
    close(writer)
    #expect(FileManager.default.fileExists(atPath: file.path))
    try await test.add(file, moves: true)
  }

  @Test func a_file_held_briefly_by_a_starting_process_is_moved() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    let file = try test.folder.write(TestMedia.png(), "a.png")
    calls.findWriter(looks: 3)
    try await test.add(file, moves: true)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func a_file_with_other_links_is_not_moved() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    link(file.path, test.folder.url.path + "/b.png")
    #expect(try await refusal(test, file, moves: true)?.code == .fileInUse)
    symlink(file.path, test.folder.url.path + "/c.png")
    let named = test.folder.url.appending(path: "c.png")
    #expect(try await refusal(test, named, moves: true)?.code == .fileInUse)
  }

  @Test func a_file_that_changes_during_import_is_refused() async throws {
    let calls = FaultyFileCalls()
    let test = try TestLibrary(calls: calls)
    try test.library.open()
    let file = try test.folder.write(
      TestMedia.png() + [UInt8](repeating: 1, count: 2_000_000), "a.png")
    calls.afterRead(ofAtLeast: 1_000_000) {
      let handle = open(file.path, O_WRONLY | O_APPEND)
      _ = write(handle, "more", 4)
      close(handle)
    }
    let error = try await refusal(test, file)
    #expect(error?.code == .fileChanged)
  }

  @Test(arguments: ["../../escape.png", "/etc/passwd", "..", ".hidden.png", "", "a/b.png", "a\nb"])
  func names_that_lead_out_of_the_library_are_refused(name: String) async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    let error = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges {
        let request = try AssetCreationRequest.forAsset()
        request.addResource(
          with: .photo, fileURL: file,
          options: AssetResourceCreationOptions(originalFilename: name))
      }
    }
    #expect(error?.code == .invalidPath)
    try test.expectSound()
  }

  @Test func a_link_in_place_of_a_year_folder_is_refused() async throws {
    let test = try TestLibrary()
    try test.library.open()
    let outside = test.folder.url.appending(path: "outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    symlink(outside.path, test.root + "/2022")
    let file = try test.folder.write(TestMedia.dng(), "a.dng")
    let error = await #expect(throws: MediaLibraryError.self) { try await test.add(file) }
    #expect(error?.code == .invalidPath)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
  }

  @Test(arguments: ["../victim.png", "2022/../../victim.png", "/VICTIM", "./../victim.png"])
  func forged_catalogue_paths_outside_the_library_are_refused(path: String) async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    let victim = try test.folder.write(TestMedia.png(), "victim.png")
    let forged = path.replacing("/VICTIM", with: victim.path)
    test.library.close()
    try sqlite(
      test.root + "/.medialibrary/catalogue.sqlite", "UPDATE resource SET path = '\(forged)'")
    let asset = try #require(try test.library.fetchAssets().firstObject)
    let resource = try #require(asset.resources.first)
    let reading = await #expect(throws: MediaLibraryError.self) {
      for try await _ in AssetResourceManager.default().data(for: resource) {}
    }
    #expect(reading?.code == .invalidPath)
    let out = try test.folder.makeFolder("Out")
    let export = try await test.library.export([asset], to: out)
    #expect(export.files.isEmpty && export.failures.count == 1)
    try await test.library.performChanges { try AssetChangeRequest.deleteAssets([asset]) }
    let removal = await #expect(throws: MediaLibraryError.self) {
      try await test.library.performChanges { try AssetChangeRequest.expungeAssets([asset]) }
    }
    #expect(removal?.code == .invalidPath)
    #expect(FileManager.default.fileExists(atPath: victim.path))
    // The journal still has the right path.
    test.library.close()
    for suffix in ["", "-wal", "-shm"] {
      unlink(test.root + "/.medialibrary/catalogue.sqlite" + suffix)
    }
    try test.expectSound()
  }

  @Test(arguments: ["../out.dng", "2022/../../out.dng", "/OUT"])
  func forged_journal_moves_out_of_the_library_are_not_made(path: String) async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.dng(), "a.dng")
    try await test.add(file, moves: true)
    test.library.close()
    let out = test.folder.url.appending(path: "out.dng")
    let journal = URL(filePath: test.root + "/.medialibrary/journal")
    let text = String(decoding: try Data(contentsOf: journal), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").last).dropFirst(17)
      .replacing("\"from\":\"\(file.path)\"", with: "\"from\":\"2022/05/a.dng\"")
      .replacing(
        "\"to\":\"2022/05/a.dng\"",
        with: "\"to\":\"\(path.replacing("/OUT", with: out.path))\""
      )
      .replacing("\"sequence\":1", with: "\"sequence\":2")
    let hash = ContentHash(of: [UInt8](line.utf8))
    try Data("\(text)\(hash) \(line)\n".utf8).write(to: journal)
    let report = try test.another().library.open()
    #expect(report.problems.contains { $0.contains("leads out of the library") }, "\(report)")
    #expect(!FileManager.default.fileExists(atPath: out.path))
    try test.expectSound()
  }

  @Test func a_catalogue_of_a_newer_version_is_refused() async throws {
    let test = try TestLibrary()
    try await test.add(try test.folder.write(TestMedia.png(), "a.png"))
    test.library.close()
    let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
    try sqlite(catalogue, "INSERT INTO grdb_migrations VALUES ('99: from the future')")
    let error = #expect(throws: MediaLibraryError.self) { try test.another().library.open() }
    #expect(error?.code == .catalogueTooNew)
  }

  @Test(arguments: ["garbage", "truncated", "empty", "gone"])
  func a_corrupt_catalogue_is_set_aside_and_nothing_is_lost(kind: String) async throws {
    let test = try TestLibrary()
    for seed in 0..<5 {
      try await test.add(try test.folder.write(TestMedia.png(seed: seed), "\(seed).png"))
    }
    let before = try test.library.fetchAssets().allObjects()
    let favorite = before[2]
    try await test.library.performChanges {
      try AssetChangeRequest(for: favorite).isFavorite = true
    }
    test.library.close()
    let catalogue = test.root + "/.medialibrary/catalogue.sqlite"
    for suffix in ["-wal", "-shm"] { unlink(catalogue + suffix) }
    switch kind {
    case "garbage":
      try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) })
        .write(to: URL(filePath: catalogue))
    case "truncated": truncate(catalogue, 5000)
    case "empty": truncate(catalogue, 0)
    default: unlink(catalogue)
    }
    let again = try test.another()
    let report = try again.library.open()
    let after = try again.library.fetchAssets().allObjects()
    #expect(Set(after.map(\.localIdentifier)) == Set(before.map(\.localIdentifier)))
    #expect(
      after.filter(\.isFavorite).map(\.localIdentifier) == [favorite.localIdentifier], "\(report)")
    if let aside = report.catalogueSetAside {
      #expect(FileManager.default.fileExists(atPath: aside))
    }
    try test.expectSound()
  }

  @Test func two_library_objects_save_concurrently_in_one_folder() async throws {
    let first = try TestLibrary()
    let second = try first.another()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<20 {
        let test = index % 2 == 0 ? first : second
        let file = try first.folder.write(TestMedia.png(seed: index), "\(index)/same.png")
        group.addTask { try await test.add(file) }
      }
      try await group.waitForAll()
    }
    #expect(try first.library.fetchAssets().count == 20)
    #expect(try second.library.fetchAssets().count == 20)
    try first.expectSound()
  }

  @Test func missing_folder_permission_is_reported() async throws {
    let test = try TestLibrary()
    let calls = FaultyFileCalls()
    let other = try TestLibrary(calls: calls, in: test.folder)
    calls.arm(.kind("mkdir", errno: EACCES))
    let error = #expect(throws: MediaLibraryError.self) { try other.library.open() }
    #expect(error?.code == .accessDenied)
  }
}

/// Runs a statement on a catalogue.
func sqlite(_ path: String, _ statement: String) throws {
  try DatabaseQueue(path: path).write { try $0.execute(sql: statement) }
}
