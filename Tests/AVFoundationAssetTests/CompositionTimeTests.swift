import TestSupport
import Testing

@testable import AVFoundationCompat

/// Where tracks, cuts and scaled ranges end.
@Suite struct CompositionTimeTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  private func at(_ frame: Int64) -> CMTime { CMTime(value: frame, timescale: 25) }
  private func frames(_ start: Int64, _ count: Int64) -> CMTimeRange {
    CMTimeRange(start: at(start), duration: at(count))
  }

  @Test func a_track_ending_within_a_scaled_range_is_scaled_up_to_its_end() async throws {
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
    // An infinite range covers the whole track.
    short.scaleTimeRange(
      CMTimeRange(start: at(3), duration: .positiveInfinity), toDuration: at(2))
    #expect(short.timeRange == frames(0, 5))
  }

  /// The number of the source movie's frame in an image.
  private func frame(_ image: CGImage) -> Int {
    Int(((Double(image.image[90, 160, 0]) * 876 + 64 - 100) / 40).rounded())
  }

  @Test func frames_removed_by_a_cut_are_not_shown_after_it() async throws {
    let movie = try await rig.makeMovie()
    let composition = AVMutableComposition()
    try composition.insertTimeRange(frames(3, 4), of: movie, at: .zero)
    let generator = AVAssetImageGenerator(asset: composition)
    for time in [at(3), at(4), at(9)] {
      let made = try await generator.image(at: time)
      #expect(frame(made.image) == 6 && made.actualTime == at(3), "\(time)")
    }
    // From the middle of a frame, and at another speed.
    composition.removeTimeRange(
      CMTimeRange(start: CMTime(value: 7, timescale: 50), duration: at(1)))
    composition.scaleTimeRange(frames(0, 4), toDuration: at(8))
    let end = try #require(composition.tracks(withMediaType: .video).first).timeRange.end
    for time in [end, at(20)] {
      let made = try await generator.image(at: time)
      #expect(frame(made.image) == 6 && made.actualTime == at(6), "\(time)")
    }
  }

  @Test func a_composition_of_the_second_track_shows_the_second_track() async throws {
    let movie = try await rig.makeTwoTracks("two.mov", levels: [40, 200])
    for (track, level) in zip(movie.tracks(withMediaType: .video), [40, 200]) {
      let composition = AVMutableComposition()
      let video = try #require(
        composition.addMutableTrack(withMediaType: .video, preferredTrackID: 0))
      try video.insertTimeRange(frames(0, 2), of: track, at: .zero)
      let image = try await AVAssetImageGenerator(asset: composition).image(at: .zero).image
      let shown = Double(image.image[20, 20, 0]) * 219 + 16
      #expect(abs(shown - Double(level)) < 4)
    }
  }

  @Test func audio_ends_at_the_same_sample_after_the_asset_is_released() async throws {
    var asset: AVURLAsset? = try await rig.makeMovie()
    let track = try #require(asset?.tracks(withMediaType: .audio).first)
    let all = CMTimeRange(start: .zero, duration: .positiveInfinity)
    let whole = track.clips(in: all)
    #expect(whole == track.clips(in: frames(0, 20)))
    asset = nil
    #expect(track.asset == nil && track.clips(in: all) == whole)
  }
}
