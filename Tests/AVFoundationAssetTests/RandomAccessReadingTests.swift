import AVFoundationCompat
import TestSupport
import Testing

/// Reading more ranges from an output after its end.
@Suite(.timeLimit(.minutes(10)))
struct RandomAccessReadingTests {
  private let rig: ReadingRig

  init() throws { rig = try ReadingRig() }

  /// A range in hundredths of a second.
  private static func range(_ hundredths: Range<Int64>) -> CMTimeRange {
    CMTimeRange(
      start: CMTime(value: hundredths.lowerBound, timescale: 100),
      end: CMTime(value: hundredths.upperBound, timescale: 100))
  }

  /// A reader of the movie's video or audio.
  private func reader(
    _ asset: AVAsset, _ mediaType: AVMediaType = .video, isRandom: Bool = true
  ) throws -> (AVAssetReader, AVAssetReaderTrackOutput) {
    let track = try #require(asset.tracks(withMediaType: mediaType).first)
    let output = AVAssetReaderTrackOutput(
      track: track, outputSettings: mediaType == .video ? [:] : nil)
    output.supportsRandomAccess = isRandom
    let reader = try AVAssetReader(asset: asset)
    reader.add(output)
    return (reader, output)
  }

  /// The numbers of the frames that an output delivers, from their times.
  private func frames(_ output: AVAssetReaderOutput) -> [Int64] {
    var frames: [Int64] = []
    while let sample = output.copyNextSampleBuffer() {
      frames.append(sample.presentationTimeStamp.convertScale(25, method: .default).value)
    }
    return frames
  }

  @Test func more_ranges_are_read_with_each_frame_once() async throws {
    let (reader, output) = try reader(try await rig.makeMovie())
    reader.timeRange = Self.range(0..<40)
    #expect(output.supportsRandomAccess && reader.startReading())
    #expect(frames(output) == Array(0..<10) && reader.status == .reading)
    #expect(output.copyNextSampleBuffer() == nil)
    output.reset(forReadingTimeRanges: [Self.range(16..<24), Self.range(40..<44)])
    #expect(frames(output) == [4, 5, 10] && reader.status == .reading)
    // Frame 3 is shown through the end of one range and into the next.
    output.reset(forReadingTimeRanges: [Self.range(10..<14), Self.range(15..<21)])
    #expect(frames(output) == [2, 3, 4, 5])
    // Adjacent ranges are joined, and ranges after the end are empty.
    output.reset(
      forReadingTimeRanges: [Self.range(0..<6), Self.range(6..<10), Self.range(900..<950)])
    #expect(frames(output) == [0, 1, 2])
    output.markConfigurationAsFinal()
    #expect(reader.status == .completed && reader.error == nil)
  }

  @Test func audio_of_ranges_is_cut_sample_accurately() async throws {
    let (reader, output) = try reader(try await rig.makeMovie(), .audio)
    try #require(reader.startReading())
    while output.copyNextSampleBuffer() != nil {}
    output.reset(forReadingTimeRanges: [Self.range(10..<20), Self.range(50..<51)])
    var values: [UInt16] = []
    while let sample = output.copyNextSampleBuffer() {
      let bytes = try #require(sample.audioBuffer).bytes
      for place in stride(from: 0, to: bytes.count, by: 4) {
        values.append(UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
      }
    }
    let wanted = Array(4800..<9600) + Array(24_000..<24_480)
    #expect(values == wanted.map { UInt16(truncatingIfNeeded: $0) })
  }

  @Test func a_reader_completes_once_its_configuration_is_final() async throws {
    let asset = try await rig.makeMovie()
    let (reader, output) = try reader(asset)
    try #require(reader.startReading())
    output.markConfigurationAsFinal()
    #expect(reader.status == .reading && frames(output).count == 20)
    #expect(reader.status == .completed)
    let (plain, all) = try self.reader(asset, isRandom: false)
    try #require(plain.startReading())
    #expect(frames(all).count == 20 && plain.status == .completed)
  }

  @Test func a_mistimed_random_access_call_fails_the_reader() async throws {
    typealias Output = AVAssetReaderTrackOutput
    let asset = try await rig.makeMovie()
    let range = Self.range(0..<10)
    let mistakes: [(String, isRandom: Bool, (AVAssetReader, Output) -> Void)] = [
      ("before reading", true, { $1.reset(forReadingTimeRanges: [range]) }),
      (
        "before the end", true,
        {
          $0.startReading()
          _ = $1.copyNextSampleBuffer()
          $1.reset(forReadingTimeRanges: [range])
        }
      ),
      (
        "not asked for", false,
        {
          $0.startReading()
          while $1.copyNextSampleBuffer() != nil {}
          $1.reset(forReadingTimeRanges: [range])
        }
      ),
      (
        "asked for too late", false,
        {
          $0.startReading()
          $1.supportsRandomAccess = true
        }
      ),
      (
        "after the last one", true,
        {
          $0.startReading()
          $1.markConfigurationAsFinal()
          while $1.copyNextSampleBuffer() != nil {}
          $1.reset(forReadingTimeRanges: [range])
        }
      ),
    ]
    for (name, isRandom, call) in mistakes {
      let (reader, output) = try reader(asset, isRandom: isRandom)
      call(reader, output)
      #expect(!reader.startReading() && reader.status == .failed, "\(name)")
      #expect((reader.error as? AVError)?.code == .operationNotAllowed, "\(name)")
      #expect(output.copyNextSampleBuffer() == nil, "\(name)")
    }
  }

  @Test func invalid_ranges_fail_the_reader() async throws {
    let asset = try await rig.makeMovie()
    let (first, second) = (Self.range(0..<10), Self.range(20..<30))
    let wrong: [[CMTimeRange]] = [
      [], [second, first], [first, Self.range(9..<12)], [Self.range(5..<5)],
      [CMTimeRange(start: .zero, duration: .positiveInfinity)],
      [CMTimeRange(start: .invalid, duration: first.duration)],
    ]
    for ranges in wrong {
      let (reader, output) = try reader(asset)
      try #require(reader.startReading())
      while output.copyNextSampleBuffer() != nil {}
      output.reset(forReadingTimeRanges: ranges)
      #expect(reader.status == .failed && reader.error != nil, "\(ranges)")
    }
  }

  @Test func nothing_is_read_after_cancellation() async throws {
    let (reader, output) = try reader(try await rig.makeMovie())
    try #require(reader.startReading())
    while output.copyNextSampleBuffer() != nil {}
    reader.cancelReading()
    output.reset(forReadingTimeRanges: [Self.range(0..<10)])
    output.markConfigurationAsFinal()
    #expect(output.copyNextSampleBuffer() == nil)
    #expect(reader.status == .cancelled && reader.error == nil)
  }
}
