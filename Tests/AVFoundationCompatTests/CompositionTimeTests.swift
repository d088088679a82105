import AVFoundationCompat
import TestSupport
import Testing

/// Times of compositions whose tracks are not equally long, and of cuts that end within a movie.
@Suite struct CompositionTimeTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  private func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }
  private func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(start: at(start), duration: at(count))
  }

  @Test func a_track_that_ends_within_a_scaled_range_is_scaled_as_far_as_it_goes() async throws {
    let movie = try await rig.makeMovie()
    let composition = AVMutableComposition()
    let (long, short) = (
      try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0)),
      try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
    )
    try long.insertTimeRange(frames(0, 20), of: movie.tracks[0], at: .zero)
    try short.insertTimeRange(frames(0, 5), of: movie.tracks[0], at: .zero)
    composition.scaleTimeRange(frames(0, 10), toDuration: at(30))
    #expect(
      long.segments.map(\.timeMapping) == [
        CMTimeMapping(source: frames(0, 10), target: frames(0, 30)),
        CMTimeMapping(source: frames(10, 10), target: frames(30, 10)),
      ])
    #expect(
      short.segments.map(\.timeMapping) == [
        CMTimeMapping(source: frames(0, 5), target: frames(0, 15))
      ])
    composition.scaleTimeRange(frames(20, 10), toDuration: at(5))
    #expect(long.timeRange == frames(0, 35) && short.timeRange == frames(0, 15))
    // A range without end is all that a track has.
    short.scaleTimeRange(
      CMTimeRange(start: at(3), duration: .positiveInfinity), toDuration: at(2))
    #expect(short.timeRange == frames(0, 5))
  }
}
