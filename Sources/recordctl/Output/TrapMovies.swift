import AssetWriter
import CSignals
import Foundation
import Synchronization

/// The movies that are not finished, as the trap handler tells them with the remedy.
enum TrapMovies {
  private static let paths = Mutex<[String]>([])

  /// Notes a change of a movie's path, on a writing thread.
  static func note(_ step: OpenMovies.Step) {
    paths.withLock { paths in
      let index = step.before.flatMap { paths.firstIndex(of: absolute($0)) }
      switch (index, step.after.map(absolute)) {
      case (let index?, let path?): paths[index] = path
      case (let index?, nil): paths.remove(at: index)
      case (nil, let path?): paths.append(path)
      case (nil, nil): return
      }
      let list = paths.flatMap { Array($0.utf8CString) }
      trap_report_set_movies(list, list.count)
    }
  }

  /// Absolute, because the reader may be in another folder.
  private static func absolute(_ path: String) -> String {
    URL(filePath: path).path(percentEncoded: false)
  }
}
