import FoundationEssentials
import MediaCore
import QuickTime

/// The paths of a take's unfinished movies, which need recovery after a crash. There are several while one is
/// completed and the next one is written.
package struct OpenMovies: Sendable {
  /// A movie's path: nil before it is begun, and once it has ended.
  package struct Step: Sendable, Hashable {
    package var before: String?
    package var after: String?
  }

  private let secondFolder: URL?
  /// The movies' paths by their numbers.
  private var paths: [Int: String] = [:]

  /// - Parameter secondFolder: The path of a folder that gets each movie as well; nil for none.
  package init(secondFolder: String? = nil) {
    self.secondFolder = secondFolder.map { URL(filePath: $0, directoryHint: .isDirectory) }
  }

  /// Handles an event of the writer.
  ///
  /// - Returns: What happened to a movie's path; nil if nothing did.
  package mutating func take(_ event: SegmentEvent) -> Step? {
    switch event {
    case .began(let number, let path): set(number, path)
    case .changed(let number, let change): change.newPath.flatMap { move(number, $0) }
    case .ended(let segment, _): set(segment.number, nil)
    case .removed(let path):
      paths.first { $0.value == path }.flatMap { set($0.key, nil) }
    case .copyLost(let number, let copy):
      paths[number] == copy.path ? survivor(of: copy).flatMap { move(number, $0) } : nil
    }
  }

  private mutating func set(_ number: Int, _ path: String?) -> Step? {
    let before = paths[number]
    paths[number] = path
    return before == path ? nil : Step(before: before, after: path)
  }

  private mutating func move(_ number: Int, _ path: String) -> Step? {
    paths[number] == nil ? nil : set(number, path)
  }

  /// The file that goes on where one of two is given up.
  private func survivor(of copy: MovieFileCopy) -> String? {
    secondFolder?.appending(path: copy.path.pathName).standardizedFileURL.path
  }
}
