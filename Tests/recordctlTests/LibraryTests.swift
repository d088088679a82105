import Foundation
import MediaLibrary
import TestSupport
import Testing

@testable import recordctl

/// `recordctl library`, also when the process is killed.
@Suite struct LibraryTests {
  private func arguments(_ verb: String, _ folder: TemporaryFolder, _ more: String...) -> [String] {
    ["library", verb, "--library", folder.path("Library")] + more
  }

  private func frame(_ seed: Int, size: Int = 0) -> Data {
    Data(EmptyPNG.bytes(seed: seed, filling: size))
  }

  @Test func json_reports_the_library_asset_and_hook_results() throws {
    let folder = try TemporaryFolder()
    let hook = folder.path("hook")
    try folder.writeProgram("#!/bin/sh\necho seen $ASSET_NAME\n", "hook")
    let preset = folder.path("saving.toml")
    let lines = [
      "[library]", "save = true", "folder = \"\(folder.path("Library"))\"", "hooks = [\"\(hook)\"]",
    ]
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: preset))
    let run = try Recordctl([
      "record", "--preset", preset, "--device", "pattern?pace=none", "--size", "1280x720", "--rate",
      "25",
      "--duration", "5f", "--audio", "none", "-o", folder.path("take.mov"), "--json",
    ])
    #expect(run.status == 0)
    let report = try #require(run.json() as? [String: Any])
    #expect((report["movie"] as? [String: Any])?["frameCount"] as? Int == 5)
    let library = try #require(report["library"] as? [String: Any])
    let asset = try #require((library["assets"] as? [[String: Any]])?.first)
    let path = try #require(asset["path"] as? String)
    #expect(FileManager.default.fileExists(atPath: path))
    let hooks = try #require((library["hooks"] as? [[String: Any]])?.first)
    #expect(hooks["output"] as? String == "seen take.mov\n")
  }

  private func record(into library: String, _ movie: String, _ more: String...) -> [String] {
    [
      "record", "--device", "pattern?pace=none", "--size", "1280x720", "--rate", "25", "--audio",
      "none",
      "--library", library, "-o", movie,
    ] + more
  }

  private func forbidChanges(_ folder: TemporaryFolder) throws {
    try Data(#"{"access": "read-only"}"#.utf8).write(
      to: URL(filePath: folder.path("Library/.medialibrary/settings.json")), options: .atomic)
  }

  @Test func an_unusable_library_is_reported_before_recording() throws {
    let folder = try TemporaryFolder()
    let library = folder.path("Library")
    let movie = folder.path("take.mov")
    try PhotoLibrary(at: URL(filePath: library)).open()
    try forbidChanges(folder)
    try Recordctl(record(into: library, movie, "--duration", "5f"))
      .expectRefusal(naming: library, "read-only")
    try Data("{}".utf8).write(to: URL(filePath: library + "/.medialibrary/settings.json"))
    try Recordctl(record(into: library, folder.path(".take.mov"), "--duration", "5f"))
      .expectRefusal(naming: ".take.mov")
    // A file in place of the library's folder or of a parent folder.
    let file = try folder.emptyFile("file").path
    for path in [file, file + "/Library"] {
      try Recordctl(record(into: path, movie, "--duration", "5f")).expectRefusal(naming: file)
    }
    try FileManager.default.removeItem(atPath: library + "/.medialibrary/staging")
    try Data().write(to: URL(filePath: library + "/.medialibrary/staging"))
    try Recordctl(record(into: library, movie, "--duration", "5f")).expectRefusal(naming: "staging")
    #expect(folder.contents == ["Library", "file"], "nothing was recorded")
  }

  @Test(.timeLimit(.minutes(5)))
  func a_take_stays_in_place_if_its_library_becomes_read_only() throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("take.mov")
    let process = Process()
    process.executableURL = Recordctl.binary
    process.arguments = record(into: folder.path("Library"), movie, "--json", "--duration", "10m")
    let output = try folder.emptyFile("output")
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntil("the movie grows") { Recordctl.size(movie) > 0 || !process.isRunning }
    try forbidChanges(folder)
    process.interrupt()
    process.waitForExit()
    #expect(process.terminationStatus == 1)
    let report = try JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any]
    let library = try #require(report?["library"] as? [String: Any])
    #expect(
      ((library["error"] as? [String: Any])?["message"] as? String)?.contains("read-only") == true)
    #expect(try Recordctl.isValid(movie))
  }

  @Test func foreign_control_characters_never_reach_the_terminal() throws {
    let folder = try TemporaryFolder()
    let card = folder.url.appending(path: "card")
    try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
    let refused = card.appending(path: "a\u{1B}[31m\u{7}\nrecordctl: b.png")
    let taken = card.appending(path: "c\u{9B}31m\u{202E}gnp.png")
    try frame(1).write(to: refused)
    try frame(2).write(to: taken)
    func expectPlain(
      _ run: Recordctl, lines: Int? = nil, _ words: String...,
      at location: SourceLocation = #_sourceLocation
    ) {
      let text = run.output + run.errors
      let count = text.split(separator: "\n").count
      #expect(lines == nil || count == lines, "\(text)", sourceLocation: location)
      for scalar in text.unicodeScalars where scalar != "\n" {
        #expect(
          scalar.properties.generalCategory != .control && scalar != "\u{202E}",
          sourceLocation: location)
      }
      for word in words { #expect(text.contains(word), "\(text)", sourceLocation: location) }
    }
    // Three lines: a heading, a row and the refusal.
    let name = #"c\u{9B}31m\u{202E}gnp.png"#
    let imported = try Recordctl(arguments("import", folder, card.path))
    expectPlain(imported, lines: 3, name, #"a\u{1B}[31m\u{7}\nrecordctl: b.png"#)
    expectPlain(try Recordctl(arguments("list", folder)), lines: 2, name)
    expectPlain(try Recordctl(arguments("search", folder, "gnp")), lines: 2, name)
    let list = try Recordctl(arguments("list", folder, "--json"))
    let asset = try #require(list.objects("assets")?.first)
    let id = try #require(asset["identifier"] as? String)
    expectPlain(try Recordctl(arguments("show", folder, id)), name)
    let copy = folder.path("Copy")
    #expect(
      try Recordctl(arguments("export", folder, id, "--flat", "--create", "-o", copy)).status == 0)
    try frame(3).write(to: URL(filePath: copy + "/" + refused.lastPathComponent))
    try frame(4).write(to: URL(filePath: copy + "/" + taken.lastPathComponent))
    expectPlain(try Recordctl(["library", "verify", "--copy", copy]), lines: 3, name)
    expectPlain(try Recordctl(["verify", refused.path]), #"a\u{1B}"#)
    expectPlain(try Recordctl(["record", "--device", "\u{1B}c\n"]), lines: 1, #"\u{1B}c"#)
    // Programs get the unescaped name.
    let report = try Recordctl(arguments("import", folder, card.path, "--json")).json()
    let json = try #require(report as? [String: Any])
    let failure = try #require((json["failures"] as? [[String: Any]])?.first)
    #expect(failure["path"] as? String == refused.path)
    let duplicate = try #require((json["duplicates"] as? [[String: Any]])?.first)
    #expect(duplicate["source"] as? String == taken.path)
  }

  @Test func characters_of_every_language_stay_unescaped() {
    for text in ["Straße é e\u{301}", "می\u{200C}خواهم", "👩\u{200D}👧", #"a\b"#] {
      #expect(text.visible == text)
    }
    #expect(
      "\r\n\u{85}\u{2028}\u{2067}\u{7F}".visible == #"\r\n\u{85}\u{2028}\u{2067}\u{7F}"#)
  }

  @Test func library_changes_are_reported_as_json() throws {
    let folder = try TemporaryFolder()
    let file = folder.path("a.png")
    try frame(1).write(to: URL(filePath: file))
    #expect(try Recordctl(arguments("import", folder, file)).status == 0)
    let listing = try Recordctl(arguments("list", folder, "--json")).objects("assets")
    let list = try #require(listing)
    let id = try #require(list.first?["identifier"] as? String)
    for verb in ["favorite", "delete", "restore", "delete"] {
      let changes = try #require(
        Recordctl(arguments(verb, folder, id, id, "--json")).json() as? [String: Any])
      #expect(changes["changedAssets"] as? [String] == [id], "\(verb)")
    }
    let removed = try #require(
      Recordctl(arguments("delete", folder, id, "--for-good", "--json")).json() as? [String: Any])
    #expect(removed["removedAssets"] as? [String] == [id])
  }

  @Test(.tags(.judges, .network))
  func a_take_is_recorded_saved_found_exported_deleted_and_restored() throws {
    let folder = try TemporaryFolder()
    let movie = folder.path("take.mov")
    let record = try Recordctl([
      "record", "--device", "pattern?pace=none", "--size", "1280x720", "--rate", "25", "--duration",
      "10f",
      "--audio", "none", "-o", movie, "--library", folder.path("Library"),
    ])
    #expect(record.status == 0, "\(record.errors)")
    #expect(!FileManager.default.fileExists(atPath: movie), "the take was moved")

    let list = try Recordctl(arguments("list", folder, "--album", "prores", "--json"))
    let assets = try AssetDocument(list).assets
    let asset = try #require(assets.first)
    #expect(assets.count == 1)
    #expect(asset.badges == ["ProRes"])
    #expect(asset.facts.frameCount == 10)
    #expect(try Recordctl.isValid(asset.path))

    let id = String(asset.identifier.prefix(8)).lowercased()
    #expect(try Recordctl(arguments("search", folder, "take", "1280x720")).output.contains(id))
    #expect(try Recordctl(arguments("show", folder, id)).output.contains("Apple ProRes"))
    let export = try Recordctl(
      arguments("export", folder, id, "--create", "-o", folder.path("Copy")))
    #expect(export.status == 0, "\(export.errors)")
    #expect(
      try Recordctl(["library", "verify", "--copy", folder.path("Copy")]).status == 0)
    if ASCMHLTool.isPresent {
      let judged = try ASCMHLTool.ask("verify", folder.path("Copy"))
      #expect(judged.status == 0, "\(judged.output)")
    }
    #expect(try Recordctl(arguments("verify", folder)).status == 0)
    #expect(try Recordctl(arguments("favorite", folder, id)).status == 0)
    #expect(try Recordctl(arguments("delete", folder, id)).status == 0)
    #expect(!(try Recordctl(arguments("list", folder)).output.contains(id)))
    #expect(try Recordctl(arguments("restore", folder, id)).status == 0)
    #expect(try Recordctl(arguments("list", folder, "--album", "favorites")).output.contains(id))

    // Verification finds and names a copy with a changed byte.
    let copy = folder.path(
      "Copy/" + asset.path.split(separator: "/").suffix(3).joined(separator: "/"))
    var bytes = try Data(contentsOf: URL(filePath: copy))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(filePath: copy))
    let damaged = try Recordctl(["library", "verify", "--copy", folder.path("Copy")])
    #expect(damaged.status == 1)
    #expect(damaged.output.contains("damaged: ") && damaged.output.contains("take.mov"))
    guard ASCMHLTool.isPresent else { try Test.cancel(ASCMHLTool.absence) }
    #expect(try ASCMHLTool.ask("verify", folder.path("Copy")).status == 11)
  }

  /// Anyone who formats the card after the command succeeded must lose nothing.
  @Test func empty_and_truncated_photos_are_reported_by_name() throws {
    let folder = try TemporaryFolder()
    let card = try folder.makeFolder("card")
    try frame(1).write(to: card.appending(path: "whole.png"))
    try Data().write(to: card.appending(path: "empty.dng"))
    for name in ["notes", "more"] { try Data().write(to: card.appending(path: name)) }
    let failed = try Recordctl(arguments("import", folder, card.path))
    #expect(failed.status == 1)
    #expect(failed.errors.contains("empty.dng: is empty"), "\(failed.errors)")
    let names = ["more", "notes"].map { card.path + "/" + $0 }.joined(separator: ", ")
    #expect(failed.output.contains("2 other files ignored: \(names)"), "\(failed.output)")
    try FileManager.default.removeItem(at: card.appending(path: "empty.dng"))
    try Data([0xFF, 0xD8, 0xFF, 0xE0]).write(to: card.appending(path: "cut.jpg"))
    for number in 0..<4 { try Data().write(to: card.appending(path: "other\(number)")) }
    let taken = try Recordctl(arguments("import", folder, card.path))
    #expect(taken.status == 0)
    #expect(taken.errors.contains("cut.jpg: is cut short"), "\(taken.errors)")
    #expect(taken.output.contains("6 other files ignored\n"), "\(taken.output)")
    let report = try Recordctl(arguments("import", folder, card.path, "--json")).json()
    let json = try #require(report as? [String: Any])
    #expect((json["warnings"] as? [String])?.count == 1)
    #expect((json["ignored"] as? [String])?.count == 6)
  }

  @Test func an_import_without_files_reports_nothing_to_import() throws {
    let folder = try TemporaryFolder()
    let card = try folder.makeFolder("card").path
    let empty = try Recordctl(arguments("import", folder, card))
    #expect(empty.status == 0 && empty.output.contains("nothing to import"), "\(empty.output)")
    #expect(empty.output.contains(card))
    let json = try Recordctl(arguments("import", folder, card, "--json")).json()
    #expect(((json as? [String: Any])?["imported"] as? [Any])?.isEmpty == true)
  }

  @Test func invalid_library_arguments_are_refused_in_one_line() throws {
    let folder = try TemporaryFolder()
    try Recordctl(arguments("list", folder)).expectRefusal(naming: "not a library")
    let text = try folder.emptyFile("a.mov")
    try Recordctl(arguments("import", folder, text.path)).expectRefusal(naming: "a.mov")
    try Recordctl(arguments("import", folder, "/nonexistent")).expectRefusal(naming: "/nonexistent")
    try Recordctl(arguments("show", folder, "abc")).expectRefusal(naming: "abc")
    try Recordctl(arguments("list", folder, "--album", "none")).expectRefusal(naming: "favorites")
    // An empty path, as from an unset variable in a script, does not mean the working folder.
    for arguments in [
      arguments("import", folder, ""), arguments("offload", folder, ""),
      arguments("export", folder, "abc", "-o", ""), ["library", "verify", "--copy", ""],
      ["library", "import", "--library", "", text.path],
      ["record", "--library", "", "-o", folder.path("take.mov"), "--duration", "1f"],
      ["record", "-o", "", "--duration", "1f"], ["check", "-o", ""], ["channel", "-o", ""],
    ] {
      try Recordctl(arguments, in: folder.url).expectRefusal(naming: "empty path")
    }
    #expect(folder.contents == ["Library", "a.mov"])
  }

  /// Every entry has its file, every file its entry, and no source is lost.
  private func expectSound(
    _ folder: TemporaryFolder, sources: [String: Data], in origin: TemporaryFolder
  ) throws {
    let library = PhotoLibrary(at: URL(filePath: folder.path("Library")))
    library.hookSelection = .none
    guard library.exists else { return }
    // Reading alone does not clean up after a killed process.
    try library.open()
    let assets = try library.fetchAssets().allObjects()
    let entries = assets.flatMap(\.resources)
    let root = folder.path("Library")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
      !$0.hasPrefix(".") && $0.hasSuffix(".png")
    }
    #expect(entries.map(\.relativePath).sorted() == files.sorted())
    let staging = root + "/.medialibrary/staging"
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: staging).allSatisfy { $0 == "kept" })
    let left = try FileManager.default.subpathsOfDirectory(atPath: staging).filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: staging + "/" + $0, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    #expect(left == [])
    let taken = Dictionary(uniqueKeysWithValues: entries.map { ($0.originalFilename, $0) })
    for (name, bytes) in sources {
      let source = URL(filePath: origin.path(name))
      if let entry = taken[name] {
        #expect(try Data(contentsOf: entry.fileURL) == bytes, "\(name) is complete in the library")
        #expect(!FileManager.default.fileExists(atPath: source.path), "\(name) was moved")
      } else {
        #expect(try Data(contentsOf: source) == bytes, "\(name) is complete in its original place")
      }
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func concurrent_imports_lose_nothing() throws {
    let folder = try TemporaryFolder()
    var processes: [Process] = []
    for number in 0..<4 {
      let part = folder.url.appending(path: "Card\(number)")
      try FileManager.default.createDirectory(at: part, withIntermediateDirectories: true)
      // All cards have the same file names, and one file with the same content.
      for index in 0..<12 {
        try frame(index == 0 ? 0 : number * 100 + index)
          .write(to: part.appending(path: "p\(index).png"))
      }
      processes.append(try Recordctl.start(arguments("import", folder, "--move", part.path)))
    }
    for process in processes {
      process.waitForExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 0)
    }
    let verify = try Recordctl(arguments("verify", folder))
    #expect(verify.status == 0, "\(verify.output)")
    let library = PhotoLibrary(at: URL(filePath: folder.path("Library")))
    #expect(try library.fetchAssets().count == 4 * 11 + 1)
  }

  /// Some files to import, by name.
  private func makeSources(_ round: Int, in folder: TemporaryFolder) throws -> [String: Data] {
    var sources: [String: Data] = [:]
    for index in 0..<24 {
      let name = "p\(index).png"
      let bytes = frame(round * 100 + index, size: 40_000)
      try bytes.write(to: URL(filePath: folder.path(name)))
      sources[name] = bytes
    }
    return sources
  }

  @Test(.tags(.slow), .timeLimit(.minutes(20)))
  func killing_an_import_at_any_moment_loses_nothing() throws {
    let kills = TestRun.isThorough ? 200 : 8
    func start(_ folder: TemporaryFolder, _ files: TemporaryFolder, _ names: [String]) throws
      -> Process
    {
      try Recordctl.start(
        arguments("import", folder, "--move", "--no-hooks") + names.map(files.path))
    }
    // The time of a complete run, so that the kills are spread over all of it.
    let clock = ContinuousClock()
    let model = try TemporaryFolder()
    let names = try makeSources(0, in: model).keys.sorted()
    let whole = try clock.measure {
      let process = try start(model, model, names)
      process.waitForExit()
      #expect(process.terminationStatus == 0)
    }
    var generator = SystemRandomNumberGenerator()
    var inTheMiddle = 0
    for round in 0..<kills {
      let folder = try TemporaryFolder()
      // Every other round imports from another file system: a verified copy instead of a rename.
      let files = round % 2 == 0 ? folder : try TemporaryFolder(in: URL(filePath: "/dev/shm"))
      let sources = try makeSources(round, in: files)
      let process = try start(folder, files, names)
      usleep(UInt32.random(in: 0...UInt32(whole / .microseconds(1)), using: &generator))
      kill(process.processIdentifier, SIGKILL)
      process.waitForExit()
      if process.terminationReason == .uncaughtSignal { inTheMiddle += 1 }
      try expectSound(folder, sources: sources, in: files)
    }
    print("\(kills) imports killed, \(inTheMiddle) of them before they had ended")
  }
}
