import MediaCore
import QuickTime
import Testing

@testable import AssetWriter

/// Which movies need recovery after a sudden end, from a writer's events.
struct OpenMoviesTests {
  private typealias Step = OpenMovies.Step

  private func ended(_ number: Int, _ path: String) -> SegmentEvent {
    .ended(
      Segment(
        number: number, path: path, firstFrame: 0, startTimecode: nil, frameCount: 1, duration: 1,
        fileSize: 1, end: .takeEnded, isValid: true), nil)
  }

  private func moved(_ number: Int, _ path: String, to newPath: String?) -> SegmentEvent {
    .changed(
      number: number,
      SegmentFileChange(change: newPath == nil ? .deleted : .moved, path: path, newPath: newPath))
  }

  @Test func a_completing_movie_stays_open_until_it_ends() {
    var movies = OpenMovies()
    #expect(movies.take(.began(number: 1, path: "/a")) == Step(before: nil, after: "/a"))
    #expect(movies.take(.began(number: 2, path: "/b")) == Step(before: nil, after: "/b"))
    #expect(movies.take(ended(1, "/a")) == Step(before: "/a", after: nil))
    #expect(movies.take(ended(1, "/a")) == nil)
    #expect(movies.take(.removed(path: "/b")) == Step(before: "/b", after: nil))
  }

  @Test func a_moved_movie_is_open_at_its_new_path() {
    var movies = OpenMovies()
    _ = movies.take(.began(number: 1, path: "/a"))
    #expect(movies.take(moved(1, "/a", to: "/c")) == Step(before: "/a", after: "/c"))
    #expect(movies.take(moved(1, "/a", to: "/c")) == nil)
    #expect(movies.take(moved(1, "/c", to: nil)) == nil, "it is restored when it ends")
    #expect(movies.take(moved(2, "/b", to: "/d")) == nil, "it never began")
    #expect(movies.take(ended(1, "/c")) == Step(before: "/c", after: nil))
  }

  @Test func a_lost_copy_leaves_the_other_path_open() {
    let lost = MovieFileCopy(path: "/one/\u{301}a", isWhole: false, message: "gone")
    var movies = OpenMovies(secondFolder: "/two")
    _ = movies.take(.began(number: 1, path: lost.path))
    let left = "/two/\u{301}a"
    #expect(movies.take(.copyLost(number: 1, lost)) == Step(before: lost.path, after: left))
    let other = MovieFileCopy(path: "/three/a", isWhole: false)
    #expect(movies.take(.copyLost(number: 1, other)) == nil)
    #expect(movies.take(ended(1, left)) == Step(before: left, after: nil))
  }
}
