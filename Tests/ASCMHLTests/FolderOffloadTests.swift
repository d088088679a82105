import Foundation
import MediaCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import ASCMHL

/// A card that is copied to several disks at once.
@Suite struct FolderOffloadTests {
  @Test func what_a_disk_takes_no_file_for_is_told() {
    let name = ASCMHLError.system("open", "/disk/a:b", .invalidArgument)
    #expect(name.code == .invalidPath && name.message.contains("does not take the name"))
    let size = ASCMHLError.system("write", "/disk/long.mov", .fileTooLarge)
    #expect(size.code == .ioFailed && size.message.contains("no file of that size"))
    #expect(ASCMHLError.system("read", "/disk/a", .invalidArgument).code == .ioFailed)
  }

  /// A card with a few files, one of them of several pieces.
  private func card(_ folder: TemporaryFolder) throws -> [String: [UInt8]] {
    let files: [String: [UInt8]] = [
      "DCIM/A001C001.mov": (0..<2_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) },
      "DCIM/A001C002.mov": [UInt8]("two".utf8), "DCIM/empty.xml": [],
      "index & <1>.txt": [UInt8]("index".utf8), ".hidden": [1],
    ]
    for (path, bytes) in files { try folder.write(bytes, "A001/" + path) }
    try folder.makeFolder("A001/MISC/EMPTY")
    return files
  }

  private func offload(
    _ folder: TemporaryFolder, to names: [String] = ["one", "two"]
  ) throws -> FolderOffload {
    FolderOffload(
      of: folder.url.appending(path: "A001"), to: try names.map { try folder.makeFolder($0) })
  }

  private func expectWhole(
    _ files: [String: [UInt8]], _ folder: TemporaryFolder, _ copy: String,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for (path, bytes) in files {
      #expect(try folder.bytes(copy + "/" + path) == bytes, "\(path)", sourceLocation: location)
    }
    let found = try CopyVerification.verify(folder: folder.url.appending(path: copy))
    #expect(
      found.isSound && found.verifiedCount == files.count, "\(found)", sourceLocation: location)
    #expect(found.unlisted.isEmpty, "\(found.unlisted)", sourceLocation: location)
  }

  @Test func a_card_is_copied_to_two_disks_at_once_and_both_are_verified() throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    let told = Mutex<[OffloadProgress]>([])
    let report = try offload(folder).run(progress: { step in told.withLock { $0.append(step) } })
    #expect(report.isSound, "\(report)")
    #expect(report.fileCount == files.count && report.destinations.count == 2)
    for copy in ["one/A001", "two/A001"] {
      try expectWhole(files, folder, copy)
      var isFolder: ObjCBool = false
      #expect(
        FileManager.default.fileExists(
          atPath: folder.path(copy + "/MISC/EMPTY"), isDirectory: &isFolder) && isFolder.boolValue)
    }
    for path in files.keys {
      let dates = try ["A001/", "one/A001/"].map {
        try FileManager.default.attributesOfItem(atPath: folder.path($0 + path))[.modificationDate]
          as? Date
      }
      #expect(dates[0] == dates[1])
    }
    let steps = told.withLock { $0 }
    #expect(steps.allSatisfy { $0.bytesDone <= $0.bytesTotal } && !steps.isEmpty)
    #expect(report.notes.contains { $0.contains("same disk") })
  }

  @Test(
    .tags(.judges, .network), .timeLimit(.minutes(10)),
    .enabled(if: ASCMHLTool.isPresent, ASCMHLTool.absence))
  func the_reference_tool_verifies_a_copied_card() throws {
    let folder = try TemporaryFolder()
    _ = try card(folder)
    #expect(try offload(folder).run().isSound)
    #expect(try offload(folder).run().isSound)
    var answer = try ASCMHLTool.ask("verify", folder.path("one/A001"))
    #expect(answer.status == 0, "\(answer.output)")
    answer = try ASCMHLTool.ask("verify", "-dh", folder.path("one/A001"))
    #expect(answer.status == 0, "\(answer.output)")
    try folder.damage("one/A001/DCIM/A001C002.mov")
    answer = try ASCMHLTool.ask("verify", folder.path("one/A001"))
    #expect(answer.status == 11, "\(answer.output)")
  }

  @Test(arguments: ["DCIM/A001C002.mov", "ascmhl/0001_A001_2026-11-01.mhl"])
  func what_the_card_lists_and_does_not_have_is_no_whole_copy(path: String) throws {
    let folder = try TemporaryFolder()
    _ = try card(folder)
    try folder.write([1], "A001/" + path)
    var offload = try offload(folder, to: ["one"])
    let name = try #require(path.split(separator: "/").last.map(String.init))
    offload.calls = { place -> any FolderCalls in
      place.hasSuffix("/A001") && !place.contains("/one/")
        ? FaultyFolderCalls(.forgets(name)) : SystemFolderCalls()
    }
    let report = try offload.run()
    #expect(!report.isSound)
    let told = report.refused.filter { $0.path == path }
    #expect(told.contains { $0.message.contains("is not there") }, "\(report.refused)")
  }

  @Test func a_folder_among_manifests_is_told() throws {
    let folder = try TemporaryFolder()
    _ = try card(folder)
    try folder.write([1], "A001/DCIM/ascmhl/old/0001.mhl")
    let report = try offload(folder, to: ["one"]).run()
    #expect(report.refused.map(\.path).contains("DCIM/ascmhl/old"), "\(report.refused)")
  }

  @Test(arguments: [false, true])
  func a_disk_that_fails_does_not_stop_the_other(isFull: Bool) throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    var offload = try offload(folder)
    offload.calls = { path in
      guard path.hasSuffix("/one") else { return SystemFolderCalls() }
      return FaultyFolderCalls(isFull ? .diskFull(after: 1_500_000) : .synchronizeFails)
    }
    // A folder cannot be made on a disk that takes nothing; it is there before.
    for name in ["DCIM", "MISC/EMPTY"] { try folder.makeFolder("one/A001/" + name) }
    let report = try offload.run()
    try expectWhole(files, folder, "two/A001")
    #expect(!report.isSound)
    let failed = try #require(report.destinations.first)
    #expect(!failed.failures.isEmpty && !failed.isWhole(of: report.fileCount))
    // What is not there is told for each file, and nothing half-written is left.
    let told = Set(failed.failures.map(\.path)).union(failed.files.map(\.path))
    #expect(told.isSuperset(of: files.keys))
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path("one"))
    #expect(!left.contains { $0.hasSuffix(".part") })
    // Run again with a disk that works, it goes on.
    offload.calls = { _ in SystemFolderCalls() }
    #expect(try offload.run().isSound)
    try expectWhole(files, folder, "one/A001")
  }

  @Test(arguments: [["one"], ["one", "two"]])
  func a_copy_whose_manifests_are_broken_is_told_before_anything_is_copied(
    copies: [String]
  ) throws {
    let folder = try TemporaryFolder()
    _ = try card(folder)
    #expect(try offload(folder, to: copies).run().isSound)
    try folder.write([1, 2, 3], "A001/new.mov")
    try folder.write("<broken", "one/A001/ascmhl/ascmhl_chain.xml")
    let report = try offload(folder, to: copies).run()
    #expect(!report.isSound)
    let failures = try #require(report.destinations.first).failures
    #expect(failures.first?.path == "ascmhl", "\(failures)")
    #expect(failures.contains { $0.path == "new.mov" && $0.message.hasPrefix("not tried") })
    #expect(!FileManager.default.fileExists(atPath: folder.path("one/A001/new.mov")))
    for copy in report.destinations.dropFirst() {
      #expect(copy.isWhole(of: report.fileCount), "\(copy.failures)")
    }
  }

  /// The card is what it is: the copy is made all the same, and told to be none that can be verified.
  @Test func a_card_whose_own_manifests_are_broken_is_copied_all_the_same() throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    try folder.write("<broken", "A001/ascmhl/ascmhl_chain.xml")
    let report = try offload(folder, to: ["one"]).run()
    #expect(!report.isSound && report.refused.map(\.path) == ["ascmhl/ascmhl_chain.xml"])
    for (path, bytes) in files { #expect(try folder.bytes("one/A001/" + path) == bytes) }
  }

  @Test(arguments: [true, false])
  func small_files_are_brought_to_the_disk_together(isAsGood: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("A001")
    let names = (0..<600).map { "f\($0).xml" }
    for name in names { try Data(name.utf8).write(to: URL(filePath: folder.path("A001/" + name))) }
    try folder.makeFolder("one")
    var offload = FolderOffload(
      of: folder.url.appending(path: "A001"), to: [folder.url.appending(path: "one")])
    // ext4, and FAT.
    let calls = FaultyFolderCalls(nil, fileSystem: isAsGood ? 0xEF53 : 0x4D44)
    offload.calls = { path -> any FolderCalls in
      path.hasSuffix("/A001") ? SystemFolderCalls() : calls
    }
    let report = try offload.run()
    #expect(report.isSound && report.destinations[0].files.count == 600)
    let events = calls.events.withLock { $0 }
    guard isAsGood else {
      #expect(!events.contains("syncfs") && events.count { $0 == "fsync" } >= 1200)
      return
    }
    #expect(events.count { $0 == "syncfs" } == 4 && events.count { $0 == "fsync" } < 20)
    // The bytes are on the disk before the name, and the name before anything is told.
    for name in names {
      let made = try #require(events.firstIndex(of: "create .\(name).part"))
      let named = try #require(events.firstIndex(of: "rename \(name)"))
      #expect(events[made..<named].contains("syncfs") && events[named...].contains("syncfs"))
    }
  }

  @Test func what_a_disk_changes_on_the_way_is_found_by_reading_it_back() throws {
    let folder = try TemporaryFolder()
    _ = try card(folder)
    var offload = try offload(folder)
    offload.calls = { path in
      guard path.hasSuffix("/two") else { return SystemFolderCalls() }
      return FaultyFolderCalls(.flipsBits(suffix: "A001C001.mov.part"))
    }
    let report = try offload.run()
    #expect(report.destinations[0].failures.isEmpty)
    #expect(report.destinations[1].failures.map(\.path) == ["DCIM/A001C001.mov"])
    #expect(!FileManager.default.fileExists(atPath: folder.path("two/A001/DCIM/A001C001.mov")))
    #expect(
      try CopyVerification.verify(folder: folder.url.appending(path: "two/A001")).isSound)
  }

  @Test func an_interrupted_offload_goes_on_with_what_is_missing() throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    let asked = Atomic(0)
    let first = try offload(folder).run(isCancelled: {
      asked.wrappingAdd(1, ordering: .relaxed).newValue > 4
    })
    #expect(first.wasInterrupted && !first.isSound)
    let done = first.destinations[0].files.count
    #expect(done < files.count)
    // A killed process leaves a part of a file.
    try folder.write("part", "one/A001/DCIM/.A001C002.mov.part")
    let second = try offload(folder).run()
    #expect(second.isSound, "\(second)")
    #expect(second.destinations[0].files.count(where: \.wasPresent) == done)
    for copy in ["one/A001", "two/A001"] { try expectWhole(files, folder, copy) }
    let third = try offload(folder).run()
    #expect(third.isSound && third.destinations.allSatisfy { $0.files.allSatisfy(\.wasPresent) })
  }

  /// A card with what an interrupted offload onto it left, and so are its copies.
  @Test func files_that_look_like_parts_are_copied_like_all_others() throws {
    let folder = try TemporaryFolder()
    var files = try card(folder)
    for name in ["DCIM/.A001C001.mov.part", "DCIM/.A001C001.mov.part.part"] {
      try folder.write("of \(name)", "A001/" + name)
      files[name] = [UInt8]("of \(name)".utf8)
    }
    for _ in 0..<2 {
      let report = try offload(folder).run()
      #expect(report.isSound, "\(report)")
      for copy in ["one/A001", "two/A001"] { try expectWhole(files, folder, copy) }
    }
  }

  @Test func nothing_is_overwritten_and_what_differs_is_named() throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    try folder.write("TWO", "one/A001/DCIM/A001C002.mov")
    let report = try offload(folder).run()
    #expect(report.destinations[0].failures.map(\.path) == ["DCIM/A001C002.mov"])
    #expect(try folder.bytes("one/A001/DCIM/A001C002.mov") == [UInt8]("TWO".utf8))
    try expectWhole(files, folder, "two/A001")
  }

  @Test func a_destination_that_is_missing_in_the_card_or_named_twice_is_refused() throws {
    let folder = try TemporaryFolder()
    _ = try card(folder)
    let card = folder.url.appending(path: "A001")
    let one = try folder.makeFolder("one")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appending(path: "link"), withDestinationURL: one)
    let missing = folder.url.appending(path: "not/mounted")
    func code(_ places: [URL]) -> ASCMHLError? {
      #expect(throws: ASCMHLError.self) { try FolderOffload(of: card, to: places).run() }
    }
    let disk = try #require(Disk(holding: missing.path))
    let refusal = code([one, missing])
    #expect(refusal?.code == .fileNotFound)
    #expect(refusal?.message.contains(disk.mountPoint) == true)
    #expect(code([one, folder.url.appending(path: "link")])?.code == .invalidPath)
    #expect(code([card.appending(path: "DCIM")])?.code == .invalidPath)
    // The card beside itself would be its own copy.
    #expect(code([folder.url])?.code == .invalidPath)
    #expect(try FileManager.default.contentsOfDirectory(atPath: one.path).isEmpty)
    var making = FolderOffload(of: card, to: [missing])
    making.createsDestinations = true
    #expect(try making.run().isSound)
  }

  @Test func names_that_no_manifest_can_hold_and_links_are_told() throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    try folder.write("x", "A001/bad\u{FFFE}.mov")
    try folder.write("x", "A001/bell\u{7}.mov")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("A001/link"), withDestinationPath: "/etc")
    let raw = ((folder.path("A001") + "/").utf8 + [0x66, 0xFF, 0]).map { CChar(bitPattern: $0) }
    let descriptor = open(raw, O_CREAT | O_WRONLY, 0o644)
    try #require(descriptor >= 0)
    close(descriptor)
    let report = try offload(folder, to: ["one"]).run()
    #expect(
      Set(report.refused.map(\.path))
        == ["bad\u{FFFE}.mov", "bell\u{7}.mov", "link", "f\u{FFFD}"], "\(report.refused)")
    #expect(!report.isSound)
    try expectWhole(files, folder, "one/A001")
  }

  @Test func the_manifests_of_a_card_go_along_and_tell_what_is_damaged_on_it() throws {
    let folder = try TemporaryFolder()
    try folder.write("one", "A001/a.mov")
    try folder.write("two", "A001/b.mov")
    try folder.writeManifests(
      [TemporaryFolder.entry("a.mov", "one") + TemporaryFolder.entry("b.mov", "two")], in: "A001")
    #expect(try offload(folder).run().isSound)
    let copy = folder.url.appending(path: "one/A001")
    var found = try CopyVerification.verify(folder: copy)
    #expect(found.isSound && found.manifestCount == 2)
    #expect(try offload(folder).run().isSound)
    found = try CopyVerification.verify(folder: copy)
    #expect(found.isSound && found.manifestCount == 3)
    try folder.damage("A001/b.mov")
    let report = try offload(folder, to: ["three"]).run()
    #expect(report.refused.map(\.path) == ["b.mov"] && !report.isSound)
  }

  private static let ofABC = [
    "md5": "900150983cd24fb0d6963f7d28e17f72", "sha1": "a9993e364706816aba3e25717850c26c9cd0d89d",
    "xxh3": "78af5f94892f3950", "xxh128": "06b05ab6733a618578af5f94892f3950",
    "xxh64": "44bc2cf5ad770999",
    "c4": C4Identifier(of: [UInt8]("abc".utf8)).map { "\($0)" } ?? "",
  ]

  /// A card whose manifest lists a file that holds `abc`, in this format alone.
  private func card(
    _ folder: TemporaryFolder, holding content: String, listedBy format: String, _ hash: String
  ) throws {
    try folder.write(content, "A001/a.mov")
    try folder.writeManifests(
      ["<hash><path size=\"3\">a.mov</path><\(format)>\(hash)</\(format)></hash>"], in: "A001")
  }

  private func manifest(_ report: OffloadReport) throws -> String {
    try String(
      contentsOfFile: try #require(report.destinations.first?.manifest), encoding: .utf8)
  }

  @Test(arguments: Self.ofABC)
  func a_file_is_compared_with_the_cards_manifest_in_every_format(
    format: String, hash: String
  ) throws {
    var folder = try TemporaryFolder()
    try card(folder, holding: "abd", listedBy: format, hash)
    let damaged = try offload(folder, to: ["one"]).run()
    #expect(damaged.refused.map(\.path) == ["a.mov"] && !damaged.isSound)
    #expect(damaged.refused.first?.message.contains("damaged on the card") == true)
    #expect(damaged.destinations.map(\.failures) == [[]])
    #expect(!FileManager.default.fileExists(atPath: folder.path("one/A001/a.mov")))
    folder = try TemporaryFolder()
    try card(folder, holding: "abc", listedBy: format, hash)
    let whole = try offload(folder, to: ["one"]).run()
    #expect(whole.isSound, "\(whole)")
    #expect(try manifest(whole).contains("action=\"verified\""))
  }

  @Test func what_the_cards_manifest_has_in_no_known_format_is_not_called_verified() throws {
    let folder = try TemporaryFolder()
    try card(folder, holding: "abc", listedBy: "crc32", "352441c2")
    let report = try offload(folder, to: ["one"]).run()
    #expect(report.isSound, "\(report)")
    #expect(report.notes.contains { $0.hasPrefix("a.mov: not compared") }, "\(report.notes)")
    #expect(try !manifest(report).contains("verified"))
  }

  /// What another program copied may be in the page cache alone.
  @Test(arguments: [true, false])
  func a_file_that_was_there_is_on_the_disk_before_it_is_compared(isAsGood: Bool) throws {
    let folder = try TemporaryFolder()
    let files = try card(folder)
    #expect(try offload(folder, to: ["one"]).run().isSound)
    let calls = FaultyFolderCalls(nil, fileSystem: isAsGood ? 0xEF53 : 0x4D44)
    var offload = try offload(folder, to: ["one"])
    offload.calls = { path -> any FolderCalls in
      path.hasSuffix("/A001") ? SystemFolderCalls() : calls
    }
    let report = try offload.run()
    #expect(report.isSound && report.destinations[0].files.allSatisfy(\.wasPresent))
    let events = calls.events.withLock { $0 }
    let drops = events.indices.filter { events[$0] == "drop" }
    #expect(drops.count == files.count)
    for (number, drop) in drops.enumerated() {
      let before = number == 0 || !isAsGood ? events[..<drop].last : "syncfs"
      #expect(["fsync", "syncfs"].contains(before), "\(events)")
    }
    // Each file, and the names in two folders.
    #expect(isAsGood || events.count { $0 == "fsync" } >= files.count + 2)
  }

  @Test func a_file_that_other_manifests_of_the_copy_contradict_is_named() throws {
    let folder = try TemporaryFolder()
    try folder.write("abd", "A001/a.mov")
    try folder.writeManifests([TemporaryFolder.entry("a.mov", "abc")], in: "one/A001")
    let report = try offload(folder, to: ["one"]).run()
    let destination = try #require(report.destinations.first)
    #expect(!report.isSound && destination.files.isEmpty && destination.manifest == nil)
    #expect(destination.failures.map(\.code) == ["verificationFailed"])
  }

  @Test(arguments: [Int64.max, .min, -1])
  func a_time_beyond_all_calendars_ends_nothing(nanoseconds: Int64) throws {
    let folder = try TemporaryFolder()
    let copy = try CopyFolder(folder.url.path)
    try folder.write("abc", "a.mov")
    let file = try copy.extend("a.mov")
    file.setModified(nanoseconds)
    let facts = try file.facts()
    #expect(facts.size == 3 && (nanoseconds != -1 || facts.modified == -1))
  }

  @Test func folders_without_files_have_hashes_as_well() throws {
    let folder = try TemporaryFolder()
    try folder.write("abc", "A001/a.mov")
    try folder.makeFolder("A001/MISC/EMPTY")
    let text = try manifest(offload(folder, to: ["one"]).run())
    for path in ["MISC", "MISC/EMPTY"] { #expect(text.contains("<path>\(path)</path>"), "\(text)") }
    // The hash of nothing, and what it makes of the folder above.
    let nothing = ContentHash(of: [])
    #expect(text.contains(">\(nothing)<"))
    let hashes = MHLFolderHashes([], folders: ["MISC/EMPTY"]).folders
    #expect(hashes.map(\.path) == ["MISC", "MISC/EMPTY"])
    #expect(hashes.last?.hashes.content == nothing)
    #expect(hashes.first?.hashes.content == ContentHash(of: nothing.bytes))
    #expect(
      hashes.first?.hashes.structure
        == ContentHash(of: ContentHash(of: [UInt8]("EMPTY".utf8) + nothing.bytes).bytes))
  }
}
