import Foundation
import MediaLibrary
import Testing

@Suite struct ImportTests {
  @Test func a_folder_is_searched_and_each_file_is_what_it_is() async throws {
    let test = try TestLibrary()
    let folder = test.folder.url.appending(path: "Card")
    for seed in 0..<70 {
      try test.folder.write(TestMedia.png(seed: seed), "Card/DCIM/p\(seed).png")
    }
    try test.folder.write(TestMedia.dng(), "Card/DCIM/raw.dng")
    try TestMedia.movie(folder.appending(path: "clip.mov"))
    try test.folder.write([UInt8]("{}".utf8), "Card/clip.json")
    try test.folder.write([UInt8]("text".utf8), "Card/readme.txt")
    let report = try await test.library.importFiles([folder])
    #expect(report.imported.count == 72)
    #expect(report.failures.isEmpty)
    let ignored = report.ignored.compactMap { $0.split(separator: "/").last.map(String.init) }
    #expect(ignored.sorted() == ["clip.json", "readme.txt"])
    #expect(try test.library.assetCount(in: .videos) == 1)
    #expect(try test.library.assetCount(in: .raw) == 1)
    #expect(test.originals.count == 73)
    let again = try await test.library.importFiles([folder])
    #expect(again.imported.isEmpty && again.duplicates.count == 72)
    try test.expectSound()
  }

  @Test func a_bad_file_is_named_and_keeps_no_other_out() async throws {
    let test = try TestLibrary()
    let good = try test.folder.write(TestMedia.png(), "a.png")
    let bad = try test.folder.write([UInt8]("no".utf8), "b.mov")
    let none = test.folder.url.appending(path: "c.mov")
    let report = try await test.library.importFiles([good, bad, none])
    #expect(report.imported.map(\.file) == [good.path])
    #expect(report.failures.map(\.file) == [bad.path, none.path])
    #expect(report.failures.map(\.code) == ["invalidResource", "fileNotFound"])
    try test.expectSound()
  }
}
