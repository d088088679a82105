import AssetWriter
import Foundation
import MediaCore
import QuickTime

/// Unfinished movies in the folder of a new one, left behind by a crash or a power cut.
struct UnfinishedMovies {
  private let folder: String
  private let names: [String]
  /// Why the folder could not be listed; nil if it could, or is missing.
  private let failure: QuickTimeError?
  /// Names that are told one by one.
  private static let nameLimit = 3

  /// Finds those in the folder of a movie.
  ///
  /// - Parameter isReplaced: True if the movie itself is about to be overwritten.
  init(besides path: String, isReplaced: Bool) {
    self.init(
      besides: path, isReplaced: isReplaced,
      list: { folder throws(QuickTimeError) in
        try MovieRecovery.unfinishedMovies(inFolder: folder)
      })
  }

  init(
    besides path: String, isReplaced: Bool,
    list: (_ folder: String) throws(QuickTimeError) -> [String]
  ) {
    let movie = URL(filePath: path)
    folder = movie.deletingLastPathComponent().path
    do throws(QuickTimeError) {
      names = try list(folder).map { URL(filePath: $0).lastPathComponent }
        .filter { !isReplaced || $0 != movie.lastPathComponent }
      failure = nil
    } catch {
      names = []
      // A missing folder is reported when the movie is created.
      failure = error.code == .notFound ? nil : error
    }
  }

  /// Names the movies of a take that are not complete and hold frames, with the remedy.
  static func tell(of segments: [Segment]) {
    for segment in segments where !segment.isValid && segment.frameCount > 0 {
      Console.note(
        "\(segment.path) holds \(segment.frameCount) frames and is not finished; "
          + "'recordctl recover \(segment.path)' finishes it")
    }
  }

  /// One line about a movie if it is among them, or if the folder could not be searched; else nil.
  func text(of path: String) -> String? {
    if let failure {
      return "whether \(path) is an unfinished movie is unknown: \(failure.message)"
    }
    let name = URL(filePath: path).lastPathComponent
    guard names.contains(name) else { return nil }
    return "\(path) was not finished; 'recordctl recover \(path)' finishes it"
  }

  /// One line that names them and the remedy, or reports that the folder could not be searched; nil if there are none.
  var text: String? {
    if let failure {
      return "\(folder) could not be searched for unfinished movies: \(failure.message)"
    }
    guard let first = names.first else { return nil }
    guard names.count > 1 else {
      return "\(first) in \(folder) was never finished; 'recordctl recover \(folder)/\(first)' "
        + "finishes it"
    }
    let more = names.count - Self.nameLimit
    return "\(names.count) takes in \(folder) were never finished: "
      + names.prefix(Self.nameLimit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      + "; 'recordctl recover FILE' finishes one"
  }
}
