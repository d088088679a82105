import MediaCore
import Testing

@testable import AssetReader
@testable import MovieExport

/// Timestamps that stray one at a time, and those that only seem to.
@Suite struct SteadySupplyTests {
  /// Samples and errors, in order.
  private final class ListedSupply: SampleSupply {
    private var list: ArraySlice<Result<AssetSample, AssetReaderError>>
    var account: FrameAccount? { nil }
    var packets: PacketWatch? { nil }

    init(_ list: [Result<AssetSample, AssetReaderError>]) { self.list = list[...] }

    func nextSample() throws(AssetReaderError) -> AssetSample? { try list.popFirst()?.get() }
  }

  private static let format = AudioFormat(
    sampleRate: 48_000, channelCount: 1, sampleFormat: .int16)

  private func frame(_ milliseconds: Int64) throws -> AssetSample {
    let details = PixelBuffer.Description(format: .yuv422p10, width: 16, height: 16)
    return AssetSample(
      trackID: 0,
      sampleBuffer: SampleBuffer(
        .video(try MutablePixelBuffer(details).finish()),
        presentationTimeStamp: MediaTime(value: milliseconds, timescale: 1000),
        duration: MediaTime(value: 1, timescale: 25)),
      index: 0, isKeyFrame: true)
  }

  /// 40 ms of audio.
  private func audio(_ milliseconds: Int64) throws -> AssetSample {
    let buffer = try AudioBuffer(
      format: Self.format, bytes: [UInt8](repeating: 0, count: 1920 * 2))
    return AssetSample(
      trackID: 1,
      sampleBuffer: SampleBuffer(
        .audio(buffer), presentationTimeStamp: MediaTime(value: milliseconds, timescale: 1000),
        duration: buffer.duration), index: 0, isKeyFrame: true)
  }

  private func supply(_ samples: [AssetSample]) -> SteadySupply {
    SteadySupply(ListedSupply(samples.map { .success($0) }), video: 0, rate: .fps25)
  }

  /// A track's times, in milliseconds.
  private func times(_ supply: SteadySupply, of track: AssetTrack.ID = 0) throws -> [Int64] {
    var times: [Int64] = []
    while let sample = try supply.nextSample() {
      guard sample.trackID == track else { continue }
      times.append(sample.sampleBuffer.presentationTimeStamp.converted(toTimescale: 1000).value)
    }
    return times
  }

  @Test(arguments: [3_600_000, 300_000, 2100, 0, -5000, -3_600_000] as [Int64])
  func a_frame_with_a_stray_timestamp_is_shown_between_its_neighbors(stray: Int64) throws {
    let steady = supply(try [1000, 1040, stray, 1120, 1160].map(frame))
    #expect(try times(steady) == [1000, 1040, 1080, 1120, 1160])
    let place = MediaTime(value: 1080, timescale: 1000)
    #expect(steady.takeStrays() == [SteadySupply.Stray(isVideo: true, time: place)])
    #expect(steady.takeStrays().isEmpty)
  }

  @Test(arguments: [3_600_000, 300_000, -5000] as [Int64])
  func audio_with_a_stray_timestamp_follows_the_previous_audio(stray: Int64) throws {
    let steady = supply(try [1000, 1040, stray, 1120, 1160].map(audio))
    #expect(try times(steady, of: 1) == [1000, 1040, 1080, 1120, 1160])
    #expect(steady.takeStrays().map(\.isVideo) == [false])
  }

  @Test func stray_timestamps_outside_the_points_are_not_reported() {
    func seconds(_ value: Int64) -> MediaTime { MediaTime(value: value, timescale: 1) }
    var timeline = SourceTimeline(rate: .fps25, timesMayJump: false)
    var strays = StrayTimes()
    // Samples before the first frame wait for it, because it determines the chosen range.
    strays.take([.init(isVideo: false, time: seconds(0))], on: timeline)
    timeline.range = ChosenRange(
      start: seconds(1), end: seconds(3), slack: MediaTime(value: 1, timescale: 50))
    _ = timeline.place(frame: seconds(0))
    let frames = [0, 2, 3].map { SteadySupply.Stray(isVideo: true, time: seconds($0)) }
    strays.take(frames, on: timeline)
    #expect(strays.frames == 1 && strays.audioRuns == 0)
    #expect(strays.note?.kind == .repaired && strays.note?.subject == "timestamps")
    #expect(strays.note?.message.contains("time stamps of 1 frame lie far") == true)
  }

  @Test func gaps_and_restarted_timestamps_are_unchanged() throws {
    for times in [
      [0, 40, 9000, 9040, 9080], [5000, 5040, 0, 40, 80], [0, 40, 500, 540], [0, 40, 9000],
    ] as [[Int64]] {
      for make in [frame, audio] {
        let steady = supply(try times.map(make))
        let first = try #require(try steady.nextSample())
        #expect(try [times[0]] + self.times(steady, of: first.trackID) == times)
        #expect(steady.takeStrays().isEmpty)
      }
    }
  }

  /// However much audio comes in between, it is neither lost nor reordered.
  @Test func a_held_frame_waits_only_for_a_limited_number_of_samples() throws {
    let few = try [frame(0), frame(300_000), audio(0), audio(40), frame(80)]
    #expect(try times(supply(few), of: 1) == [0, 40])
    let audioSamples = try (0..<300).map { try audio(Int64($0) * 40) }
    let list = try [frame(0), frame(9000)] + audioSamples
    var rest: [Result<AssetSample, AssetReaderError>] = list.map { .success($0) }
    rest.append(.failure(AssetReaderError(.truncated, "cut")))
    let steady = SteadySupply(ListedSupply(rest), video: 0, rate: .fps25)
    var seen: [AssetTrack.ID] = []
    for _ in list { seen.append(try #require(try steady.nextSample()).trackID) }
    #expect(seen == [0, 0] + audioSamples.map(\.trackID))
    #expect(throws: AssetReaderError.self) { try steady.nextSample() }
    #expect(try steady.nextSample() == nil)
  }

  @Test func waiting_samples_are_returned_before_a_source_error() throws {
    let steady = SteadySupply(
      ListedSupply([
        .success(try frame(0)), .success(try frame(9000)),
        .failure(AssetReaderError(.truncated, "cut")),
      ]), video: 0, rate: .fps25)
    #expect(try steady.nextSample() != nil)
    #expect(try steady.nextSample() != nil)
    #expect(throws: AssetReaderError.self) { try steady.nextSample() }
  }
}
