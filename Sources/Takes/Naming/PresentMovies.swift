import AssetWriter
import FoundationEssentials

/// The names of the movies in the folders of a take, by one look at each.
struct PresentMovies {
  private var names: Set<String> = []

  /// Looks at folders; one that cannot be read has no movies.
  ///
  /// - Parameters:
  ///   - folders: Their paths.
  ///   - policy: How the segments of a take are called.
  init(in folders: [String], policy: SegmentPolicy) {
    for folder in folders {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        names.insert(name)
        // The first one of its take may be gone.
        if let take = Self.take(ofSegment: name, policy) { names.insert(take) }
      }
    }
  }

  /// True where a movie of that name is there, or any of the segments that a take of that name would have.
  func hold(_ name: String) -> Bool { names.contains(name) }

  /// The name of the take of which a file is a segment; nil where its name is none of a segment's.
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
