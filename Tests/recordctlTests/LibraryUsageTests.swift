import Foundation
import Glibc
import MediaLibrary
import TestSupport
import Testing

@testable import recordctl

/// Messages and exit statuses of the library verbs.
@Suite struct LibraryUsageTests {
  private func arguments(_ verb: String, _ folder: TemporaryFolder, _ more: String...) -> [String] {
    ["library", verb, "--library", folder.path("Library")] + more
  }

  private func frame(_ seed: Int) -> Data { Data(EmptyPNG.bytes(seed: seed)) }

  private func file(_ name: String, _ seed: Int, in folder: TemporaryFolder) throws -> String {
    let path = folder.path(name)
    try frame(seed).write(to: URL(filePath: path))
    return path
  }

  @Test func a_limited_list_shows_the_newest_assets() throws {
    let folder = try TemporaryFolder()
    for seed in 1...3 {
      let file = try file("p\(seed).png", seed, in: folder)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_600_000_000 + Double(seed))],
        ofItemAtPath: file)
      #expect(try Recordctl(arguments("import", folder, file)).status == 0)
    }
    let run = try Recordctl(arguments("list", folder, "--limit", "2", "--json"))
    let names = try AssetDocument(run).assets.map(\.originalFilename)
    #expect(names == ["p2.png", "p3.png"])
  }

  @Test func counts_agree_with_nouns_and_both_spellings_of_favorite_work() throws {
    let folder = try TemporaryFolder()
    let file = try file("a.png", 1, in: folder)
    #expect(try Recordctl(arguments("import", folder, "--favourite", file)).status == 0)
    #expect(try Recordctl(arguments("list", folder)).output.contains("favorite"))
    let old = try Recordctl(arguments("list", folder, "--album", "favourites", "--json"))
    let assets = try AssetDocument(old).assets
    let id = try #require(assets.first?.identifier)
    for (verb, words) in [
      ("delete", "1 asset deleted\n"), ("restore", "1 asset restored\n"),
      ("favourite", "1 asset changed\n"),
    ] {
      #expect(try Recordctl(arguments(verb, folder, id)).output == words)
    }
    #expect(try Recordctl(arguments("verify", folder)).output.hasPrefix("1 file, "))
    #expect(try Recordctl(arguments("rebuild", folder)).output == "1 asset\n")
  }

  @Test func a_damaged_catalog_is_repaired_and_reported_by_every_verb() throws {
    let folder = try TemporaryFolder()
    #expect(try Recordctl(arguments("import", folder, file("a.png", 1, in: folder))).status == 0)
    let whole = try Recordctl(arguments("list", folder)).output
    let catalogue = URL(filePath: folder.path("Library/.medialibrary/catalogue.sqlite"))
    for verb in ["list", "verify", "rebuild"] {
      for suffix in ["-wal", "-shm"] { unlink(catalogue.path + suffix) }
      var bytes = try Data(contentsOf: catalogue)
      bytes[bytes.count - 100] ^= 1
      try bytes.write(to: catalogue)
      let run = try Recordctl(arguments(verb, folder))
      #expect(run.status == 0, "\(verb): \(run.errors)")
      #expect((run.errors + run.output).contains("the catalogue was damaged"), "\(verb)")
      let list = try Recordctl(arguments("list", folder))
      #expect(list.output == whole && list.errors.isEmpty)
    }
  }

  /// Exports a library's file; returns the export's arguments and the copy.
  private func exported(_ folder: TemporaryFolder) throws -> (export: [String], copy: URL) {
    #expect(try Recordctl(arguments("import", folder, file("a.png", 1, in: folder))).status == 0)
    let export = arguments("export", folder, "--album", "library", "-o", folder.path("Copy"))
    #expect(try Recordctl(export + ["--create"]).status == 0)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path("Copy"))
    return (export, folder.url("Copy/" + (try #require(paths.first { $0.hasSuffix("/a.png") }))))
  }

  @Test func an_export_onto_different_bytes_ends_with_1() throws {
    let folder = try TemporaryFolder()
    let (export, copy) = try exported(folder)
    try frame(2).write(to: copy)
    let run = try Recordctl(export)
    #expect(run.status == 1 && run.output.contains("NOT copied: "), "\(run.output)\(run.errors)")
  }

  @Test func an_export_without_write_permission_ends_with_2() throws {
    let folder = try TemporaryFolder()
    let (export, copy) = try exported(folder)
    try FileManager.default.removeItem(at: copy)
    let place = copy.deletingLastPathComponent().path
    let isRoot = geteuid() == 0
    if isRoot {
      // Root can write anywhere except to an immutable folder.
      guard let run = try? Command.run("chattr", ["+i", place]), run.status == 0 else {
        try Test.cancel("chattr is missing, or the file system has no immutable folders")
      }
    } else {
      chmod(place, 0o500)
    }
    defer {
      if isRoot { _ = try? Command.run("chattr", ["-i", place]) } else { chmod(place, 0o700) }
    }
    let run = try Recordctl(export)
    #expect(run.status == 2 && run.output.contains("NOT copied: "), "\(run.output)\(run.errors)")
  }

  @Test func progress_shows_files_bytes_speed_and_time_left() {
    let progress = LibraryProgress(
      fileCount: 12, totalFileCount: 40, byteCount: 1_000_000_000, totalByteCount: 3_500_000_000)
    #expect(
      LibraryProgressLine.text(progress, after: 10)
        == "12 of 40 files, 1.0 GB of 3.5 GB, 100.0 MB/s, 0:25 left")
    #expect(LibraryProgressLine.text(progress, after: 0.1) == "12 of 40 files, 1.0 GB of 3.5 GB")
    #expect(LibraryProgressLine.text(progress, after: 2000).hasSuffix(" 1:23:20 left"))
  }

  /// A hook that writes its process number to a file and hangs, and a hook that must not run.
  private func makeHooks(in folder: TemporaryFolder) throws -> [String] {
    let hooks = folder.url.appending(path: "configuration/recordctl/hooks")
    try FileManager.default.createDirectory(at: hooks, withIntermediateDirectories: true)
    return try [
      ("1", "echo $$ > '\(folder.path("first"))'; sleep 3600"),
      ("2", "touch '\(folder.path("second"))'"),
    ].map { name, script in
      let path = hooks.appending(path: name).path
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
      return path
    }
  }

  @Test(.timeLimit(.minutes(3)), arguments: [SIGINT, SIGTERM], ["import", "record"])
  func a_signal_ends_the_hook_and_keeps_the_asset(number: Int32, verb: String) throws {
    let folder = try TemporaryFolder()
    _ = try makeHooks(in: folder)
    let process = Process()
    process.executableURL = Recordctl.binary
    process.arguments =
      verb == "import"
      ? try arguments(verb, folder, file("take.png", 1, in: folder))
      : [
        verb, "--device", "pattern?pace=none", "--size", "1280x720", "--rate", "25", "--audio",
        "none",
        "--duration", "3f", "--library", folder.path("Library"), "-o", folder.path("take.mov"),
      ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["XDG_CONFIG_HOME": folder.path("configuration")]) { $1 }
    let (output, errors) = (try folder.emptyFile("stdout"), try folder.emptyFile("stderr"))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let started = folder.path("first")
    try waitUntil("the first hook runs") {
      (try? String(contentsOfFile: started, encoding: .utf8))?.hasSuffix("\n") == true
    }
    kill(process.processIdentifier, number)
    process.waitForExit()
    let said = try [output, errors].map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    #expect(process.terminationReason == .exit)
    #expect(
      [3, 4].contains(process.terminationStatus)
        && (verb == "record" || process.terminationStatus == 4))
    #expect(said.contains("hook 1: ended by the interruption"), "\(said)")
    #expect(said.contains("hook 2: not started"), "\(said)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("second")))
    let hook = try String(contentsOfFile: started, encoding: .utf8)
    #expect(kill(try #require(Int32(hook.dropLast())), 0) != 0)
    #expect(try Recordctl(arguments("list", folder)).output.contains("take."))
  }
}
