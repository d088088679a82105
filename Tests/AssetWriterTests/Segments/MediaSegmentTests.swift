import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import AssetWriter

/// Where media segments end, and what their writer refuses.
@Suite struct MediaSegmentTests {
  private func output(_ interval: MediaTime, from start: MediaTime = .invalid) -> MediaSegmentOutput
  {
    let output = MediaSegmentOutput { _ in }
    output.segmentation.interval = interval
    output.segmentation.startTime = start
    output.begin(sessionStart: MediaTime(value: 10, timescale: 1))
    return output
  }

  @Test func segment_boundaries_stay_exact_in_long_takes() {
    // 2.002 s cannot be represented exactly in floating point: 60 frames at 29.97 fps.
    let output = output(MediaTime(value: 60 * 1001, timescale: 30_000))
    for number in [Int64(1), 3, 1_000_003, 157_000_001] {
      let first = MediaTime(value: 60 * 1001 * number, timescale: 30_000)
      let before = MediaTime(value: 60 * 1001 * number - 1, timescale: 30_000)
      #expect(output.number(at: first) == output.number(at: before) + 1)
      #expect(output.number(at: first) == number + 1)
    }
    // An encoder's first packet, before the session's start, belongs to the first segment.
    #expect(
      output.number(at: MediaTime(value: -1024, timescale: 48_000)) == output.number(at: .zero))
  }

  @Test func boundaries_count_from_the_given_start_time() {
    let output = output(
      MediaTime(value: 6, timescale: 1), from: MediaTime(value: 12, timescale: 1))
    let numbers = [0, 1, 2, 7, 8, 14].map { output.number(at: MediaTime(value: $0, timescale: 1)) }
    #expect(numbers == [0, 0, 1, 1, 2, 3])
  }

  @Test(arguments: [Int64.min, .min + 1, -(1 << 53), .max])
  func extreme_start_times_do_not_crash(seconds: Int64) {
    let start = MediaTime(value: seconds, timescale: 1)
    for interval in [MediaTime(value: 1, timescale: .max), MediaTime(value: .max, timescale: 1)] {
      let output = output(interval, from: start)
      output.endSegment(before: .zero)
      let numbers = [0, 1, .max].map { output.number(at: MediaTime(value: $0, timescale: 1)) }
      #expect(numbers == numbers.sorted() && numbers[0] >= 1)
    }
  }

  @Test func reached_boundaries_are_counted_and_discarded() {
    let output = output(.indefinite)
    let second = MediaTime(value: 1, timescale: 1)
    for place in Int64(1)...4 { output.endSegment(before: second * place) }
    output.endSegment(before: second * 4)
    let before = output.number(at: second * 3)
    output.didEnd(at: second * 2)
    #expect(before == 3 && output.number(at: second * 3) == 3)
    #expect(output.number(at: second * 9) == 4)
  }

  @Test(.enabled(if: CompressedTake.hasEncoders, CompressedTake.absence))
  func media_segment_output_refuses_splitting_and_a_second_folder() async throws {
    func start(_ configuration: AssetWriter.Configuration) throws(AssetWriterError) -> AssetWriter {
      let writer = AssetWriter(configuration: configuration) { _ in }
      try writer.add(AssetWriterInput(outputSettings: CompressedTake.settings()))
      try writer.start()
      return writer
    }
    var cut = AssetWriter.Configuration()
    cut.segments.maximumFrameCount = 10
    var doubled = AssetWriter.Configuration()
    doubled.secondFolder = "/tmp"
    for configuration in [cut, doubled] {
      let error = #expect(throws: AssetWriterError.self) { try start(configuration) }
      #expect(error?.code == .invalidSettings)
    }
    let writer = try start(AssetWriter.Configuration())
    defer { writer.cancelWriting() }
    for call in [writer.startNewSegment, writer.endMediaSegment] {
      let error = #expect(throws: AssetWriterError.self) { try call() }
      #expect(error?.code == .invalidStatus)
    }
  }

  @Test(.enabled(if: CompressedTake.hasEncoders, CompressedTake.absence))
  func the_report_counts_the_delivered_segments() async throws {
    let sizes = Mutex<[Int]>([])
    let writer = AssetWriter { segment in sizes.withLock { $0.append(segment.data.count) } }
    writer.mediaSegmentation?.interval = MediaTime(value: 1, timescale: 4)
    let report = try await CompressedTake().write(with: writer)
    #expect(report.fileBytes == Int64(sizes.withLock { $0.reduce(0, +) }))
    #expect(report.video[0].framesWritten == 25 && report.audio[0].samplesWritten == 48_000)
    #expect(sizes.withLock { $0.count } == 5)
  }
}
