import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaLibrary

@Suite struct CopyReportTests {
  private func offloaded(_ folder: TemporaryFolder) throws -> OffloadReport {
    try folder.write(TestMedia.png(), "Card/<b>&\u{202E}.png")
    try folder.write([1, 2, 3], "Card/note.txt")
    try folder.write([1], "Card/bad\u{FFFF}")
    return try FolderOffload(
      of: folder.url.appending(path: "Card"), to: [try folder.makeFolder("Disk")]
    ).run()
  }

  @Test func a_copy_report_lists_complete_and_failed_files() throws {
    let folder = try TemporaryFolder()
    let report = CopyReport(of: try offloaded(folder))
    #expect(report.items.map(\.copyCount) == [1, 0, 1])
    #expect(report.items.filter { !$0.problems.isEmpty }.map(\.path) == ["bad\u{FFFF}"])
    #expect(report.result.hasPrefix("NOT COMPLETE: 1 of 3"))
    #expect(report.items[2].xxh64 == "\(ContentHash(of: [1, 2, 3]))")
  }

  @Test func two_spellings_of_a_name_are_reported_as_separate_files() {
    let (composed, decomposed) = ("caf\u{E9}.txt", "cafe\u{301}.txt")
    var offload = OffloadReport(source: "/card", fileCount: 2, byteCount: 6, refused: [])
    let whole = OffloadReport.File(
      path: composed, size: 3, xxh64: "\(ContentHash(of: [1, 2, 3]))", wasPresent: false)
    let failure = OffloadReport.Failure(path: decomposed, code: "damaged", message: "other bytes")
    offload.destinations = [.init(folder: "/disk", files: [whole], failures: [failure])]
    let report = CopyReport(of: offload)
    #expect(
      report.items.map { PathBytes($0.path) } == [decomposed, composed].map(PathBytes.init))
    #expect(report.items.map(\.problems) == [["/disk: other bytes"], []])
    #expect(report.items.map(\.copyCount) == [0, 1])
    #expect(report.items.map(\.xxh64) == [nil, whole.xxh64])
    #expect(report.result.hasPrefix("NOT COMPLETE: 1 of 2"))
    #expect(report.html.components(separatedBy: ".txt").count == 3)
  }

  @Test func entries_that_are_not_files_are_counted_separately() {
    var offload = OffloadReport(
      source: "/card", fileCount: 2, byteCount: 6,
      refused: [.init(path: "link", message: "is a link, not a file")])
    let files = ["a", "b"].map {
      OffloadReport.File(path: $0, size: 3, xxh64: "\(ContentHash(of: [1]))", wasPresent: false)
    }
    let failure = OffloadReport.Failure(path: "ascmhl", code: "diskFull", message: "disk full")
    offload.destinations = [
      .init(folder: "/one", files: files), .init(folder: "/two", files: files, failures: [failure]),
    ]
    let report = CopyReport(of: offload)
    #expect(
      report.result == "NOT COMPLETE: all 2 files are complete, and 2 other entries have problems.")
    #expect(report.html.contains("<tr><th>Files</th><td>2</td></tr>"))
    #expect(report.html.contains("size unknown") && !report.html.contains("0 bytes"))
  }

  @Test func a_report_limits_the_total_size_of_its_thumbnails() {
    let items = (0..<1000).map { CopyReport.Item(path: "\($0).dng", size: 1) }
    let (filled, withoutThumbnails) = CopyReport.filled(items, limit: 100_000) {
      item, makesThumbnails in
      var item = item
      if makesThumbnails { item.thumbnails = [[UInt8](repeating: 0, count: 1000)] }
      return item
    }
    #expect(filled.map(\.path) == items.map(\.path))
    let count = filled.count { !$0.thumbnails.isEmpty }
    #expect((100..<200).contains(count) && withoutThumbnails == filled.count - count)
    #expect(filled.prefix(count).allSatisfy { !$0.thumbnails.isEmpty })
  }

  @Test func hostile_names_are_escaped_in_the_page() throws {
    let folder = try TemporaryFolder()
    let html = CopyReport(of: try offloaded(folder)).html
    #expect(html.contains("&lt;b&gt;&amp;[U+202E].png") && html.contains("bad[U+FFFF]"))
    #expect(!html.unicodeScalars.contains("\u{202E}") && !html.unicodeScalars.contains("\u{FFFF}"))
  }

  @Test func a_pdf_report_of_many_files_is_written() throws {
    let folder = try TemporaryFolder()
    for number in 0..<60 { try folder.write([UInt8(number)], "Card/\(number) \u{4E2D}.txt") }
    let offload = try FolderOffload(
      of: folder.url.appending(path: "Card"), to: [try folder.makeFolder("Disk")]
    ).run()
    let pdf = try CopyReport(of: offload).pdf()
    #expect(pdf.starts(with: "%PDF-".utf8))
    #expect(pdf.count > 4000)
  }

  @Test(
    arguments: [
      ("Az 9", [0x41, 0x7A, 0x20, 0x39], 0), ("é", [0xE9], 0), ("e\u{301}", [0xE9], 0),
      ("€\u{201C}", [0x80, 0x93], 0), ("\u{7}", [UInt8]("[U+0007]".utf8), 1),
      ("中", [UInt8]("[U+4E2D]".utf8), 1),
    ] as [(String, [UInt8], Int)])
  func pdf_text_is_encoded_as_winansi(text: String, bytes: [UInt8], replaced: Int) {
    let encoded = WinAnsiText(text)
    #expect(encoded.bytes == bytes && encoded.replacedCount == replaced)
  }
}
