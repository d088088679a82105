import MediaCore
import RecorderControl

/// The positions of a take's movies on its timeline, in slots. A slot is the time of one frame, whether it
/// has a frame or the frame before continues. Markers and URLs of images are counted in slots.
struct TakeTimeline: Sendable {
  /// A slot in a movie.
  struct Place: Sendable, Hashable {
    /// The movie's number, from 0.
    var movie: Int
    /// From the movie's first frame on.
    var slot: Int64
  }

  /// The slots of each movie, in order. There are fewer entries than movies if the last ones are unknown.
  let movies: [Range<Int64>]
  /// nil from a recorder of an earlier version.
  let rate: FrameRate?
  /// The movies that have frames, by their numbers.
  private let filled: [Int]

  /// The most slots of a take: more than any take has, and far from overflow.
  private static let limit: Int64 = 1 << 50

  init(_ take: RecorderEvent.FinishedTake) {
    rate = take.frameRate.flatMap { FrameRate($0) }
    let starts = take.movieStarts ?? []
    var (end, ranges) = (Int64(0), [Range<Int64>]())
    for (index, length) in zip(take.movies.indices, Self.lengths(of: take, rate)) {
      let stated = starts.indices.contains(index) ? starts[index] : end
      let start = min(max(stated, end), Self.limit)
      end = min(start + min(max(length, 0), Self.limit), Self.limit)
      ranges.append(start..<end)
    }
    movies = ranges
    filled = ranges.indices.filter { !ranges[$0].isEmpty }
  }

  /// A recorder of an earlier version reports numbers of frames only. If there is just one movie, its length
  /// follows from the duration in seconds.
  private static func lengths(
    of take: RecorderEvent.FinishedTake, _ rate: FrameRate?
  ) -> [Int64] {
    if let slots = take.movieSlots, slots.count >= take.movies.count { return slots }
    let frames = take.movieFrames ?? [take.frameCount]
    guard take.movies.count == 1, take.omitted == nil, let rate, let count = frames.first else {
      return frames
    }
    let duration = MediaTime(seconds: take.duration, preferredTimescale: 1_000_000_000)
    return [max(count, rate.frameIndex(nearest: duration) ?? 0)]
  }

  /// The first slot after the last movie.
  var slotCount: Int64 { movies.last?.upperBound ?? 0 }

  /// The position of a slot. A slot that is in no movie has the position of the last slot before it that is
  /// in one. nil beyond the end.
  func place(of slot: Int64) -> Place? {
    (0..<slotCount).contains(slot) ? nearestPlace(to: slot) : nil
  }

  /// As ``place(of:)``, but a slot beyond the end has the position of the last one. nil if all movies are empty.
  func nearestPlace(to slot: Int64) -> Place? {
    var (low, high) = (0, filled.count)
    while low < high {
      let middle = (low + high) / 2
      if movies[filled[middle]].lowerBound <= slot { low = middle + 1 } else { high = middle }
    }
    guard !filled.isEmpty else { return nil }
    let movie = filled[max(low - 1, 0)]
    let slots = movies[movie]
    let nearest = min(max(slot, slots.lowerBound), slots.upperBound - 1)
    return Place(movie: movie, slot: nearest - slots.lowerBound)
  }

  /// The time of the middle of a slot, from the movie's start. The frame shown then is the slot's,
  /// whatever timescale the movie has. nil without a rate.
  func time(ofSlot slot: Int64) -> MediaTime? {
    rate.map { rate in
      MediaTime(
        seconds: (Double(slot) + 0.5) / rate.framesPerSecond, preferredTimescale: 1_000_000)
    }
  }
}
