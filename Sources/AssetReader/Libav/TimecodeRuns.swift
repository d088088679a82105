import MediaCore
import QuickTime

/// A QuickTime movie's timecode, from the samples and edit list of its timecode track.
struct TimecodeRuns {
  /// Frames with continuous timecode.
  private struct Run {
    /// The presentation time of the first frame.
    let time: MediaTime
    let timecode: Timecode
  }

  /// The most samples read.
  private static let limit = 10_000

  private var runs: [Run] = []
  /// True if the edit list starts after the beginning of the media.
  private let isCut: Bool

  /// The timecode of the first frame if the edit list leaves out frames before it; nil otherwise,
  /// because libavformat then reads the right value.
  var start: Timecode? { isCut ? runs.first?.timecode : nil }

  /// Reads a timecode track.
  ///
  /// - Parameter path: The movie's path.
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
    // Some samples last only one frame, regardless of the edit list.
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

  /// The times at which timecode does not continue from the frame before.
  var jumps: [MediaTime] {
    zip(runs, runs.dropFirst()).compactMap { run, next in
      let frames = run.timecode.format.frameRate.frameIndex(nearest: next.time - run.time)
      return frames.map { run.timecode.advanced(by: $0) } == next.timecode ? nil : next.time
    }
  }
}
