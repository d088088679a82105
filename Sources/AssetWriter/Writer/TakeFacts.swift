import MediaCore
import QuickTime

/// What is known of a take itself.
struct TakeFacts {
  var metadata = MovieMetadata()
  /// When the take began, in seconds since 1970 UTC; nil for when its first movie is begun.
  var creationTime: Int64?
  /// The address that came with the first frame.
  var firstTimecode: Timecode?
  /// The chapters, from the take's start.
  var chapters: [MovieChapter] = [] {
    didSet {
      chapterBytes = chapters.reduce(0) { $0 + Self.sampleBytes + Int64($1.title.utf8.count) }
    }
  }
  /// Those of them that a movie has.
  private var givenChapters: Set<MovieChapter> = []
  private var chapterBytes: Int64 = 0

  /// More than a sample takes besides what it holds: its atoms, the empty one before it, and both in the index.
  private static let sampleBytes: Int64 = 96

  /// More bytes than a movie that ended now would get of them.
  var endBytes: Int64 { chapterBytes }

  /// Takes what belongs to a movie, with times from its start.
  ///
  /// - Parameters:
  ///   - start: The movie's start, from the take's.
  ///   - end: Its end; nil for the take's.
  mutating func take(from start: MediaTime, to end: MediaTime?) -> MovieFacts {
    var facts = MovieFacts()
    for chapter in chapters where !givenChapters.contains(chapter) && isBefore(chapter.start, end) {
      facts.chapters.append(chapter)
    }
    givenChapters.formUnion(facts.chapters)
    if start > .zero {
      // What was marked when its movie was complete is marked in the next one.
      for index in facts.chapters.indices {
        facts.chapters[index].start = max(facts.chapters[index].start - start, .zero)
      }
    }
    return facts
  }

  /// Chapters that no movie shows.
  ///
  /// - Parameter end: The end of the last frame shown, from the take's start; nil without video.
  func chaptersOutside(_ end: MediaTime?) -> Int {
    guard let end else { return chapters.count }
    return chapters.count { $0.start >= end }
  }

  private func isBefore(_ time: MediaTime, _ end: MediaTime?) -> Bool {
    end.map { time < $0 } ?? true
  }
}

/// What comes with the end of a movie, with times from its start.
struct MovieFacts {
  var chapters: [MovieChapter] = []

  /// What there is, by kind.
  var kinds: [Segment.Extra] { chapters.isEmpty ? [] : [.chapters] }
}
