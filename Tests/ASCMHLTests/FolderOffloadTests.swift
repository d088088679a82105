import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import ASCMHL

/// A card that is copied to several disks at the same time.
@Suite struct FolderOffloadTests {
  @Test func a_card_is_copied_to_two_destinations_and_verified() throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    let reported = Mutex<[OffloadProgress]>([])
    let report = try folder.offload().run(progress: { step in reported.withLock { $0.append(step) }
    })
    #expect(report.isSound, "\(report)")
    #expect(report.fileCount == files.count && report.destinations.count == 2)
    for copy in ["one/A001", "two/A001"] {
      try folder.expectWhole(files, in: copy)
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
    let steps = reported.withLock { $0 }
    #expect(steps.allSatisfy { $0.bytesDone <= $0.bytesTotal } && !steps.isEmpty)
    #expect(report.notes.contains { $0.contains("same disk") })
  }

  @Test(
    .tags(.judges, .network), .timeLimit(.minutes(10)),
    .enabled(if: ASCMHLTool.isPresent, ASCMHLTool.absence))
  func the_reference_tool_verifies_a_copied_card() throws {
    let folder = try TemporaryFolder()
    try folder.writeCard()
    #expect(try folder.offload().run().isSound)
    #expect(try folder.offload().run().isSound)
    var answer = try ASCMHLTool.ask("verify", folder.path("one/A001"))
    #expect(answer.status == 0, "\(answer.output)")
    answer = try ASCMHLTool.ask("verify", "-dh", folder.path("one/A001"))
    #expect(answer.status == 0, "\(answer.output)")
    try folder.damage("one/A001/DCIM/A001C002.mov")
    answer = try ASCMHLTool.ask("verify", folder.path("one/A001"))
    #expect(answer.status == 11, "\(answer.output)")
  }

  @Test func an_interrupted_offload_resumes_with_missing_files() throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    let asked = Atomic(0)
    let first = try folder.offload().run(isCancelled: {
      asked.wrappingAdd(1, ordering: .relaxed).newValue > 4
    })
    #expect(first.wasInterrupted && !first.isSound)
    let done = first.destinations[0].files.count
    #expect(done < files.count)
    // A killed process leaves a partial file.
    try folder.write("part", "one/A001/DCIM/.A001C002.mov.part")
    let second = try folder.offload().run()
    #expect(second.isSound, "\(second)")
    #expect(second.destinations[0].files.count(where: \.wasPresent) == done)
    for copy in ["one/A001", "two/A001"] { try folder.expectWhole(files, in: copy) }
    let third = try folder.offload().run()
    #expect(third.isSound && third.destinations.allSatisfy { $0.files.allSatisfy(\.wasPresent) })
  }

  /// The card itself has leftovers of an interrupted offload, and so do its copies.
  @Test func files_named_like_partial_files_are_copied() throws {
    let folder = try TemporaryFolder()
    var files = try folder.writeCard()
    for name in ["DCIM/.A001C001.mov.part", "DCIM/.A001C001.mov.part.part"] {
      try folder.write("of \(name)", "A001/" + name)
      files[name] = [UInt8]("of \(name)".utf8)
    }
    for _ in 0..<2 {
      let report = try folder.offload().run()
      #expect(report.isSound, "\(report)")
      for copy in ["one/A001", "two/A001"] { try folder.expectWhole(files, in: copy) }
    }
  }

  @Test func nothing_is_overwritten_and_differing_files_are_named() throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    try folder.write("TWO", "one/A001/DCIM/A001C002.mov")
    let report = try folder.offload().run()
    #expect(report.destinations[0].failures.map(\.path) == ["DCIM/A001C002.mov"])
    #expect(try folder.bytes("one/A001/DCIM/A001C002.mov") == [UInt8]("TWO".utf8))
    try folder.expectWhole(files, in: "two/A001")
  }

  @Test func missing_repeated_and_nested_destinations_are_refused() throws {
    let folder = try TemporaryFolder()
    try folder.writeCard()
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
    // As text, the mark forms one character with the slash before it.
    var within = FolderOffload(of: card, to: [card.appending(path: "\u{301}new")])
    within.createsDestinations = true
    let offload = within
    #expect(throws: ASCMHLError.self) { try offload.run() }
    // The copy would be in the place of the card itself.
    #expect(code([folder.url])?.code == .invalidPath)
    #expect(try FileManager.default.contentsOfDirectory(atPath: one.path).isEmpty)
    var making = FolderOffload(of: card, to: [missing])
    making.createsDestinations = true
    #expect(try making.run().isSound)
  }

  @Test func unsupported_names_and_links_are_reported() throws {
    let folder = try TemporaryFolder()
    let files = try folder.writeCard()
    try folder.write("x", "A001/bad\u{FFFE}.mov")
    try folder.write("x", "A001/bell\u{7}.mov")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("A001/link"), withDestinationPath: "/etc")
    let raw = ((folder.path("A001") + "/").utf8 + [0x66, 0xFF, 0]).map { CChar(bitPattern: $0) }
    let descriptor = open(raw, O_CREAT | O_WRONLY, 0o644)
    try #require(descriptor >= 0)
    close(descriptor)
    let report = try folder.offload(to: ["one"]).run()
    #expect(
      Set(report.refused.map(\.path))
        == ["bad\u{FFFE}.mov", "bell\u{7}.mov", "link", "f\u{FFFD}"], "\(report.refused)")
    #expect(!report.isSound)
    try folder.expectWhole(files, in: "one/A001")
  }
}
