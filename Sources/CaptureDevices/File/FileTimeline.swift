import MediaCore
import Synchronization

/// The clock that the video and the audio of one file share while they play.
///
/// The video sets it: its first frame is due immediately. Audio that starts earlier waits for it
/// for a while; audio that starts later catches up.
final class FileTimeline: Sendable {
  /// How long audio waits for video to start, in nanoseconds.
  static let patience: Int64 = 2_000_000_000
  /// How far one may run ahead of the other when nothing else holds it back, in nanoseconds.
  static let lead: Int64 = 500_000_000

  private struct State {
    var origin: Int64?
    var positions: [MediaType: Int64] = [:]
  }

  private static let shared = Mutex<[String: WeakTimeline]>([:])
  private struct WeakTimeline: Sendable { weak let timeline: FileTimeline? }

  private let state = Mutex(State())

  /// The timeline of a file, one for all that play it at present.
  static func shared(for path: String) -> FileTimeline {
    shared.withLock { all in
      all = all.filter { $0.value.timeline != nil }
      if let timeline = all[path]?.timeline { return timeline }
      let timeline = FileTimeline()
      all[path] = WeakTimeline(timeline: timeline)
      return timeline
    }
  }

  /// True if the video plays.
  var hasVideo: Bool { state.withLock { $0.positions[.video] != nil } }

  /// Starts a medium at `now` and returns the monotonic time of the file's start.
  func join(_ type: MediaType, now: Int64) -> Int64 {
    state.withLock { state in
      if state.positions.isEmpty { state.origin = nil }
      state.positions[type] = 0
      let origin = state.origin ?? now
      state.origin = origin
      return origin
    }
  }

  /// Ends a medium.
  func leave(_ type: MediaType) { state.withLock { $0.positions[type] = nil } }

  /// Notes what a medium gives next. To be called before it waits: the other one, which may have nothing up
  /// to there, would wait for it else.
  func advance(_ type: MediaType, to position: Int64) {
    state.withLock { $0.positions[type] = position }
  }

  /// True where a medium at `position` is too far ahead of the other one.
  func isAhead(_ type: MediaType, at position: Int64) -> Bool {
    state.withLock { state in
      let other = state.positions.first { $0.key != type }?.value
      return other.map { position > $0.addingSaturating(Self.lead) } ?? false
    }
  }
}
