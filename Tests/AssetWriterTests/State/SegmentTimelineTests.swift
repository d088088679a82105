import Testing

@testable import AssetWriter

/// Where a take is split, and what happens to its movies.
@Suite struct SegmentTimelineTests {
  private func segment(_ number: Int, bytes: Int64 = 10) -> Segment {
    Segment(
      number: number, path: "\(number).mov", firstFrame: 0, frameCount: 1, duration: 1,
      fileSize: bytes, end: .durationReached, isValid: true)
  }

  @Test func a_frame_limit_splits_the_take_into_spans_of_that_length() {
    var timeline = SegmentTimeline()
    #expect(!timeline.hasBegun)
    #expect(timeline.span(at: 0) == nil)
    timeline.firstSlot = 5
    timeline.begin(frameLimit: 10)
    #expect(timeline.span(at: 5)?.number == 1)
    #expect(timeline.span(at: 14)?.number == 1)
    #expect(timeline.spans.count == 1)
    #expect(timeline.span(at: 31)?.number == 3)
    #expect(timeline.spans.map(\.start) == [5, 15, 25])
    #expect(timeline.end(after: 20) == 25)
  }

  @Test func a_split_requested_before_the_first_movie_is_applied_later() {
    var timeline = SegmentTimeline()
    timeline.request(before: 4)
    timeline.request(before: 4)
    #expect(timeline.requests == [4])
    timeline.begin(frameLimit: nil)
    timeline.applyRequests(earliest: 0)
    #expect(timeline.last?.end == 4 && timeline.last?.reason == .requested)
    #expect(timeline.requests.isEmpty)
  }

  @Test func splits_never_precede_written_frames_or_coincide() {
    var timeline = SegmentTimeline()
    timeline.begin(frameLimit: 10)
    timeline.request(before: 3)
    timeline.applyRequests(earliest: 6)
    #expect(timeline.last?.end == 6)
    timeline.endLast(at: 8, .sizeReached)
    #expect(timeline.last?.end == 6, "a span never grows")
    // After the planned cut, so it belongs to the next span.
    timeline.request(before: 12)
    timeline.applyRequests(earliest: 0)
    #expect(timeline.requests == [12])
    #expect(timeline.span(at: 7)?.number == 2)
    timeline.applyRequests(earliest: 0)
    #expect(timeline.last?.end == 12)
  }

  @Test func bytes_are_counted_once_in_every_state_of_a_movie() {
    var timeline = SegmentTimeline()
    timeline.begin(frameLimit: 10)
    timeline.didOpen(1)
    timeline.didWrite(1, bytes: 7)
    #expect(timeline.spans.first?.isOpen == true)
    timeline.didEnd(1)
    #expect(timeline.last?.number == 2 && timeline.fileBytes == 7)
    timeline.didWrite(2, bytes: 5)
    timeline.didFinish(segment(1))
    #expect(timeline.fileBytes == 15)
    timeline.didFinish(segment(2, bytes: 6))
    #expect(timeline.fileBytes == 16)
    timeline.didFinishTake()
    #expect(timeline.segments.map(\.end) == [.durationReached, .takeEnded])
  }

  @Test func segments_are_listed_in_order_of_their_numbers() {
    var timeline = SegmentTimeline()
    timeline.begin(frameLimit: nil)
    for number in [2, 1, 3] { timeline.didFinish(segment(number)) }
    #expect(timeline.segments.map(\.number) == [1, 2, 3])
  }
}
