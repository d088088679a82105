import Foundation
import TestSupport
import Testing

/// `library offload` from a card, with reports checked by other programs.
@Suite struct OffloadTests {
  private func card(_ folder: TemporaryFolder) throws -> String {
    let card = folder.path("A001")
    try FileManager.default.createDirectory(
      atPath: card + "/CLIPS", withIntermediateDirectories: true)
    let record = try Recordctl([
      "record", "--device", "pattern?pace=none", "--size", "1280x720", "--rate", "25", "--duration",
      "10f",
      "--timecode", "10:11:12:00", "--audio", "none", "-o", card + "/CLIPS/A001C001.mov",
    ])
    try #require(record.status == 0, "\(record.errors)")
    try Data("note".utf8).write(to: URL(filePath: card + "/日本 & <note>.txt"))
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    return card
  }

  @Test func files_the_library_does_not_import_are_reported() throws {
    let folder = try TemporaryFolder()
    try folder.write(EmptyPNG.bytes(), "A001/a.png")
    try folder.write("note", "A001/a.txt")
    try folder.write("words", "A001/readme.txt")
    try folder.makeFolder("one")
    func offload() throws -> Recordctl {
      try Recordctl([
        "library", "offload", "--from", folder.path("A001"), folder.path("one"), "--import",
        "--library", folder.path("Library"),
      ])
    }
    let first = try offload()
    #expect(first.status == 0 && first.output.contains("1 other file ignored"), "\(first.output)")
    // The photo is already in the library, so the new file beside it is not imported.
    try folder.write("another note", "A001/a.csv")
    let second = try offload()
    #expect(second.output.contains("a.csv, which the library does not have"), "\(second.output)")
  }

  @Test(.tags(.judges)) func a_card_is_offloaded_to_two_disks_and_a_library_with_reports() throws {
    let folder = try TemporaryFolder()
    let card = try card(folder)
    let (html, pdf) = (folder.path("report.html"), folder.path("report.pdf"))
    let run = try Recordctl([
      "library", "offload", "--from", card, folder.path("one"), folder.path("two"), "--import",
      "--library", folder.path("Library"), "--report", html, "--report", pdf, "--json",
    ])
    #expect(run.status == 0, "\(run.errors)")
    let report = try #require(run.json() as? [String: Any])
    #expect(report["isValid"] as? Bool == true)
    let destinations = try #require(report["destinations"] as? [[String: Any]])
    #expect(
      destinations.map { $0["folder"] as? String }
        == ["one", "two"].map {
          folder.path($0 + "/A001")
        })
    let imported = try #require(report["libraryImport"] as? [String: Any])
    #expect((imported["imported"] as? [Any])?.count == 1)
    for name in ["one", "two"] {
      let copy = folder.path(name + "/A001")
      #expect(try Recordctl(["library", "verify", "--copy", copy]).status == 0)
      #expect(
        FileManager.default.contentsEqual(
          atPath: card + "/CLIPS/A001C001.mov", andPath: copy + "/CLIPS/A001C001.mov"))
    }
    try judge(html: html)
    try judge(pdf: pdf)
    let again = try Recordctl([
      "library", "offload", "--from", card, folder.path("one"), folder.path("two"),
    ])
    #expect(again.status == 0, "\(again.errors)")
    #expect(again.output.contains("already existed and were verified"))
  }

  private func judge(html: String) throws {
    let page = try String(contentsOfFile: html, encoding: .utf8)
    for word in ["A001C001.mov", "日本 &amp; &lt;note&gt;.txt", "10:11:12:00", "All "] {
      #expect(page.contains(word), "\(word)")
    }
    // The pattern counts frames, so first, middle and last frames differ.
    let frames = page.components(separatedBy: "data:image/jpeg;base64,").dropFirst()
      .compactMap { $0.split(separator: "\"").first }
    #expect(frames.count == 3 && Set(frames).count == 3)
    // The page loads nothing from the network.
    #expect(!page.contains("src=\"http") && !page.contains("<link") && !page.contains("<script"))
    try #require(Judges.find("xmllint") != nil, "xmllint is missing; apt-get install libxml2-utils")
    let check = try Command.run("/usr/bin/xmllint", ["--noout", "--nonet", html])
    #expect(check.status == 0, "\(check.output)")
  }

  private func judge(pdf: String) throws {
    for tool in ["qpdf", "pdftotext", "pdfimages"] {
      try #require(
        Judges.find(tool) != nil, "\(tool) is missing; apt-get install qpdf poppler-utils")
    }
    let check = try Command.run("/usr/bin/qpdf", ["--check", pdf])
    #expect(check.status == 0, "\(check.output)")
    let text = try Command.run("/usr/bin/pdftotext", ["-layout", pdf, "-"]).output
    for word in ["A001C001.mov", "10:11:12:00", "complete, verified", "[U+65E5]", "xxHash64"] {
      #expect(text.contains(word), "\(word) in \(text)")
    }
    let images = try Command.run("/usr/bin/pdfimages", ["-list", pdf]).output
    #expect(images.components(separatedBy: "jpeg").count == 4, "\(images)")
  }

  @Test(arguments: [true, false])
  func an_unwritable_report_keeps_the_result_and_import(
    isJSON: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let card = try card(folder)
    try folder.makeFolder("report.html")
    let run = try Recordctl(
      [
        "library", "offload", "--from", card, folder.path("one"), "--import", "--library",
        folder.path("Library"), "--report", folder.path("report.html"),
      ] + (isJSON ? ["--json"] : []))
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("report.html"), "\(run.errors)")
    if isJSON {
      let report = try #require(run.json() as? [String: Any])
      #expect(report["isValid"] as? Bool == true)
      #expect((report["libraryImport"] as? [String: Any])?["imported"] != nil)
    } else {
      #expect(run.output.contains("all complete in every copy"), "\(run.output)")
      #expect(run.output.contains("library: 1 imported"), "\(run.output)")
    }
  }

  @Test func a_missing_destination_is_refused_and_its_disk_named() throws {
    let folder = try TemporaryFolder()
    let card = try card(folder)
    let missing = folder.path("not/mounted")
    try Recordctl(["library", "offload", "--from", card, folder.path("one"), missing])
      .expectRefusal(naming: missing, " at /", "--create")
    #expect(folder.contents == ["A001", "one", "two"])
    try Recordctl(["library", "offload", "--from", card, missing, "--delete"])
      .expectRefusal(naming: "--delete")
    try Recordctl(["library", "offload", missing, "--import", "--library", folder.path("L")])
      .expectRefusal(naming: "--from")
    try Recordctl([
      "library", "offload", "--from", card, folder.path("one"), "--report", folder.path("a.txt"),
    ]).expectRefusal(naming: ".pdf")
    let made = try Recordctl(["library", "offload", "--from", card, missing, "--create"])
    #expect(made.status == 0, "\(made.errors)")
  }
}
