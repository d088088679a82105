import Foundation
import MediaCore
import TestSupport
import Testing

@testable import AssetReader

/// Chapter editions, which libavformat does not support.
struct MatroskaEditionsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func element(_ id: [UInt8], _ data: [UInt8]) -> [UInt8] {
    id + [0x10 | UInt8(data.count >> 24), UInt8(data.count >> 16 & 255)]
      + [UInt8(data.count >> 8 & 255), UInt8(data.count & 255)] + data
  }

  private func chapter(_ title: String, at seconds: Int, _ more: [UInt8] = []) -> [UInt8] {
    let time = seconds * 1_000_000_000
    let start = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * $0)) }
    let display = element([0x80], element([0x85], Array(title.utf8)))
    return element([0xB6], element([0x91], start) + display + more)
  }

  private func edition(_ chapters: [UInt8]..., flags: [UInt8] = []) -> [UInt8] {
    element([0x45, 0xB9], flags + chapters.flatMap { $0 })
  }

  private let isOrdered: [UInt8] = [0x45, 0xDD, 0x81, 1]
  private let isDefault: [UInt8] = [0x45, 0xDB, 0x81, 1]
  private let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75, 0x81, 0]

  /// A file whose segment extends to the end of the file.
  private func file(_ content: [UInt8]) throws -> String {
    let header = element([0x1A, 0x45, 0xDF, 0xA3], [0x42, 0x86, 0x81, 1])
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 255, count: 7)
    return try folder.write(header + segment + content, "a.mkv").path
  }

  private func chapters(_ editions: [UInt8]...) -> [UInt8] {
    element([0x10, 0x43, 0xA7, 0x70], editions.flatMap { $0 })
  }

  @Test func chapters_of_a_single_edition_are_sorted_by_time() throws {
    let bytes = chapters(
      edition(
        chapter("Two", at: 5), chapter("One", at: 0),
        chapter("Hidden", at: 2, [0x98, 0x81, 1]), chapter("Off", at: 3, [0x45, 0x98, 0x81, 0])))
    let editions = try #require(MatroskaEditions(try file(bytes + cluster)))
    #expect(editions.chosen.chapters.map(\.title) == ["One", "Two"])
    #expect(editions.chosen.chapters.map(\.start.seconds) == [0, 5])
    #expect(editions.remarks.isEmpty)
  }

  @Test func ordered_editions_other_editions_and_nested_chapters_are_reported() throws {
    let elsewhere: [UInt8] = element([0x6E, 0x67], [UInt8](repeating: 7, count: 16))
    let bytes = chapters(
      edition(chapter("Plain", at: 0)),
      edition(
        chapter("Last", at: 9, chapter("Within", at: 10)), chapter("First", at: 4, elsewhere),
        flags: isOrdered + isDefault))
    let editions = try #require(MatroskaEditions(try file(bytes + cluster)))
    #expect(editions.chosen.chapters.map(\.title) == ["First", "Last"])
    let remarks = editions.remarks
    #expect(remarks.allSatisfy { $0.subject == "chapters" && $0.isLoss } && remarks.count == 3)
    #expect(remarks[0].message.contains("in their order, some of them from other files"))
    #expect(remarks[1].message == "1 of 2 editions of chapters dropped")
    #expect(remarks[2].message == "1 chapter inside others dropped")
  }

  @Test func chapters_after_the_clusters_are_found_by_the_seek_head() throws {
    let chapters = chapters(edition(chapter("One", at: 0), flags: isOrdered))
    func seeks(_ place: UInt8) -> [UInt8] {
      let id = element([0x53, 0xAB], [0x10, 0x43, 0xA7, 0x70])
      return element(
        [0x11, 0x4D, 0x9B, 0x74], element([0x4D, 0xBB], id + element([0x53, 0xAC], [place])))
    }
    let place = UInt8(seeks(0).count + cluster.count)
    let path = try file(seeks(place) + cluster + chapters)
    #expect(MatroskaEditions(path)?.chosen.isOrdered == true)
    #expect(MatroskaEditions(try file(seeks(200) + cluster + chapters)) == nil)
    #expect(MatroskaEditions(try file(cluster + chapters)) == nil)
  }

  @Test func damaged_chapters_are_never_read_past_their_end() throws {
    let whole = chapters(edition(chapter("One", at: 1), flags: isDefault)) + cluster
    for place in whole.indices {
      var damaged = whole
      damaged[place] = 0xFF
      // Whatever the bytes say, nothing is read past their end.
      _ = MatroskaEditions(try file(damaged))?.remarks
      _ = MatroskaEditions(try file(Array(whole[..<place])))
    }
    #expect(MatroskaEditions(folder.path("none.mkv")) == nil)
  }
}
