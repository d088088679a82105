import MediaCore
import QuickTime

/// The timecode of a QuickTime movie's pictures, as the samples of its track and its edit list have it.
struct TimecodeRuns {
  /// Frames that count on from one of them.
  private struct Run {
    /// When the first of them is shown.
    let time: MediaTime
    let timecode: Timecode
  }

  /// Samples that are looked at.
  private static let limit = 10_000

  private var runs: [Run] = []
  /// True where the list begins behind the beginning of the media.
  private let isCut: Bool

  /// The timecode of the first frame of a list that leaves some out before it; nil for others, whose first number
  /// libavformat reads.
  var start: Timecode? { isCut ? runs.first?.timecode : nil }

  /// Reads a track of timecode.
  ///
  /// - Parameter path: The movie's.
  init?(_ track: MovieIndex.Track, path: String) {
    guard let facts = track.timecode, track.timescale > 0,
      let file = try? PosixMovieFile(path: path, mode: .read)
    else { return nil }
    isCut = (track.edits.lazy.compactMap(\.mediaTime).first ?? 0) > 0
    if track.edits.isEmpty { add(track, facts, file, 0..<Int64.max, at: .zero) }
    var start = MediaTime.zero
    for edit in track.edits {
      let end = start + (edit.duration ?? .zero)
      if let first = edit.mediaTime {
        let last = edit.duration?.converted(toTimescale: track.timescale).value ?? .max
        add(track, facts, file, first..<first.addingSaturating(max(last, 0)), at: start)
      }
      start = end
    }
    guard !runs.isEmpty else { return nil }
  }

  /// Adds the samples of a part of the media.
  private mutating func add(
    _ track: MovieIndex.Track, _ facts: MovieIndex.TimecodeFacts, _ file: PosixMovieFile,
    _ media: Range<Int64>, at start: MediaTime
  ) {
    let samples = track.samples
    // Some last for a frame, whatever the list asks for.
    var number = samples.index(at: media.lowerBound) ?? samples.count - 1
    while runs.count < Self.limit, let sample = samples[number], sample.size >= 4,
      sample.time < media.upperBound
    {
      var bytes: [UInt8] = [0, 0, 0, 0]
      let count = bytes.withUnsafeMutableBytes { try? file.read(into: $0, at: sample.offset) }
      var facts = facts
      facts.startFrame = bytes.reduce(0) { $0 << 8 | UInt32($1) }
      let left = max(media.lowerBound - sample.time, 0)
      guard count == 4, let begin = facts.start,
        let frames = begin.format.frameRate.frameIndex(
          nearest: MediaTime(value: left, timescale: track.timescale))
      else { return }
      let place = max(sample.time - media.lowerBound, 0)
      runs.append(
        Run(
          time: start + MediaTime(value: place, timescale: track.timescale),
          timecode: begin.advanced(by: frames)))
      number += 1
    }
  }

  /// When timecode does not count on.
  var jumps: [MediaTime] {
    zip(runs, runs.dropFirst()).compactMap { run, next in
      let frames = run.timecode.format.frameRate.frameIndex(nearest: next.time - run.time)
      return frames.map { run.timecode.advanced(by: $0) } == next.timecode ? nil : next.time
    }
  }
}
