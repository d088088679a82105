import MediaCore
import QuickTime
import Testing

@testable import recordctl

/// What a recording reports about unfinished movies in its folder.
struct UnfinishedMoviesTests {
  private func search(
    _ code: QuickTimeError.Code, _ message: String = "Input/output error"
  ) -> UnfinishedMovies {
    UnfinishedMovies(besides: "/takes/a.mov", isReplaced: false) {
      _ throws(QuickTimeError) -> [String] in
      throw QuickTimeError(code, message)
    }
  }

  @Test func a_folder_that_cannot_be_listed_is_reported() {
    let unfinished = search(.ioFailed)
    #expect(
      unfinished.text
        == "/takes could not be searched for unfinished movies: Input/output error")
    #expect(
      unfinished.text(of: "/takes/a.mov")
        == "whether /takes/a.mov is an unfinished movie is unknown: Input/output error")
  }

  @Test func a_missing_folder_is_left_to_the_error_of_the_recording() {
    let unfinished = search(.notFound)
    #expect(unfinished.text == nil && unfinished.text(of: "/takes/a.mov") == nil)
  }

  @Test func a_movie_that_is_replaced_is_not_named() {
    func search(isReplaced: Bool) -> UnfinishedMovies {
      UnfinishedMovies(besides: "/takes/a.mov", isReplaced: isReplaced) { folder in
        ["\(folder)/a.mov"]
      }
    }
    #expect(search(isReplaced: true).text == nil)
    #expect(search(isReplaced: false).text?.contains("recordctl recover /takes/a.mov") == true)
  }
}
