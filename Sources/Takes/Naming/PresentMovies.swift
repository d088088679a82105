import AssetWriter
import FoundationEssentials

/// The names of the movies in the folders of a take, by one look at each.
struct PresentMovies {
  private var names: Set<String> = []
  private let folders: [String]
  private let policy: SegmentPolicy
  private let exists: (_ path: String) -> Bool

  /// Looks at folders; of one that cannot be read later segments are not known.
  ///
  /// - Parameters:
  ///   - folders: Their paths.
  ///   - policy: How the segments of a take are called.
  ///   - exists: Tells whether a file is there. A disk may hold two names for one, such as in another case.
  init(
    in folders: [String], policy: SegmentPolicy,
    exists: @escaping (_ path: String) -> Bool = { FileManager.default.fileExists(atPath: $0) }
  ) {
    (self.folders, self.policy, self.exists) = (folders, policy, exists)
    for folder in folders {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        names.insert(name)
        // The first one of its take may be gone.
        if let take = Self.take(ofSegment: name, policy) { names.insert(take) }
      }
    }
  }

  /// True where a movie of that name is there, or any of the segments that a take of that name would have.
  func hold(_ name: String) -> Bool {
    names.contains(name)
      || folders.contains { folder in
        let movie = URL(filePath: folder).appending(component: name)
        return exists(movie.path) || exists(policy.url(ofSegment: 1, of: movie).path)
      }
  }

  /// The name of the take that a segment file belongs to; nil if the file's name is not that of a segment.
  private static func take(ofSegment name: String, _ policy: SegmentPolicy) -> String? {
    let file = URL(filePath: name)
    let stem = file.deletingPathExtension().lastPathComponent
    guard let dash = stem.lastIndex(of: "-"), dash > stem.startIndex,
      let number = Int(stem[stem.index(after: dash)...])
    else { return nil }
    let take = stem[..<dash] + (file.pathExtension.isEmpty ? "" : ".\(file.pathExtension)")
    let segment = policy.url(ofSegment: number, of: URL(filePath: String(take)))
    return segment.lastPathComponent == name ? String(take) : nil
  }
}
