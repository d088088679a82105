import MediaCore
import QuickTime
import Testing

/// A movie's chapters, as stored in its text track.
@Suite struct ChapterTests {
  /// A chapter by its frame at 29.97 fps; negative before the movie.
  private func chapter(_ title: String, _ frame: Int64) -> MovieChapter {
    MovieChapter(title: title, start: MediaTime(value: frame * 1001, timescale: 30_000))
  }

  /// The chapters in a movie of twenty frames, with the number of frames they last.
  private func written(_ chapters: [MovieChapter]) throws -> [String] {
    let file = TraceFile()
    let (writer, ids) = try Take(frameCount: 20, audio: nil, timecode: nil).begin(file)
    try Take(frameCount: 20, audio: nil).append(to: writer, ids)
    let count = try writer.addChapters(chapters, for: ids[0])
    _ = try writer.finish()
    let track = try #require(try MovieIndex(file).tracks.first { $0.mediaType == .text })
    #expect(track.samples.count == count)
    return track.samples.map { sample in
      // A 16-bit length, the text, and an atom that names its encoding.
      let start = Int(sample.offset)
      let length = Int(file.content[start]) << 8 | Int(file.content[start + 1])
      let text = String(decoding: file.content[start + 2..<start + 2 + length], as: UTF8.self)
      return "\(text) \((sample.duration + 500) / 1001)"
    }
  }

  @Test func chapters_at_one_frame_are_merged_with_their_titles() throws {
    let marked = [chapter("first", 2), chapter("second", 7), chapter("third", 7)]
    #expect(
      try written(marked + [chapter("fourth", 12)]) == ["first 5", "second / third 5", "fourth 8"])
    // Chapters without a title add nothing.
    #expect(try written([chapter("", 0), chapter("a", 0), chapter("", 0)]) == ["a 20"])
    #expect(
      try written([chapter("a", 3), chapter("b", 3), chapter("a", 3)]) == ["a / b / a 17"])
  }

  @Test func the_last_chapter_before_the_movie_applies_at_its_start() throws {
    #expect(try written([chapter("a", -9), chapter("b", -4), chapter("c", 6)]) == ["b 6", "c 14"])
    #expect(try written([chapter("a", -9), chapter("b", 0), chapter("c", 0)]) == ["b / c 20"])
    #expect(try written([chapter("a", -9), chapter("b", -9)]) == ["a / b 20"])
    #expect(try written([chapter("a", 1), chapter("b", 20), chapter("c", 99)]) == ["a 19"])
  }
}
