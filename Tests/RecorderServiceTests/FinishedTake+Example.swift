import Foundation

@testable import RecorderControl

extension RecorderEvent.FinishedTake {
  static func example(
    _ number: Int = 1, movies: [String] = ["/m/a.mov"], message: String? = nil
  ) throws -> Self {
    let text = """
      {"number":\(number),"path":"\(movies[0])","outcome":"complete","movies":[],"frameCount":50,\
      "dropped":0,"repeated":0,"damaged":0,"duration":2}
      """
    var take = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    (take.movies, take.message) = (movies, message)
    return take
  }
}
