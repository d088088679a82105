import Foundation
import Glibc
import MediaLibrary
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

  @Test func a_missing_file_is_named() async throws {
    let test = try TestLibrary()
    let file = test.folder.url.appending(path: "nothing.mov")
    let error = try await refusal(test, file, as: .video)
    #expect(error?.code == .fileNotFound)
    #expect(error?.message.contains("nothing.mov") == true)
  }

  @Test func text_is_no_movie_no_picture_and_no_sound() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write([UInt8]("Hello, world. This is text.".utf8), "a.mov")
    for type in [AssetResourceType.video, .photo, .audio] {
      let error = try await refusal(test, file, as: type)
      #expect(error?.code == .invalidResource)
      #expect(error?.message.contains("a.mov") == true)
    }
  }

  @Test func a_folder_and_a_fifo_are_refused() async throws {
    let test = try TestLibrary()
    #expect(try await refusal(test, test.folder.url)?.code == .invalidResource)
    let pipe = test.folder.url.appending(path: "pipe.png")
    mkfifo(pipe.path, 0o600)
    #expect(try await refusal(test, pipe)?.code == .invalidResource)
  }

  @Test func a_file_that_is_open_for_writing_is_not_moved() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    let writer = open(file.path, O_WRONLY)
    let error = try await refusal(test, file, moves: true)
    #expect(error?.code == .fileInUse)
    close(writer)
    #expect(FileManager.default.fileExists(atPath: file.path))
    try await test.add(file, moves: true)
  }

  @Test func a_file_with_other_names_is_not_moved() async throws {
    let test = try TestLibrary()
    let file = try test.folder.write(TestMedia.png(), "a.png")
    link(file.path, test.folder.url.path + "/b.png")
    #expect(try await refusal(test, file, moves: true)?.code == .fileInUse)
    symlink(file.path, test.folder.url.path + "/c.png")
    let named = test.folder.url.appending(path: "c.png")
    #expect(try await refusal(test, named, moves: true)?.code == .fileInUse)
  }

  @Test func a_file_that_changes_while_it_is_read_is_refused() async throws {
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
        let request = AssetCreationRequest.forAsset()
        request.addResource(
          with: .photo, fileURL: file,
          options: AssetResourceCreationOptions(originalFilename: name))
      }
    }
    #expect(error?.code == .invalidPath)
    try test.expectSound()
  }

  @Test func a_link_in_the_place_of_a_year_is_refused() async throws {
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

  @Test func a_catalogue_of_a_newer_version_is_left_alone() async throws {
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
    let favourite = before[2]
    try await test.library.performChanges { AssetChangeRequest(for: favourite).isFavorite = true }
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
      after.filter(\.isFavorite).map(\.localIdentifier) == [favourite.localIdentifier], "\(report)")
    if let aside = report.catalogueSetAside {
      #expect(FileManager.default.fileExists(atPath: aside))
    }
    try test.expectSound()
  }

  @Test func two_libraries_of_one_folder_save_at_the_same_time() async throws {
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

  @Test func a_folder_without_permission_is_told() async throws {
    let test = try TestLibrary()
    let calls = FaultyFileCalls()
    let other = try TestLibrary(calls: calls, in: test.folder)
    calls.arm(.kind("mkdir", errno: EACCES))
    let error = #expect(throws: MediaLibraryError.self) { try other.library.open() }
    #expect(error?.code == .accessDenied)
  }
}

/// Runs a statement with SQLite's own tool.
func sqlite(_ path: String, _ statement: String) throws {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = ["sqlite3", path, statement]
  try process.run()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
}
